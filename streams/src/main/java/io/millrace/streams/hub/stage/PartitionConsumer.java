package io.millrace.streams.hub.stage;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One consumer of a partition hub: a bounded queue from the hub's island to the consumer's.
 *
 * <p><b>Threads:</b> the hub's island offers, admits and, after the consumer has left, takes back; the consumer's island
 * polls, waits and leaves.
 *
 * <p><b>Owned:</b> by the hub: {@code index}, {@code accounted}, {@code isFull}. By the consumer until it has left:
 * {@code taken}. {@code slots}: made by the hub before the first element is counted in.
 *
 * <p><b>Shared:</b> {@code produced}: hub, volatile after the slot, which then reads {@code isWaiting}; the consumer sets
 * {@code isWaiting} and then reads {@code produced}, so that one sees the other. {@code taken}: consumer by release after
 * it has read the slot, hub by acquire before it writes the slot again. {@code hasLeft}: consumer, before it queues itself
 * for the last time. {@code isAdmitted}: hub, after it has taken back what others left, which it says by the hub's {@code isSealed}; the
 * consumer reads it before that. {@code queued}: set by the consumer, which then joins the arrivals; cleared by the hub, which then
 * reads, so that either the hub sees the news or the consumer queues itself again.
 *
 * <p><b>States:</b> NEW -> LIVE when the hub admits it; NEW or LIVE -> GONE when it has left; by the hub.
 *
 * <p><b>Proved by:</b> PartitionHubStressTest.
 */
final class PartitionConsumer<T> extends HubArrival<PartitionConsumer<T>> {
    private static final VarHandle QUEUED;
    private static final VarHandle WAITING;
    private static final VarHandle TAKEN;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            QUEUED = lookup.findVarHandle(PartitionConsumer.class, "queued", boolean.class);
            WAITING = lookup.findVarHandle(PartitionConsumer.class, "isWaiting", boolean.class);
            TAKEN = lookup.findVarHandle(PartitionConsumer.class, "taken", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** What the hub makes of a consumer. */
    enum State {
        NEW,
        LIVE,
        GONE
    }

    final long id;
    final Runnable wake;

    State state = State.NEW;
    long accounted;
    boolean isFull;

    private final int capacity;
    private final int mask;
    private @Nullable Object @Nullable [] slots;

    @SuppressWarnings("UnusedVariable") // written through its handle
    private long taken;

    private volatile long produced;
    private volatile boolean hasLeft;

    @SuppressWarnings("UnusedVariable") // used through its handle
    private volatile boolean queued;

    private volatile boolean isWaiting;
    private volatile boolean isAdmitted;

    PartitionConsumer(long id, int capacity, Runnable wake) {
        this.id = id;
        this.capacity = capacity;
        this.mask = Integer.highestOneBit(Math.max(1, capacity * 2 - 1)) - 1;
        this.wake = wake;
    }

    int queued() {
        return (int) (produced - (long) TAKEN.getAcquire(this));
    }

    boolean hasRoom() {
        return queued() < capacity;
    }

    // --------------------------------------------------------------------------------------------- the hub's island

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
        wakeIfWaiting();
    }

    private void wakeIfWaiting() {
        if (isWaiting && WAITING.compareAndSet(this, true, false)) {
            wake.run();
        }
    }

    /** The hub has it, and has taken back before what those that left earlier had not taken. */
    void admit() {
        state = State.LIVE;
        isAdmitted = true;
    }

    /** From now on the consumer queues itself again when it has news. */
    void unqueue() {
        queued = false;
    }

    boolean hasLeft() {
        return hasLeft;
    }

    // ---------------------------------------------------------------------------------------- the consumer's island

    /** The oldest element, or null when there is none; the hub calls it after the consumer has left. */
    @Nullable
    @SuppressWarnings("unchecked")
    T poll() {
        long at = taken;
        @Nullable Object[] ring = at == produced ? null : slots;
        if (ring == null) {
            return null;
        }
        int index = (int) at & mask;
        T element = (T) ring[index];
        ring[index] = null;
        TAKEN.setRelease(this, at + 1);
        return element;
    }

    /** Has the hub wake the consumer with its next element; false when there is one already. */
    boolean awaitNext() {
        isWaiting = true;
        return taken == produced || !WAITING.compareAndSet(this, true, false);
    }

    /** Whether the hub has it, so that what the hub says about the elements that are left concerns it. */
    boolean isAdmitted() {
        return isAdmitted;
    }

    void leave() {
        hasLeft = true;
    }

    /** True when the consumer must be brought to the hub, which has not been told of it. */
    boolean mustQueue() {
        VarHandle.fullFence(); // a try that fails orders nothing: the hub, as it unqueues it, must then see what was
        // taken
        return QUEUED.compareAndSet(this, false, true);
    }
}
