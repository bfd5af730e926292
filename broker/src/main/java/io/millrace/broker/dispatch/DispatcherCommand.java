package io.millrace.broker.dispatch;

import io.millrace.broker.log.CursorState;
import io.millrace.broker.log.Position;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The messages to a dispatcher. Replies complete in the dispatcher's island, exceptionally with a {@link
 * BrokerException}; a command sent after the dispatcher ended is never answered, so watch its reference.
 */
public sealed interface DispatcherCommand
        permits DispatcherCommand.Attach,
                DispatcherCommand.Detach,
                DispatcherCommand.Flow,
                DispatcherCommand.Writable,
                DispatcherCommand.Ack,
                DispatcherCommand.Redeliver,
                DispatcherCommand.Seek,
                DispatcherCommand.Skip,
                DispatcherCommand.Locate,
                DispatcherCommand.Acknowledged,
                DispatcherCommand.Unsubscribe,
                DispatcherCommand.Stats,
                DispatcherCommand.Close,
                DispatcherCommand.CloseUnused,
                DispatcherCommand.Apply,
                Inspect {
    /**
     * A consumer joins; it gets nothing before its first {@link Flow}.
     *
     * @param maxConsumers how many it may be one of, at most, within the broker's limit; 0 for that limit alone
     */
    record Attach(ConsumerLink link, ConsumerOptions options, int maxConsumers, CompletableFuture<Void> reply)
            implements DispatcherCommand {
        /** Within the broker's limit. */
        public Attach(ConsumerLink link, ConsumerOptions options, CompletableFuture<Void> reply) {
            this(link, options, 0, reply);
        }
    }

    /**
     * A consumer has left; the entries it held are sent again to others. Unknown links are ignored, in all commands.
     */
    record Detach(ConsumerLink link) implements DispatcherCommand {}

    /** A consumer can take this many more messages. */
    record Flow(ConsumerLink link, int permits) implements DispatcherCommand {}

    /** A consumer's connection takes bytes again. */
    record Writable() implements DispatcherCommand {}

    /** Acknowledges; the receipt completes when all of it is durable. */
    record Ack(
            ConsumerLink link, AckRequest request, @Nullable CompletableFuture<Void> receipt)
            implements DispatcherCommand {}

    /**
     * Gives entries back to be sent again.
     *
     * @param positions which of the consumer's entries; empty for all, as always for Exclusive and Failover
     * @param consumerEpoch the consumer's new epoch, or -1 if it named none
     */
    record Redeliver(ConsumerLink link, List<Position> positions, long consumerEpoch) implements DispatcherCommand {
        public Redeliver {
            positions = List.copyOf(positions);
        }

        /** Without an epoch. */
        public Redeliver(ConsumerLink link, List<Position> positions) {
            this(link, positions, -1);
        }
    }

    /** Moves the subscription and closes its consumers; replies when that is durable. */
    record Seek(SeekTarget target, CompletableFuture<Void> reply) implements DispatcherCommand {}

    /**
     * Acknowledges what comes first, for an administrator: consumers stay, and what they hold of it is gone; replies when
     * that is durable.
     */
    record Skip(SkipTarget target, CompletableFuture<Void> reply) implements DispatcherCommand {}

    /** Asks where the last of so many unacknowledged entries is; that of the mark if there are fewer. */
    record Locate(long count, CompletableFuture<Position> reply) implements DispatcherCommand {}

    /** Asks for a copy of what is acknowledged. */
    record Acknowledged(CompletableFuture<CursorState> reply) implements DispatcherCommand {}

    /**
     * Ends the dispatcher for good; the topic then deletes the cursor.
     *
     * @param link the consumer that asks, which is not told that it is closed; null for an administrator
     * @param force whether other connected consumers are closed, instead of the request being refused
     */
    record Unsubscribe(@Nullable ConsumerLink link, boolean force, CompletableFuture<Void> reply)
            implements DispatcherCommand {}

    /** Asks for the subscription's figures. */
    record Stats(CompletableFuture<DispatcherStats> reply) implements DispatcherCommand {}

    /**
     * This policy applies from now on, also to consumers that are there.
     *
     * @param leases of the rate that it shares with other subscriptions
     */
    record Apply(DispatchPolicy policy, Leases leases) implements DispatcherCommand {}

    /** Ends the dispatcher and closes its consumers; replies when every accepted acknowledgement is durable. */
    record Close(CompletableFuture<Void> reply) implements DispatcherCommand {}

    /**
     * Ends the dispatcher of a durable subscription without consumers, if the log has all that is to be kept of it, so that it
     * can be started again from there. Else it replies, and goes on.
     *
     * @param isRoomShort whether it forgets how often entries came back, which the log does not have
     */
    record CloseUnused(boolean isRoomShort, CompletableFuture<Void> goesOn) implements DispatcherCommand {}
}
