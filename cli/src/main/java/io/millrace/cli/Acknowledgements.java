package io.millrace.cli;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.pulsar.client.api.MessageId;

/**
 * What was printed and has no ack receipt yet. A group whose ack was lost with its connection is acknowledged again, and
 * a message of it that comes again meanwhile is recognised, so that it is not printed twice. Used by one thread.
 */
final class Acknowledgements {
    private static final long POLL_NANOS = 2_000_000;
    private static final long RETRY_NANOS = 200_000_000;

    private final Function<List<MessageId>, CompletableFuture<Void>> acknowledge;
    private final LongSupplier connection;
    private final Deque<Group> groups = new ArrayDeque<>();
    private final Set<MessageId> unsettled = new HashSet<>();

    /**
     * Acknowledges groups of ids, in the order of receipt.
     *
     * @param acknowledge sends one group; its future is the receipt
     * @param connection the {@link ConnectionStamp} of now
     */
    Acknowledgements(Function<List<MessageId>, CompletableFuture<Void>> acknowledge, LongSupplier connection) {
        this.acknowledge = acknowledge;
        this.connection = connection;
    }

    private record Group(List<MessageId> ids, CompletableFuture<Void> receipt, long connection, long sentNanos) {}

    /** Whether the message was printed and its acknowledgement is on its way. */
    boolean contains(MessageId id) {
        return unsettled.contains(id);
    }

    void add(List<MessageId> printed) {
        unsettled.addAll(printed);
        send(printed);
    }

    /** Forgets the groups that have their receipt and sends the failed ones again, at most five times a second. */
    void settle() {
        for (int left = groups.size(); left > 0 && groups.element().receipt().isDone(); left--) {
            Group group = groups.remove();
            if (hasReceipt(group)) {
                group.ids().forEach(unsettled::remove);
            } else if (System.nanoTime() - group.sentNanos() >= RETRY_NANOS) {
                send(group.ids());
            } else {
                groups.add(group);
            }
        }
    }

    /** Waits until every group has its receipt or {@code giveUp} holds. */
    void await(BooleanSupplier giveUp) {
        settle();
        while (!groups.isEmpty() && !giveUp.getAsBoolean()) {
            LockSupport.parkNanos(POLL_NANOS);
            settle();
        }
    }

    /** How many printed messages have no receipt. */
    int count() {
        return unsettled.size();
    }

    private boolean hasReceipt(Group group) {
        return !group.receipt().isCompletedExceptionally()
                && group.connection() != ConnectionStamp.NONE
                && group.connection() == connection.getAsLong();
    }

    private void send(List<MessageId> ids) {
        long now = connection.getAsLong();
        CompletableFuture<Void> receipt =
                now == ConnectionStamp.NONE ? CompletableFuture.completedFuture(null) : acknowledge.apply(ids);
        groups.add(new Group(ids, receipt, now, System.nanoTime()));
    }
}
