package io.millrace.streams.hub.stage;

import io.millrace.streams.engine.batch.ElementBatch;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The elements of a broadcast hub by position: a ring that one thread fills and many read.
 *
 * <p><b>Threads:</b> the hub's island appends; consumers' islands read.
 *
 * <p><b>Shared:</b> {@code tail}, the position after the last element: hub by release after the slot, consumers by
 * acquire. {@code reserved}, the position after the element being written: hub before the slot. Slots: hub by release,
 * so that who reads an overwritten element by acquire also sees what the hub did before it overwrote: the new
 * {@code reserved}, and the eviction of the consumer. A consumer in the wheel is never overwritten and reads plainly.
 *
 * <p><b>Proved by:</b> BroadcastHubStressTest.
 */
final class HubRing<T> {
    private static final VarHandle SLOTS = MethodHandles.arrayElementVarHandle(Object[].class);
    private static final VarHandle TAIL;
    private static final VarHandle RESERVED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            TAIL = lookup.findVarHandle(HubRing.class, "tail", long.class);
            RESERVED = lookup.findVarHandle(HubRing.class, "reserved", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final @Nullable Object[] slots;
    private final int mask;
    private final long firstPosition;
    private long tail;

    @SuppressWarnings("UnusedVariable") // read through its handle
    private long reserved;

    HubRing(int size, long firstPosition) {
        this.slots = new @Nullable Object[size];
        this.mask = size - 1;
        this.firstPosition = firstPosition;
        this.tail = firstPosition;
        this.reserved = firstPosition;
    }

    int size() {
        return slots.length;
    }

    /** Writes the next element; the hub only, and only when no consumer in the wheel needs the one it overwrites. */
    void append(T element) {
        long position = tail;
        RESERVED.setRelease(this, position + 1);
        SLOTS.setRelease(slots, (int) position & mask, element);
        TAIL.setRelease(this, position + 1);
    }

    /** The tail as its own writer sees it; the hub only. */
    long tailPlain() {
        return tail;
    }

    long tailAcquire() {
        return (long) TAIL.getAcquire(this);
    }

    /** For reading elements that cannot be overwritten now and that lie before a tail seen by acquire. */
    ElementBatch<T> run() {
        return new ElementBatch<>(slots);
    }

    /** What is in the slot of a position; the caller checks afterwards whether it was overwritten. */
    @SuppressWarnings({"unchecked", "NullAway"}) // written once and not null
    T elementAcquire(long position) {
        return (T) SLOTS.getAcquire(slots, (int) position & mask);
    }

    /** The oldest position whose slot was not overwritten, nor is being overwritten now. */
    long oldestAcquire() {
        long written = (long) RESERVED.getAcquire(this);
        long appended = written - firstPosition;
        // After a wrap of all 64 bits the difference turns negative, which also means that the ring is full.
        return appended >= 0 && appended < slots.length ? firstPosition : written - slots.length;
    }

    /** The elements from a position to the tail, as a copy; the hub only. */
    @Nullable
    Object[] copyFrom(long position) {
        @Nullable Object[] copy = new @Nullable Object[(int) (tail - position)];
        for (int i = 0; i < copy.length; i++) {
            copy[i] = slots[(int) (position + i) & mask];
        }
        return copy;
    }
}
