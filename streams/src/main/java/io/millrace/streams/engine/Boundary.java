package io.millrace.streams.engine;

import io.millrace.streams.EdgeSnapshot;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The edge between two islands: a bounded ring of elements with room as demand, so that signals pass only when a side
 * that had nothing to do has something to do again.
 *
 * <p><b>Threads</b>: the upstream island writes (entry), the downstream island reads (exit).<br>
 * <b>Owned</b>: by entry: {@code ring} until the first element is published; by exit: nothing.<br>
 * <b>Shared</b>: {@code tail}: entry writes, volatile, after the element is in the ring; exit reads, volatile.
 * {@code head}: exit writes, release, after the place is empty, and with a full fence every half ring; entry reads,
 * acquire. {@code exitParked}: exit sets it before it looks at tail again; entry reads it after writing tail.
 * {@code entryParked}: entry sets it before it looks at head again; exit reads it after the fence every half ring.
 * {@code end}: entry, once, after the last element. {@code cancellation}: exit, once.<br>
 * <b>States</b>: exit: looking -> parked when the ring is empty, by exit; parked -> looking by either. Entry: filling ->
 * parked when the ring is full, by entry; parked -> filling when at most half is left, by either.<br>
 * <b>Proved by</b>: WakeUpStressTest.
 */
final class Boundary {
    private static final Object COMPLETED = new Object();
    private static final VarHandle HEAD;
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(Object[].class);

    static {
        try {
            HEAD = MethodHandles.lookup().findVarHandle(Boundary.class, "head", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Island upstream;
    private final Island downstream;
    private final int capacity;
    private final int lowWater;
    private final int checkMask;
    private @Nullable Object @Nullable [] ring;
    private volatile long tail;

    @SuppressWarnings("UnusedVariable")
    private long head;

    private volatile boolean exitParked;
    private volatile boolean entryParked;
    private volatile @Nullable Object end;
    private volatile @Nullable Throwable cancellation;
    private @Nullable Signal entry;
    private @Nullable Signal exit;

    Boundary(Island upstream, Island downstream, int capacity) {
        this.upstream = upstream;
        this.downstream = downstream;
        this.capacity = capacity;
        lowWater = capacity / 2;
        checkMask = Integer.highestOneBit(Math.max(1, lowWater)) - 1;
    }

    void setEntry(Signal signal) {
        entry = signal;
    }

    void setExit(Signal signal) {
        exit = signal;
    }

    // ------------------------------------------------------------------------------------------------- entry

    /** Adds an element, for which there must be room. */
    void offer(Object element) {
        Object[] places = ring;
        if (places == null) {
            places = new Object[capacity == 1 ? 1 : Integer.highestOneBit(capacity - 1) << 1];
            ring = places;
        }
        long position = tail;
        CELL.setRelease(places, (int) position & (places.length - 1), element);
        tail = position + 1;
        if (exitParked) {
            wakeExit();
        }
    }

    /** Whether there is room for one more; if not, the entry is parked and will be signalled. */
    boolean hasRoomOrPark() {
        if (size() < capacity) {
            return true;
        }
        entryParked = true;
        if (size() > lowWater) {
            return false;
        }
        entryParked = false;
        return true;
    }

    void unparkEntry() {
        entryParked = false;
    }

    /** Tells the exit that this was all; null for completion. */
    void end(@Nullable Throwable failure) {
        end = failure == null ? COMPLETED : failure;
        wakeExit();
    }

    @Nullable
    Throwable cancellation() {
        return cancellation;
    }

    private void wakeExit() {
        exitParked = false;
        Signal signal = exit;
        if (signal != null) {
            downstream.post(signal);
        }
    }

    // -------------------------------------------------------------------------------------------------- exit

    /** The next element; null if there is none, and then the exit is parked and will be signalled. */
    @Nullable
    Object pollOrPark() {
        Object element = poll();
        if (element == null) {
            exitParked = true;
            element = poll();
            if (element != null) {
                exitParked = false;
            }
        }
        return element;
    }

    private @Nullable Object poll() {
        long position = (long) HEAD.getOpaque(this);
        if (tail == position) {
            return null;
        }
        Object[] places = ring;
        if (places == null) {
            throw new IllegalStateException("a boundary has elements but no ring");
        }
        int place = (int) position & (places.length - 1);
        Object element = CELL.getAcquire(places, place);
        CELL.setOpaque(places, place, null);
        HEAD.setRelease(this, position + 1);
        if (((position + 1) & checkMask) == 0) {
            wakeEntryIfParked();
        }
        return element;
    }

    private void wakeEntryIfParked() {
        VarHandle.fullFence();
        if (entryParked && size() <= lowWater) {
            wakeEntry();
        }
    }

    private void wakeEntry() {
        entryParked = false;
        Signal signal = entry;
        if (signal != null) {
            upstream.post(signal);
        }
    }

    /** Whether the last element was taken and there will be no more. */
    boolean isDrained() {
        return end != null && tail == (long) HEAD.getOpaque(this);
    }

    /** What ended it; null for completion. */
    @Nullable
    Throwable failure() {
        return end instanceof Throwable failure ? failure : null;
    }

    /** Gives up what is in the ring and tells the entry. */
    void cancel(Throwable cause) {
        cancellation = cause;
        Object dropped;
        do {
            dropped = poll();
        } while (dropped != null);
        wakeEntry();
    }

    /** What it looks like from outside, racily but safely, as an edge between these stages. */
    EdgeSnapshot snapshot(int fromStage, int toStage) {
        EdgeSnapshot.State seen = EdgeSnapshot.State.WAITING_FOR_DEMAND;
        if (end != null || cancellation != null) {
            seen = EdgeSnapshot.State.CLOSED;
        } else if (exitParked) {
            seen = EdgeSnapshot.State.WAITING_FOR_ELEMENT;
        }
        return new EdgeSnapshot(fromStage, toStage, tail, seen);
    }

    private int size() {
        return (int) (tail - (long) HEAD.getAcquire(this));
    }
}
