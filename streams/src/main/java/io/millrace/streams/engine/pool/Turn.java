package io.millrace.streams.engine.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a thread runs now, and how many elements its loops may take. {@link TurnMonitor} lowers that number when the turn has become long. So the
 * loop ends with the element in hand, and no clock is read for each element.
 *
 * <p><b>Threads</b>: one thread at a time runs tasks in it; the monitor checks it.<br>
 * <b>Owned</b>: {@code task}, of a worker's turn alone; {@code taken}, {@code elements}, {@code watches}, {@code depth}, {@code watched}, {@code loop}, by the running thread; the monitor reads {@code elements}, {@code watches} and {@code loop}, and may miss a change.<br>
 * <b>Shared</b>: {@code runs}: written by the running thread, volatile at the beginning, so that it sees the monitor parked
 * or the monitor sees that it runs; by compare-and-set where threads claim turns; release at the end. {@code number}: written by the running thread, release, before
 * {@code runs}. {@code isLong}: set by the monitor, volatile, cleared by the running thread at the beginning, release; if the monitor is
 * too late, the next turn is a short one. {@code allowed}: written by both; if the monitor's write is lost, it
 * writes again at its next check. {@code firstPostponed}: written by the running thread, release, read by the monitor.<br>
 * <b>States</b>: free -> running by {@link #begin} or {@link #claim}; running -> free by {@link #end}.<br>
 * <b>Proved by</b>: LongTurnTest, WorkerPoolStressTest.
 */
public final class Turn {
    private static final VarHandle RUNS;
    private static final VarHandle NUMBER;
    private static final VarHandle IS_LONG;
    private static final VarHandle FIRST_POSTPONED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            RUNS = lookup.findVarHandle(Turn.class, "runs", boolean.class);
            NUMBER = lookup.findVarHandle(Turn.class, "number", int.class);
            IS_LONG = lookup.findVarHandle(Turn.class, "isLong", boolean.class);
            FIRST_POSTPONED = lookup.findVarHandle(Turn.class, "firstPostponed", Postponed.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile boolean runs;
    private @Nullable Runnable task;
    private int number;
    private volatile boolean isLong;
    private volatile @Nullable Postponed firstPostponed;
    /** Those of the loops that run, the outermost first; made before the counts, whose distance keeps it apart from the next turn, too. */
    private @Nullable LoopWatch[] watches = new LoopWatch[2];

    private final Count allowed = new Count();
    private final Count taken = new Count();
    private @Nullable Cuttable elements;
    private int depth;
    private int loop;
    /** Loops that looked and are not counted yet. */
    private int watched;

    /** A number of elements on a cache line of its own: it may be written for each element, while other threads write theirs. */
    @SuppressWarnings("UnusedVariable") // the rest is distance
    private static final class Count {
        private int elements;
        private long d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15;
    }

    Turn() {}

    // -------------------------------------------------------------------------------------- the running thread

    /** Begins to run the task. */
    void begin(Runnable running) {
        prepare();
        task = running;
        runs = true;
    }

    /** As {@link #begin} of any task, where several threads may do so; false if another has this turn. */
    boolean claim() {
        if (runs || !RUNS.compareAndSet(this, false, true)) {
            return false;
        }
        prepare();
        return true;
    }

    private void prepare() {
        NUMBER.setRelease(this, number + 1);
        IS_LONG.setRelease(this, false);
    }

    /** Whether this, which is a worker's, is the turn of that task, not of one around it. */
    boolean isOf(Runnable running) {
        return task == running;
    }

    /** The task has ended. */
    void end() {
        task = null;
        RUNS.setRelease(this, false);
    }

    /** Whether it has lasted for a millisecond: other events and other tasks are to have their turn. */
    public boolean isLong() {
        return isLong;
    }

    /** Begins a loop over so many elements at most, or over one in a long turn; gives what to hand to {@link #close} after it. */
    public int open(int atMost) {
        int before = allowed.elements;
        allowed.elements = isLong ? Math.min(1, atMost) : atMost;
        return before;
    }

    /** How many elements the loop that was opened last may take in all. */
    public int allowed() {
        return allowed.elements;
    }

    /** Ends the loop that was opened last. */
    public void close(int before) {
        allowed.elements = isLong ? 0 : before;
    }

    /**
     * Whether the loop, which has taken so many elements, may take another; no, if it is to end with the element in hand. The read is
     * plain, though another thread writes there. The compiler must read again each time, as for all it knows the store
     * before it may be to the same place. An opaque or volatile read would take a fifth of the speed of short loops.
     */
    public boolean takesMoreThan(int soFar) {
        taken.elements = soFar;
        return soFar < allowed.elements;
    }

    /**
     * Begins a loop over so many elements at most that looks at {@link #takesMoreThan} only if its watch is on. It ends with {@link #leave}.
     */
    public void enter(LoopWatch watch, int atMost) {
        if (atMost > 1) {
            if (watch.isOn()) {
                watched++;
                if (watched == LoopWatch.COUNTED_AT_ONCE) {
                    watched = 0;
                    watch.count();
                }
            }
            if (depth == watches.length) {
                watches = Arrays.copyOf(watches, 2 * depth);
            }
            watches[depth] = watch;
            if (depth == 0) {
                loop++;
            }
            depth++;
        }
    }

    /** Ends a loop over so many elements at most. */
    public void leave(int atMost) {
        if (atMost > 1) {
            depth--;
            watches[depth] = null;
        }
    }

    /** Ends the loop with the element in hand. */
    public void stopTaking() {
        allowed.elements = 0;
    }

    /** Begins to deliver these elements, which are cut short if the turn gets long; gives what was there before. */
    @Nullable
    public Cuttable deliver(@Nullable Cuttable batch) {
        Cuttable before = elements;
        elements = batch;
        if (batch != null && isLong) {
            batch.cut();
        }
        return before;
    }

    /** Postpones work. The monitor does it if this turn gets long first. */
    public void postpone(Postponed late) {
        if (late.nextPostponed == null) {
            Postponed first = firstPostponed;
            late.nextPostponed = first == null ? late : first;
            FIRST_POSTPONED.setRelease(this, late); // no fence: the monitor comes again
        }
    }

    /** Forgets what was postponed, before another turn may postpone it. */
    void forgetPostponed() {
        Postponed late = firstPostponed;
        if (late == null) {
            return;
        }
        FIRST_POSTPONED.setRelease(this, null);
        Postponed next = late.nextPostponed;
        while (next != null) {
            late.nextPostponed = null;
            if (next == late) {
                return;
            }
            late = next;
            next = late.nextPostponed;
        }
    }

    // ---------------------------------------------------------------------------------------------- the monitor

    boolean isRunning() {
        return runs;
    }

    /** Changes with every task. */
    int number() {
        return (int) NUMBER.getAcquire(this);
    }

    /** Marks it as long, and has its loops end with the element in hand. */
    void askToYield() {
        isLong = true;
        allowed.elements = 0;
        Cuttable batch = elements;
        if (batch != null) {
            batch.cut();
        }
    }

    /** Changes with every outermost loop. */
    int loop() {
        return loop;
    }

    /** Has the loops that run look before each element. */
    void watchLoops() {
        for (LoopWatch watch : watches) {
            if (watch != null) {
                watch.turnOn();
            }
        }
    }

    /** Does the work that was postponed. */
    void performPostponed() {
        Postponed late = firstPostponed;
        while (late != null) {
            late.perform();
            Postponed next = late.nextPostponed;
            late = next == late ? null : next;
        }
    }
}
