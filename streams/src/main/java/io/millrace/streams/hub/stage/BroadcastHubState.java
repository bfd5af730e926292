package io.millrace.streams.hub.stage;

import io.millrace.streams.hub.BroadcastHubSettings;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What a broadcast hub and its consumers share.
 *
 * <p><b>Threads</b>: the hub's island ends it; consumers' islands announce.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code end}, volatile, written by the hub once before it closes the arrivals; {@code leaves}, counted by
 * consumers that leave; core, ring, arrivals and consumers as said there.<br>
 * <b>States</b>: live -> ended.<br>
 * <b>Proved by</b>: BroadcastHubStressTest.
 */
public final class BroadcastHubState<T> {
    private final HubRing<T> ring;
    private final HubArrivals<HubConsumer> arrivals = new HubArrivals<>();
    private final AtomicLong leaves = new AtomicLong();
    private final HubCore<T> core;
    private Runnable shutdown = () -> {};
    private volatile @Nullable HubEnd end;

    BroadcastHubState(BroadcastHubSettings settings, long firstPosition) {
        this.ring = new HubRing<>(settings.bufferSize(), firstPosition);
        this.core = new HubCore<>(ring, settings);
    }

    /** Sets how the hub is told to end, before it is handed out. */
    void shutDownWith(Runnable told) {
        shutdown = told;
    }

    /** Cancels what comes, and completes the consumers; from any thread, at any time. */
    public void shutdown() {
        shutdown.run();
    }

    /** How many consumers the hub has, those it is about to admit or dismiss not yet considered. */
    public int consumerCount() {
        return core.consumers();
    }

    HubCore<T> core() {
        return core;
    }

    HubRing<T> ring() {
        return ring;
    }

    HubArrivals<HubConsumer> arrivals() {
        return arrivals;
    }

    /** How the hub ended, or null. */
    @Nullable
    public HubEnd end() {
        return end;
    }

    /** The number of one more consumer that leaves, by which the hub knows the last. */
    long nextLeave() {
        return leaves.incrementAndGet();
    }

    /** Brings a consumer with news to the hub; false when the hub has ended. */
    boolean arrive(HubConsumer consumer) {
        return arrivals.push(consumer);
    }

    void end(HubEnd how) {
        end = how;
    }
}
