package io.millrace.streams.engine.island;

import io.millrace.streams.engine.batch.BatchInput;
import io.millrace.streams.engine.batch.BatchOutput;
import io.millrace.streams.engine.pool.Postponed;
import io.millrace.streams.engine.pool.Turn;
import io.millrace.streams.graph.ContextHook;
import io.millrace.streams.inspect.EdgeSnapshot;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The edge between two islands: a bounded ring of elements with room as demand. Each side works on a batch and
 * publishes once, and signals pass only when a side that had nothing to do has something to do again. To the exit it is
 * an iterator over what has been published. What a chunk has added is published at its end, or by the monitor of turns where
 * a function keeps the entry from that.
 *
 * <p><b>Threads</b>: the upstream island writes (entry), the downstream island reads (exit).<br>
 * <b>Owned</b>: by entry: {@code adding.seen}; by exit: all of {@code taking}.<br>
 * <b>Shared</b>: {@code ring}, {@code adding}, {@code taking}: entry writes the references once, before the first publication. The ring's
 * places: entry writes before it publishes, exit empties before it publishes. {@code adding.at}: entry counts, with release, after it has
 * written; the monitor reads, with acquire. {@code tail}: entry publishes, volatile, or the monitor, by compare-and-set from what it has
 * seen, so that it never goes back; exit reads, volatile.
 * {@code head}: exit publishes, volatile; entry reads, volatile. {@code exitParked}: exit sets it before it looks at
 * tail again; entry reads it after publishing. {@code entryParked}: entry sets it before it looks at head again; exit
 * reads it after publishing. {@code end}: entry, once, after the last publication. {@code cancellation}: exit, once.
 * {@code upstream}, {@code downstream}: where the sides live; a side that is attached late is written by itself after its
 * signal and before it looks at the other's {@code end} or {@code cancellation}, which the other writes before it reads them.<br>
 * <b>States</b>: exit: looking -> parked when the ring is empty, by exit; parked -> looking by either. Entry: filling ->
 * parked when the ring is full, by entry; parked -> filling when at most half is left, by either.<br>
 * <b>Proved by</b>: WakeUpStressTest, BoundaryStressTest.
 */
public final class Boundary extends Postponed implements Iterator<Object>, BatchInput, BatchOutput {
    private static final Object COMPLETED = new Object();
    private static final Side AT_START = new Side();
    private static final VarHandle AT;
    private static final VarHandle TAIL;
    private static final VarHandle HEAD;

    static {
        try {
            AT = MethodHandles.lookup().findVarHandle(Side.class, "at", long.class);
            TAIL = MethodHandles.lookup().findVarHandle(Boundary.class, "tail", long.class);
            HEAD = MethodHandles.lookup().findVarHandle(Boundary.class, "head", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable Island upstream;
    private volatile @Nullable Island downstream;
    private final int capacity;
    private final @Nullable ContextHook hook;
    private @Nullable Object @Nullable [] ring;
    private Side adding = AT_START;
    private Side taking = AT_START;
    private volatile long tail;
    private volatile long head;
    private volatile boolean exitParked;
    private volatile boolean entryParked;
    private volatile @Nullable Object end;
    private volatile @Nullable Throwable cancellation;
    private @Nullable Signal entry;
    private @Nullable Signal exit;
    /** Link of the stream's list of boundaries, set before the launch. */
    @Nullable
    Boundary nextInStream;

    /**
     * Where one side is, and how far the other was when this one looked last; on cache lines of its own, as it is written for each
     * element. The one in which nothing is ever written stands for both until the first element.
     */
    @SuppressWarnings("UnusedVariable") // the rest is distance
    private static final class Side {
        private long at;
        private long seen;
        private long d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14;
    }

    /** An element and the context in which it was handed over. */
    private record Carried(@Nullable Object context, Object element) {}

    public Boundary(@Nullable Island upstream, @Nullable Island downstream, int capacity) {
        this.upstream = upstream;
        this.downstream = downstream;
        this.capacity = capacity;
        Island home = upstream == null ? downstream : upstream;
        hook = home == null ? null : home.engine().contextHook();
    }

    public void setEntry(Signal signal) {
        entry = signal;
    }

    public void setExit(Signal signal) {
        exit = signal;
    }

    /** The entry, whose signal is set, runs in this island; called there before anything else. */
    void attachEntry(Island home) {
        upstream = home;
    }

    /** The exit, whose signal is set, runs in this island; called there before anything else; the entry is told. */
    void attachExit(Island home) {
        downstream = home;
        wakeEntry();
    }

    // ------------------------------------------------------------------------------------------------- entry

    /** So many at most are left in the ring when an entry that found it full is told to go on. */
    private int lowWater() {
        return capacity / 2;
    }

    /** How many elements there is room for. */
    int room() {
        Side own = adding;
        if (own.at - own.seen >= capacity) {
            own.seen = head;
        }
        return (int) (capacity - (own.at - own.seen));
    }

    @Override
    public boolean hasDemand() {
        return hasRoomOrPark();
    }

    @Override
    public int room(int most) {
        return Math.min(most, room());
    }

    @Override
    public void beginBatch(Turn turn) {
        turn.postpone(this);
    }

    /** Adds an element, for which there must be room; the exit sees it once it is published. */
    @Override
    public void push(Object element) {
        @Nullable Object[] places = ring;
        if (places == null) {
            places = open();
        }
        Side own = adding;
        long at = own.at;
        Object carried = hook == null ? element : new Carried(hook.capture(), element);
        places[(int) at & (places.length - 1)] = carried;
        AT.setRelease(own, at + 1);
    }

    /** Makes what a boundary that nothing has passed yet does without. */
    private @Nullable Object[] open() {
        @Nullable Object[] places = new Object[capacity == 1 ? 1 : Integer.highestOneBit(capacity - 1) << 1];
        adding = new Side();
        taking = new Side();
        ring = places;
        return places;
    }

    /** Lets the exit see what was added. */
    @Override
    public void publish() {
        long added = adding.at;
        if (added != tail) {
            if (upstream == downstream) {
                TAIL.setRelease(this, added); // both sides are one thread: nobody parks in between
            } else {
                tail = added;
            }
            if (exitParked) {
                wakeExit();
            }
        }
    }

    /** Lets the exit see what was added, as {@link #publish} does, but from another thread than the entry's. */
    @Override
    protected void perform() {
        long published = tail; // before the count, which is never behind it then
        long added = (long) AT.getAcquire(adding);
        if (added != published && TAIL.compareAndSet(this, published, added) && exitParked) {
            wakeExit();
        }
    }

    /** Whether there is room for one more; if not, the entry is parked and will be signalled. */
    boolean hasRoomOrPark() {
        if (room() > 0) {
            return true;
        }
        publish();
        entryParked = true;
        Side own = adding;
        long taken = head;
        if (own.at - taken > lowWater()) {
            return false;
        }
        own.seen = taken;
        entryParked = false;
        return true;
    }

    void unparkEntry() {
        entryParked = false;
    }

    /** Tells the exit that what was added is all; null for completion. Only the first call counts. */
    @Override
    public void end(@Nullable Throwable failure) {
        if (end == null) {
            publish();
            end = failure == null ? COMPLETED : failure;
            wakeExit();
        }
    }

    @Override
    public @Nullable Throwable cancellation() {
        return cancellation;
    }

    /** Signals the exit, which may do that itself to go on later. */
    void wakeExit() {
        Island home = downstream;
        Signal signal = exit;
        if (home != null && signal != null) {
            exitParked = false;
            home.postNext(signal);
        }
    }

    // -------------------------------------------------------------------------------------------------- exit

    @Override
    public @Nullable Iterator<?> openBatch() {
        return hasNext() ? this : null;
    }

    @Override
    public void closeBatch(int count, @Nullable Throwable thrown) {
        // What was taken is given back as its room.
    }

    @Override
    public boolean isElementAvailable() {
        return hasNext();
    }

    @Override
    public Object grab() {
        return next();
    }

    @Override
    public boolean isElementAvailableOrAsk() {
        return hasNextOrPark();
    }

    @Override
    public void callAgain() {
        wakeExit();
    }

    @Override
    public boolean isOver() {
        return !hasNext() && isDrained();
    }

    @Override
    public boolean hasNext() {
        Side own = taking;
        return own.at != own.seen || refill();
    }

    @Override
    public Object next() {
        Object element = take();
        return hook == null ? element : restored(hook, (Carried) element);
    }

    /** The next element as it lies in the ring. */
    private Object take() {
        @Nullable Object[] places = ring;
        if (places == null || !hasNext()) {
            throw new NoSuchElementException("nothing has come over the boundary");
        }
        Side own = taking;
        int place = (int) own.at & (places.length - 1);
        Object element = places[place];
        if (element == null) {
            throw new IllegalStateException("a boundary has published a place that is empty");
        }
        places[place] = null;
        own.at++;
        if (own.at - head >= capacity - lowWater()) {
            release();
        }
        return element;
    }

    private static Object restored(ContextHook hook, Carried carried) {
        hook.restore(carried.context());
        return carried.element();
    }

    /** Gives back the room of what was taken, and looks for more. */
    private boolean refill() {
        release();
        long published = tail;
        if (published == 0) {
            return false;
        }
        Side own = taking; // after the tail, with which it came
        own.seen = published;
        return own.at != published;
    }

    /** Lets the entry use the room of what was taken. */
    void release() {
        long taken = taking.at;
        if (head != taken) {
            if (upstream == downstream) {
                HEAD.setRelease(this, taken); // as for the tail
            } else {
                head = taken;
            }
            if (entryParked && tail - taken <= lowWater()) {
                wakeEntry();
            }
        }
    }

    /** Whether there is an element; if not, the exit is parked and will be signalled. */
    boolean hasNextOrPark() {
        if (hasNext()) {
            return true;
        }
        exitParked = true;
        if (refill()) {
            exitParked = false;
            return true;
        }
        return false;
    }

    private void wakeEntry() {
        Island home = upstream;
        Signal signal = entry;
        if (home != null && signal != null) {
            entryParked = false;
            home.postNext(signal);
        }
    }

    /** Whether the entry has said that there will be no more. */
    boolean isEnded() {
        return end != null;
    }

    /** Whether the last element was taken and there will be no more. */
    boolean isDrained() {
        return end != null && tail == taking.at;
    }

    /** What ended it; null for completion. */
    @Override
    public @Nullable Throwable failure() {
        return end instanceof Throwable failure ? failure : null;
    }

    /** Gives up what is in the ring and tells the entry. Only the first call counts. */
    @Override
    public void cancel(Throwable cause) {
        if (cancellation == null) {
            cancellation = cause;
            while (hasNext()) {
                take(); // without the hook: nobody gets it
            }
            release();
            wakeEntry();
        }
    }

    /** Whether the exit has taken everything and waits for more; any thread may ask. */
    boolean isExitStarved() {
        return exitParked && tail == head;
    }

    /** Where the exit lives, once it is attached; any thread may ask. */
    @Nullable
    Island exitIsland() {
        return downstream;
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
}
