package io.millrace.streams.hub.stage;

import io.millrace.streams.hub.PartitionHubSettings;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What a partition hub and its consumers share.
 *
 * <p><b>Threads:</b> any asks for sources; consumers' islands arrive; the hub's island ends it. <b>Shared:</b>
 * {@code consumerCount}, {@code isSealed} (there is nothing left to give out and nothing more comes), {@code end}:
 * volatile, written by the hub, before it wakes the consumers. <b>States:</b> live -> sealed -> ended; sealed -> live when
 * a consumer leaves elements behind; live -> ended by failure. <b>Proved by:</b> PartitionHubStressTest.
 */
public final class PartitionHubState<T> {
    private final PartitionHubSettings settings;
    private final HubArrivals<PartitionConsumer<T>> arrivals = new HubArrivals<>();
    private final AtomicLong nextConsumerId = new AtomicLong();
    private volatile int consumerCount;
    private volatile boolean isSealed;
    private volatile @Nullable End end;

    /** How the hub ended, for late consumers. */
    public record End(@Nullable Throwable failure) {}

    PartitionHubState(PartitionHubSettings settings) {
        this.settings = settings;
    }

    /** How many consumers the hub has, those it is about to admit or dismiss not yet considered. */
    public int consumerCount() {
        return consumerCount;
    }

    PartitionConsumer<T> newConsumer(Runnable wake) {
        return new PartitionConsumer<>(nextConsumerId.getAndIncrement(), settings.perConsumerBuffer(), wake);
    }

    PartitionHubSettings settings() {
        return settings;
    }

    HubArrivals<PartitionConsumer<T>> arrivals() {
        return arrivals;
    }

    void consumerCount(int count) {
        consumerCount = count;
    }

    boolean isSealed() {
        return isSealed;
    }

    void sealed(boolean value) {
        isSealed = value;
    }

    /** How the hub ended, or null. */
    @Nullable
    public End end() {
        return end;
    }

    /** Ends the hub for consumers to come and hands back those whose news were not taken in. */
    @Nullable
    PartitionConsumer<T> end(@Nullable Throwable failure) {
        end = new End(failure);
        return arrivals.close();
    }
}
