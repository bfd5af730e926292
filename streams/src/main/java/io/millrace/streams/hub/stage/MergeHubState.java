package io.millrace.streams.hub.stage;

import io.millrace.streams.hub.MergeHubSettings;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What a merge hub and its producers share.
 *
 * <p><b>Threads:</b> any asks for sinks and drains; producers' islands arrive; the hub's island takes and closes.
 * <b>Shared:</b> {@code arrivals}, a Treiber stack of producers with news that is only taken whole, compare-and-set;
 * {@code expected}, counted up by who runs a producer before it reads {@code isDraining}, and down by the hub; {@code isDraining}, volatile,
 * set once, read by the hub before {@code expected}, so that one of the two sees the other; {@code producerCount}, volatile, written by the hub. <b>States:</b> the stack is
 * empty, or producers linked by {@code nextArrival}, or closed for good. <b>Proved by:</b> MergeHubStressTest.
 */
public final class MergeHubState<T> {
    private final MergeHubSettings settings;
    private final HubArrivals<HubProducer<T>> arrivals = new HubArrivals<>();
    private final AtomicInteger expected = new AtomicInteger();
    private volatile boolean isDraining;
    private volatile int producerCount;

    MergeHubState(MergeHubSettings settings) {
        this.settings = settings;
    }

    /** Cancels producers that are run from now on, and completes the hub once the others are done. */
    public void drain() {
        isDraining = true;
        arrivals.wakeHub();
    }

    /** How many producers the hub has. */
    public int producerCount() {
        return producerCount;
    }

    MergeHubSettings settings() {
        return settings;
    }

    boolean isDraining() {
        return isDraining;
    }

    /** Counts a producer that is being run, and will arrive whatever becomes of it; false when the hub drains and wants none. */
    boolean expect() {
        expected.incrementAndGet();
        if (!isDraining) {
            return true;
        }
        hasArrived();
        arrivals.wakeHub(); // which may have waited for this one
        return false;
    }

    /** One that was counted has arrived, or will not. */
    void hasArrived() {
        expected.decrementAndGet();
    }

    /** Whether producers that have been run are still on their way. */
    boolean expectsMore() {
        return expected.get() > 0;
    }

    void producerCount(int count) {
        producerCount = count;
    }

    HubArrivals<HubProducer<T>> arrivals() {
        return arrivals;
    }

    /** Brings a producer with news to the hub; false when the hub has ended. */
    boolean arrive(HubProducer<T> producer) {
        return arrivals.push(producer);
    }

    /** Takes all that have arrived, the first of them first, linked by {@code nextArrival}; the hub only. */
    @Nullable
    HubProducer<T> takeArrivals() {
        return HubArrivals.earliestFirst(arrivals.takeAll());
    }

    /** Takes all that have arrived and refuses others from now on; the hub only, once. */
    @Nullable
    HubProducer<T> close() {
        return HubArrivals.earliestFirst(arrivals.close());
    }
}
