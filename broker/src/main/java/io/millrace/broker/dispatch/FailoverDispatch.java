package io.millrace.broker.dispatch;

import io.millrace.broker.log.EntryHeader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One active consumer gets everything, the rest wait. Consumers rank by priority, then by name, then by arrival, and
 * the first is active; of a partition, the one whose rank among those of the best priority is the partition's number,
 * counted round, so that consumers of a partitioned topic share its partitions. A consumer that joins or leaves may move
 * the place to another one, which is then sent what the previous one had not acknowledged.
 */
final class FailoverDispatch implements Selector {
    private static final Comparator<Consumer> ORDER = Comparator.<Consumer>comparingInt(
                    consumer -> consumer.options.priority())
            .thenComparing(consumer -> consumer.options.name());

    /** Takes back the entries of a consumer that is no longer active. */
    interface Takeover {
        void from(Consumer previous);
    }

    private final Takeover takeover;
    private final int partition;
    private final List<Consumer> byRank = new ArrayList<>();
    private @Nullable Consumer active;

    FailoverDispatch(Takeover takeover, int partition) {
        this.takeover = takeover;
        this.partition = partition;
    }

    @Override
    public SubscriptionType type() {
        return SubscriptionType.FAILOVER;
    }

    @Override
    public void admit(ConsumerOptions options) {
        // Any number may wait.
    }

    @Override
    public void joined(Consumer consumer) {
        byRank.add(consumer);
        byRank.sort(ORDER);
        if (!elect()) {
            consumer.link.activeChanged(false);
        }
    }

    @Override
    public void left(Consumer consumer) {
        byRank.remove(consumer);
        elect();
    }

    @Override
    public @Nullable Consumer active() {
        return active;
    }

    @Override
    public boolean anyReady() {
        return active != null && active.ready();
    }

    @Override
    public @Nullable Consumer pick(EntryHeader header) {
        return likely(header.stickyKeyHash(), header.isChunked());
    }

    @Override
    public @Nullable Consumer likely(int keyHash, boolean chunk) {
        return anyReady() ? active : null;
    }

    @Override
    public @Nullable Consumer missedBy(EntryHeader header) {
        return active;
    }

    @Override
    public void sent(EntryHeader header, Consumer consumer) {
        // The active consumer stays active.
    }

    @Override
    public long wantedMessages() {
        return active == null ? 0 : active.permits();
    }

    private int countOfBestPriority() {
        int best = byRank.get(0).options.priority();
        return (int) byRank.stream()
                .filter(consumer -> consumer.options.priority() == best)
                .count();
    }

    private boolean elect() {
        Consumer previous = active;
        active = byRank.isEmpty() ? null : byRank.get(partition % countOfBestPriority());
        if (active == previous) {
            return false;
        }
        if (previous != null) {
            takeover.from(previous);
        }
        for (Consumer consumer : byRank) {
            consumer.link.activeChanged(consumer == active);
        }
        return true;
    }
}
