package io.millrace.streams.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * What a thread runs at this moment, and how long its loops may go on. A loop over elements takes as many as the turn says;
 * {@link TurnMonitor} lowers that number when the turn has become long, so that the loop ends with the element in hand and no
 * clock is read for each.
 *
 * <p><b>Threads</b>: one thread at a time runs tasks in it; the monitor looks.<br>
 * <b>Owned</b>: everything that is not shared, by the thread that runs the task.<br>
 * <b>Shared</b>: {@code task}: written by the running thread, volatile at the beginning, so that either it sees the monitor asleep
 * or the monitor sees the task; where threads claim turns, by compare-and-set. {@code number}: written by the running thread
 * before {@code task}. {@code isLong}: set by the monitor, volatile, cleared by the running thread at the beginning; one that comes
 * too late makes the next turn a short one. {@code allowed}: written by both; what the monitor loses there it writes again
 * a millisecond later. {@code firstPostponed}: written by the running thread, followed by the monitor.<br>
 * <b>Proved by</b>: LongTurnTest, WorkerPoolStressTest.
 */
final class Turn {
    private static final VarHandle TASK;
    private static final VarHandle NUMBER;
    private static final VarHandle IS_LONG;
    private static final VarHandle FIRST_POSTPONED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            TASK = lookup.findVarHandle(Turn.class, "task", Runnable.class);
            NUMBER = lookup.findVarHandle(Turn.class, "number", int.class);
            IS_LONG = lookup.findVarHandle(Turn.class, "isLong", boolean.class);
            FIRST_POSTPONED = lookup.findVarHandle(Turn.class, "firstPostponed", Postponed.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable Runnable task;
    private int number;
    private volatile boolean isLong;
    private volatile @Nullable Postponed firstPostponed;
    private final Count allowed = new Count();
    private final Count taken = new Count();
    private @Nullable ElementBatch<?> elements;

    /** A number of elements, on a cache line of its own: it may be written for each element, while other threads write theirs. */
    @SuppressWarnings("UnusedVariable") // the rest is distance
    private static final class Count {
        private int elements;
        private long d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15;
    }

    // -------------------------------------------------------------------------------------- the running thread

    /** Begins to run the task. */
    void begin(Runnable running) {
        prepare();
        task = running;
    }

    /** The same for one of several threads that may do so; false when this turn is taken. */
    boolean claim(Runnable running) {
        if (task != null || !TASK.compareAndSet(this, null, running)) {
            return false;
        }
        prepare();
        return true;
    }

    private void prepare() {
        NUMBER.setRelease(this, number + 1);
        IS_LONG.setRelease(this, false);
    }

    /** Whether this is the turn of that task, not of one around it. */
    boolean isOf(Runnable running) {
        return task == running;
    }

    /** The task has ended. */
    void end() {
        TASK.setRelease(this, null);
    }

    /** Whether it has lasted for a millisecond: other events and other islands are to have their turn. */
    boolean isLong() {
        return isLong;
    }

    /** Lets a loop take so many elements, or one in a long turn; what the loop around it may take, for {@link #close}. */
    int open(int atMost) {
        int before = allowed.elements;
        allowed.elements = isLong ? Math.min(1, atMost) : atMost;
        return before;
    }

    /** Ends the loop that was opened last. */
    void close(int before) {
        allowed.elements = isLong ? 0 : before;
    }

    /**
     * Whether the running loop, which has taken so many, may take another one; no, when it is to end with the element in hand. It
     * reads what another thread writes, and yet costs nothing: as what it stores might be the same place for all that the
     * compiler knows, it reads anew each time; an opaque or volatile read would take a fifth of the speed of short loops.
     */
    boolean takesMoreThan(int soFar) {
        taken.elements = soFar;
        return soFar < allowed.elements;
    }

    /** Ends the running loop with the element in hand. */
    void stopTaking() {
        allowed.elements = 0;
    }

    /** Elements are delivered from this run, which is to end early when the turn is long; what was before. */
    @Nullable
    ElementBatch<?> deliver(@Nullable ElementBatch<?> run) {
        ElementBatch<?> before = elements;
        elements = run;
        if (run != null && isLong) {
            run.cut();
        }
        return before;
    }

    /** Puts something off; it is done by the monitor if this turn gets long before it is done. */
    void postpone(Postponed late) {
        if (late.nextPostponed == null) {
            Postponed first = firstPostponed;
            late.nextPostponed = first == null ? late : first;
            FIRST_POSTPONED.setRelease(this, late); // no fence: the monitor comes again
        }
    }

    /** Keeps nothing of what was postponed, before others may have a turn in which they postpone it. */
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
        return task != null;
    }

    /** Changes with every task. */
    int number() {
        return (int) NUMBER.getAcquire(this);
    }

    /** Asks it to end its loops with the element in hand. */
    void askToYield() {
        isLong = true;
        allowed.elements = 0;
        ElementBatch<?> run = elements;
        if (run != null) {
            run.cut();
        }
    }

    /** Does what was put off in it. */
    void performPostponed() {
        Postponed late = firstPostponed;
        while (late != null) {
            late.perform();
            Postponed next = late.nextPostponed;
            late = next == late ? null : next;
        }
    }
}
