package io.millrace.streams.hub.stage;

import io.millrace.streams.engine.pool.Postponed;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The consumers of a broadcast hub that are due to be woken, which is put off so that a burst wakes each once. Where a function
 * keeps the hub, those are woken, too, that have arrived there and might wait for what the hub has appended before.
 *
 * <p><b>Threads:</b> the hub's island adds; it or the monitor of turns wakes.
 *
 * <p><b>Shared:</b> {@code due}: the first of a list that is linked by {@code nextWaiting}; whoever takes it owns the list.
 *
 * <p><b>Proved by:</b> BroadcastHubStressTest, and every case of Promptness.
 */
final class HubWaking extends Postponed {
    private final AtomicReference<@Nullable HubConsumer> due = new AtomicReference<>();
    private final HubArrivals<HubConsumer> arrivals;
    private final HubRing<?> ring;

    HubWaking(HubArrivals<HubConsumer> arrivals, HubRing<?> ring) {
        this.arrivals = arrivals;
        this.ring = ring;
    }

    /** Adds a list; the hub only. */
    void add(HubConsumer first, HubConsumer last) {
        HubConsumer before = due.get();
        last.nextWaiting = before;
        while (!due.compareAndSet(before, first)) {
            before = due.get();
            last.nextWaiting = before;
        }
    }

    /**
     * Instead of the hub's island, which may go on meanwhile: to be woken without need does no harm. Who has arrived is woken once after each
     * element, or who waits for the hub and the monitor would keep each other busy.
     */
    @Override
    protected void perform() {
        wakeDue();
        long tail = ring.tailAcquire();
        HubConsumer arrived = arrivals.latest();
        while (arrived != null) {
            if (arrived.wokenAtTail != tail) {
                arrived.wokenAtTail = tail;
                arrived.wake.run();
            }
            arrived = arrived.nextArrival;
        }
    }

    /** Wakes all that are due. */
    void wakeDue() {
        HubConsumer consumer = due.getAndSet(null);
        while (consumer != null) {
            HubConsumer following = consumer.nextWaiting;
            consumer.nextWaiting = null;
            consumer.previousWaiting = null;
            consumer.isWaiting = false;
            consumer.wake.run();
            consumer = following;
        }
    }
}
