package io.millrace.streams;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Consumers that have news for their hub: a stack that anyone pushes on and the hub takes whole.
 *
 * <p>R. K. Treiber's stack; as it is only taken whole, a node cannot come back under a pushing thread's feet.
 *
 * <p><b>Threads:</b> consumers' islands push, the hub's island takes and closes. <b>Shared:</b> {@code top},
 * compare-and-set. <b>States:</b> empty, or consumers linked by {@code nextArrival}, or closed for good.
 */
final class HubArrivals {
    private static final Object CLOSED = new Object();

    private final AtomicReference<@Nullable Object> top = new AtomicReference<>();

    /** What became of a push. */
    enum Pushed {
        /** The stack was empty: who pushed wakes the hub. */
        FIRST,
        /** The hub has been woken by another. */
        BEHIND,
        /** There is no hub any more. */
        REFUSED
    }

    Pushed push(HubConsumer consumer) {
        while (true) {
            Object seen = top.get();
            if (seen == CLOSED) {
                return Pushed.REFUSED;
            }
            consumer.nextArrival = (HubConsumer) seen;
            if (top.compareAndSet(seen, consumer)) {
                return seen == null ? Pushed.FIRST : Pushed.BEHIND;
            }
        }
    }

    /** Takes all, the latest first, linked by {@code nextArrival}; the hub only. */
    @Nullable
    HubConsumer takeAll() {
        return (HubConsumer) top.getAndSet(null);
    }

    /** Takes all for the last time; the hub only, once. */
    @Nullable
    HubConsumer close() {
        return (HubConsumer) top.getAndSet(CLOSED);
    }

    boolean isClosed() {
        return top.get() == CLOSED;
    }
}
