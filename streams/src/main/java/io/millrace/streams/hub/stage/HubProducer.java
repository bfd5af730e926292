package io.millrace.streams.hub.stage;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One producer of a merge hub: a bounded queue from its island to the hub's, and its links in the hub's lists.
 *
 * <p><b>Threads:</b> the producer's island offers and ends; the hub's island admits, polls and removes.
 *
 * <p><b>Owned:</b> by the hub: {@code taken}, {@code state}, the links of its lists. By the producer: {@code slots} until
 * the first element is counted in.
 *
 * <p><b>Shared:</b> {@code produced}, the number of elements ever offered: producer volatile after the slot, then it tries
 * to set {@code queued}; the hub clears {@code queued} and then reads {@code produced} and {@code hasEnded}, so that one
 * sees the other. {@code credited}, how many were taken as told to the producer: hub volatile and then it reads
 * {@code isStalled}; the producer sets {@code isStalled} and then reads {@code credited}. {@code hasEnded} and
 * {@code failure}: producer, after its last element.
 *
 * <p><b>States:</b> NEW -> LIVE or GONE when the hub admits or refuses it; LIVE -> GONE when it has ended and is empty, or
 * the hub ends. <b>Proved by:</b> MergeHubStressTest.
 */
final class HubProducer<T> extends HubArrival<HubProducer<T>> {
    private static final VarHandle QUEUED;
    private static final VarHandle STALLED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            QUEUED = lookup.findVarHandle(HubProducer.class, "queued", boolean.class);
            STALLED = lookup.findVarHandle(HubProducer.class, "isStalled", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** What the hub makes of a producer. */
    enum State {
        NEW,
        LIVE,
        GONE
    }

    final Runnable wake;

    @Nullable
    HubProducer<T> nextTurn;

    @Nullable
    HubProducer<T> previous;

    @Nullable
    HubProducer<T> next;

    private final int capacity;
    private final int creditEvery;
    private final int mask;
    private @Nullable Object @Nullable [] slots;
    private long taken;
    private volatile State state = State.NEW;
    private volatile long produced;
    private volatile long credited;
    private volatile boolean hasEnded;
    private volatile @Nullable Throwable failure;

    @SuppressWarnings("UnusedVariable") // used through its handle
    private volatile boolean queued;

    @SuppressWarnings("UnusedVariable") // used through its handle
    private volatile boolean isStalled;

    HubProducer(int capacity, Runnable wake) {
        this.capacity = capacity;
        this.creditEvery = (capacity + 1) / 2;
        this.mask = Integer.highestOneBit(Math.max(1, capacity * 2 - 1)) - 1;
        this.wake = wake;
    }

    State state() {
        return state;
    }

    void state(State following) {
        state = following;
    }

    // ---------------------------------------------------------------------------------------- the producer's island

    /** Adds an element; only when there is room. */
    void offer(T element) {
        @Nullable Object[] ring = slots;
        if (ring == null) {
            ring = new @Nullable Object[mask + 1];
            slots = ring;
        }
        long at = produced;
        ring[(int) at & mask] = element;
        produced = at + 1;
    }

    boolean hasRoom() {
        return produced - credited < capacity;
    }

    /** Whether there is room; if not, the hub wakes the producer when it has taken half of what it holds. */
    boolean hasRoomOrStalls() {
        if (hasRoom()) {
            return true;
        }
        isStalled = true;
        return hasRoom() && STALLED.compareAndSet(this, true, false);
    }

    void end(@Nullable Throwable how) {
        failure = how;
        hasEnded = true;
    }

    /** True when the producer must be brought to the hub, which has not been told of it. */
    boolean mustQueue() {
        return !queued && QUEUED.compareAndSet(this, false, true);
    }

    // --------------------------------------------------------------------------------------------- the hub's island

    /** The hub has no more use for the producer for now; it queues itself again when it has news. */
    void unqueue() {
        queued = false;
    }

    boolean hasElements() {
        return produced != taken;
    }

    boolean hasEnded() {
        return hasEnded;
    }

    boolean hasNews() {
        return hasElements() || hasEnded;
    }

    @Nullable
    Throwable failure() {
        return failure;
    }

    /** Takes the oldest element; only when there is one. */
    @SuppressWarnings("unchecked")
    T poll() {
        @Nullable Object[] ring = slots;
        int index = (int) taken & mask;
        Object element = ring == null ? null : ring[index];
        if (ring == null || element == null) {
            throw new IllegalStateException("the producer has no element");
        }
        ring[index] = null;
        taken++;
        if (taken - credited >= creditEvery) {
            credit();
        }
        return (T) element;
    }

    private void credit() {
        credited = taken;
        if (isStalled && STALLED.compareAndSet(this, true, false)) {
            wake.run();
        }
    }
}
