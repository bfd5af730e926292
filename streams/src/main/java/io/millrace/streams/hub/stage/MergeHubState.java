package io.millrace.streams.hub.stage;

import io.millrace.streams.hub.MergeHubSettings;
import org.jspecify.annotations.Nullable;

/**
 * What a merge hub and its producers share.
 *
 * <p><b>Threads:</b> any asks for sinks and drains; producers' islands arrive; the hub's island takes and closes.
 * <b>Shared:</b> {@code arrivals}, a Treiber stack of producers with news that is only taken whole, compare-and-set;
 * {@code isDraining}, volatile, set once; {@code producerCount}, volatile, written by the hub. <b>States:</b> the stack is
 * empty, or producers linked by {@code nextArrival}, or closed for good. <b>Proved by:</b> MergeHubStressTest.
 */
public final class MergeHubState<T> {
    private final MergeHubSettings settings;
    private final HubArrivals<HubProducer<T>> arrivals = new HubArrivals<>();
    private volatile boolean isDraining;
    private volatile int producerCount;

    MergeHubState(MergeHubSettings settings) {
        this.settings = settings;
    }

    /** Cancels new producers from now on and completes the hub once the present ones are done. */
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
