package io.millrace.streams.hub.stage;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Those who have news for their hub: a stack that anyone pushes on and the hub takes whole.
 *
 * <p>R. K. Treiber's stack; as it is only taken whole, a node cannot come back under a pushing thread's feet.
 *
 * <p><b>Threads:</b> the islands of consumers and producers push, the hub's island takes and closes. <b>Shared:</b>
 * {@code top}, compare-and-set. <b>States:</b> empty, or nodes linked by {@code nextArrival}, or closed for good.
 * <b>Proved by:</b> BroadcastHubStressTest, MergeHubStressTest, PartitionHubStressTest.
 */
final class HubArrivals<N extends HubArrival<N>> {
    private static final Object CLOSED = new Object();

    private final AtomicReference<@Nullable Object> top = new AtomicReference<>();
    private Runnable wakeHub = () -> {};

    /** Sets how arrivals wake the hub, before the hub is handed out. */
    void wakeHubWith(Runnable wake) {
        wakeHub = wake;
    }

    /** Has the hub look even though nobody has arrived. */
    void wakeHub() {
        wakeHub.run();
    }

    /** Brings a node to the hub; false when there is no hub any more. */
    @SuppressWarnings("unchecked")
    boolean push(N node) {
        while (true) {
            Object seen = top.get();
            if (seen == CLOSED) {
                return false;
            }
            node.nextArrival = (N) seen;
            if (top.compareAndSet(seen, node)) {
                if (seen == null) {
                    wakeHub();
                }
                return true;
            }
        }
    }

    /** The latest that has arrived and has not been taken, or null; any thread may look, and may miss what is taken meanwhile. */
    @Nullable
    @SuppressWarnings("unchecked")
    N latest() {
        Object seen = top.get();
        return seen == CLOSED ? null : (N) seen;
    }

    /** Takes all, the latest first, linked by {@code nextArrival}; the hub only. */
    @Nullable
    @SuppressWarnings("unchecked")
    N takeAll() {
        return (N) top.getAndSet(null);
    }

    /** Takes all for the last time; the hub only, once. */
    @Nullable
    @SuppressWarnings("unchecked")
    N close() {
        return (N) top.getAndSet(CLOSED);
    }

    /** The same nodes, the earliest first. */
    static <N extends HubArrival<N>> @Nullable N earliestFirst(@Nullable N latest) {
        N reversed = null;
        N at = latest;
        while (at != null) {
            N earlier = at.nextArrival;
            at.nextArrival = reversed;
            reversed = at;
            at = earlier;
        }
        return reversed;
    }
}
