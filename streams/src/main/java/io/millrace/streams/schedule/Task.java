package io.millrace.streams.schedule;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One task in one object: what to run, its disposable, its link in a queue, its place among the timers.
 * Collectors copy many that wait: it is 40 bytes.
 *
 * <p><b>Threads:</b> anyone disposes; the lane's current thread runs it; the timer thread arms it.
 *
 * <p><b>Owned:</b> by whoever holds the task after taking it from a queue: deadline, sequence, place; among the timers that is
 * the timer thread.
 *
 * <p><b>Shared:</b> {@code payload}, compare-and-set by all, is payload and state at once; {@code next} is published by
 * {@link TaskQueue} with release and read there with acquire.
 *
 * <p><b>States:</b> action -> RUNNING when its lane takes it; action -> CANCELLED by dispose, or by discard, which tells
 * the action; RUNNING -> DONE when it returns or throws, RUNNING -> action when it is periodic; RUNNING -> CANCELLED by
 * dispose where nobody interrupts, RUNNING -> INTERRUPTING -> CANCELLED by dispose from outside on an interruptible lane.
 *
 * <p><b>Proved by:</b> SchedulerRaceTest.
 */
class Task extends TrackedDisposable {
    private static final VarHandle PAYLOAD;

    static {
        try {
            PAYLOAD = MethodHandles.lookup().findVarHandle(Task.class, "payload", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private enum Mark {
        RUNNING,
        INTERRUPTING,
        DONE,
        CANCELLED
    }

    static final long NO_DEADLINE = 0;
    static final int NOT_ARMED = -1;

    /** In place of when a new timer was scheduled: when it is armed. A clock that really reads this makes it no earlier. */
    static final long WHEN_ARMED = Long.MIN_VALUE;

    private static final int HALF_BITS = 31;

    final Lane lane;
    volatile @Nullable Task next;

    /**
     * On the scheduler's clock; zero for a task that never waits for a time. Of a new timer, when it was scheduled, until its
     * deadline is set.
     */
    long deadlineNanos;

    /**
     * Zero: runs when its turn comes; negative: must go to the timers first; else its number among the timers. Of a new timer, until
     * its deadline is set, this and the place are the halves of its wait, complemented.
     */
    int sequence;

    @SuppressWarnings("UnusedVariable") // read through its handle; so its first value costs no fence
    private Object payload;

    Task(Lane lane, Runnable action, long deadlineNanos) {
        this.lane = lane;
        this.payload = Objects.requireNonNull(action, "task");
        this.deadlineNanos = deadlineNanos;
        this.sequence = deadlineNanos == NO_DEADLINE ? 0 : NOT_ARMED;
    }

    /** A timer that waits so long, at least 1 ns, from this time on. */
    static Task timer(Lane lane, Runnable action, long waitNanos, long startNanos) {
        Task task = new Task(lane, action, nonZero(startNanos));
        task.place = ~(int) (waitNanos >> HALF_BITS);
        task.sequence = ~(int) (waitNanos & Integer.MAX_VALUE);
        return task;
    }

    /** The place of a timer is its lane's, or a part of its wait. */
    @Override
    boolean isFree() {
        return !isTimer() && super.isFree();
    }

    /** Whether the deadline of this new timer counts from when it is armed. */
    final boolean startsWhenArmed() {
        return deadlineNanos == WHEN_ARMED;
    }

    /** Sets the deadline of a new timer, which counts from this time on at the earliest, so that equal waits keep their order. */
    final void setDeadline(long earliestStartNanos) {
        long waitNanos = ((long) ~place << HALF_BITS) | ~sequence;
        if (waitNanos != 0) {
            boolean early = startsWhenArmed() || earliestStartNanos - deadlineNanos > 0;
            deadlineNanos = nonZero((early ? earliestStartNanos : deadlineNanos) + waitNanos);
            place = NOWHERE;
            sequence = NOT_ARMED;
        }
    }

    private Object payload() {
        return PAYLOAD.getVolatile(this);
    }

    static long nonZero(long nanos) {
        return nanos == NO_DEADLINE ? 1 : nanos;
    }

    final boolean isTimer() {
        return deadlineNanos != NO_DEADLINE;
    }

    /** Runs it unless it was cancelled; only on the lane's current thread. */
    final void run() {
        if (lane.isDisposed()) {
            discard();
        }
        Object taken = payload();
        if (!(taken instanceof Runnable action) || !PAYLOAD.compareAndSet(this, taken, Mark.RUNNING)) {
            lane.dropped(this);
            return;
        }
        try {
            action.run();
        } catch (Throwable thrown) {
            settle(Mark.DONE);
            Uncaught.report(thrown);
            return;
        }
        ran(action);
    }

    /** What follows a run that returned. */
    void ran(Runnable action) {
        settle(Mark.DONE);
    }

    /** Arms it again after a run; false when it was disposed meanwhile. */
    final boolean rearm(Runnable action) {
        return settle(action);
    }

    private boolean settle(Object following) {
        if (PAYLOAD.compareAndSet(this, Mark.RUNNING, following)) {
            return true;
        }
        while (payload() == Mark.INTERRUPTING) {
            Thread.onSpinWait();
        }
        return false;
    }

    @Override
    public final void dispose() {
        while (true) {
            Object seen = payload();
            if (seen instanceof Runnable) {
                if (PAYLOAD.compareAndSet(this, seen, Mark.CANCELLED)) {
                    lane.cancelled(this);
                    return;
                }
            } else if (seen != Mark.RUNNING || disposeRunning()) {
                return;
            }
        }
    }

    /** Disposes it because its lane has ended, and tells a payload that wants to know. */
    final void discard() {
        Object seen = payload();
        if (seen instanceof DroppableTask action && PAYLOAD.compareAndSet(this, seen, Mark.CANCELLED)) {
            lane.cancelled(this);
            tellDropped(action);
        } else {
            dispose();
        }
    }

    private static void tellDropped(DroppableTask action) {
        try {
            action.dropped();
        } catch (Throwable thrown) {
            Uncaught.report(thrown);
        }
    }

    /** Takes the payload of a task that does not run now; false when it was gone. Tells the lane nothing. */
    final boolean drop() {
        return PAYLOAD.getAndSet(this, Mark.CANCELLED) instanceof Runnable;
    }

    private boolean disposeRunning() {
        Thread runner = lane.interruptible();
        if (runner == null || runner == Thread.currentThread()) {
            return PAYLOAD.compareAndSet(this, Mark.RUNNING, Mark.CANCELLED);
        }
        if (!PAYLOAD.compareAndSet(this, Mark.RUNNING, Mark.INTERRUPTING)) {
            return false;
        }
        // Until the mark changes the runner waits in settle, so the interrupt cannot hit a later task.
        lane.interruptRunner();
        PAYLOAD.setVolatile(this, Mark.CANCELLED);
        return true;
    }

    /** Whether its payload is gone for good; a task of a disposed lane still has it until it is thrown out. */
    final boolean isOver() {
        Object seen = payload();
        return !(seen instanceof Runnable) && seen != Mark.RUNNING;
    }

    @Override
    public final boolean isDisposed() {
        Object seen = payload();
        return seen instanceof Runnable ? lane.isDisposed() : seen != Mark.RUNNING;
    }
}
