package io.millrace.broker.dispatch;

import io.millrace.broker.inspect.ClientHandle;
import io.millrace.broker.log.Position;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A subscription at one moment.
 *
 * @param markDelete everything up to and with this position is acknowledged
 * @param pendingEntries entries sent and not acknowledged as a whole
 * @param unackedMessages messages in them that are not acknowledged
 * @param waitingEntries entries that wait to be sent again
 * @param heldBackEntries entries that were read and cannot be sent yet, mostly because of their key
 * @param delayedEntries entries whose time has not come
 * @param backlogEntries entries stored that are not acknowledged as a whole
 * @param sent what was sent to consumers since the dispatcher began, also to those that have left
 * @param rates of that, and of what comes back
 * @param isBlocked whether the subscription holds too many unacknowledged messages
 * @param active the consumer that gets everything; empty if there is none, or several share the entries
 * @param attachedToTail whether it reads from the tail hub rather than from the log
 * @param times when what it did last was done
 */
public record DispatcherStats(
        SubscriptionType type,
        Position markDelete,
        int pendingEntries,
        long unackedMessages,
        int waitingEntries,
        int heldBackEntries,
        int delayedEntries,
        long backlogEntries,
        Sent sent,
        Rates rates,
        boolean isBlocked,
        String active,
        boolean attachedToTail,
        Times times,
        List<ConsumerStats> consumers) {
    public DispatcherStats {
        consumers = List.copyOf(consumers);
    }

    /** Whether nothing was sent or came back of late. */
    public boolean isAtRest() {
        return rates.equals(Rates.NONE)
                && consumers.stream().allMatch(each -> each.rates().equals(Rates.NONE));
    }

    /**
     * In milliseconds since the epoch; 0 for what was not done since the dispatcher began.
     *
     * @param flowMillis when a consumer last asked for messages
     * @param markMillis when an acknowledgement, or that messages expired, last moved the mark
     * @param expiryMillis when messages last expired
     */
    public record Times(long flowMillis, long markMillis, long expiryMillis) {
        static final Times NONE = new Times(0, 0, 0);
    }

    /**
     * What a consumer did, in milliseconds since the epoch; 0 for what it has not done.
     *
     * @param firstFlowMillis when it first asked for messages
     * @param lastFlowMillis when it last did
     * @param firstSentMillis when it was first sent some
     * @param lastSentMillis when it last was
     * @param lastAckMillis when it last acknowledged
     */
    public record ConsumerTimes(
            long firstFlowMillis, long lastFlowMillis, long firstSentMillis, long lastSentMillis, long lastAckMillis) {}

    /** Messages and their bytes, as often as they were sent. */
    public record Sent(long messages, long bytes) {
        public static final Sent NOTHING = new Sent(0, 0);

        public Sent plus(Sent more) {
            return new Sent(messages + more.messages, bytes + more.bytes);
        }
    }

    /**
     * One connected consumer; permits may be negative after a batch.
     *
     * @param droppedEntries of a topic that stores nothing: those that it did not take when they came
     * @param rates of what it is sent, and of what comes back
     * @param times when it did what
     * @param keyRanges the hashes of keys that are its own, in their order; empty if there are none, or too many to tell
     * @param keyShared what it said of keys; null if it said nothing, or is of another type
     */
    public record ConsumerStats(
            long consumerId,
            String name,
            long permits,
            long unackedMessages,
            boolean blockedOnUnacked,
            long droppedEntries,
            Sent sent,
            Rates rates,
            ConsumerTimes times,
            List<KeySharedOptions.HashRange> keyRanges,
            ClientHandle client,
            boolean takesAnySchema,
            @Nullable KeySharedOptions keyShared) {
        static ConsumerStats of(
                Consumer consumer, long unackedMessages, Rates rates, List<KeySharedOptions.HashRange> keyRanges) {
            return new ConsumerStats(
                    consumer.options.consumerId(),
                    consumer.options.name(),
                    consumer.permits(),
                    unackedMessages,
                    consumer.blocked(),
                    consumer.dropped,
                    new Sent(consumer.messagesOut, consumer.bytesOut),
                    rates,
                    consumer.activity.times(),
                    keyRanges,
                    consumer.link.client(),
                    consumer.link.takesAnySchema(),
                    consumer.options.keyShared());
        }
    }
}
