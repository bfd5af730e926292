package io.millrace.streams.schedule;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One task in one object: what to run, its disposable, its link in the queue or in its lane's list of timers, and its place among them.
 * Collectors copy many that wait: it is 40 bytes.
 *
 * <p><b>Threads:</b> anyone disposes; the lane's current thread runs it; the timer thread arms it.
 *
 * <p><b>Owned:</b> by whoever holds the task after taking it from a queue: deadline, sequence, links; among the timers that is
 * the timer thread.
 *
 * <p><b>Shared:</b> {@code payload}, compare-and-set by all, is payload and state at once; in a queue {@code after} is published
 * by {@link TaskQueue} with release and read there with acquire.
 *
 * <p><b>States:</b> action -> RUNNING when its lane takes it; action -> CANCELLED by dispose, or by discard, which tells
 * the action; RUNNING -> DONE when it returns or throws, RUNNING -> action when it is periodic; RUNNING -> CANCELLED by
 * dispose where nobody interrupts, RUNNING -> INTERRUPTING -> CANCELLED by dispose from outside on an interruptible lane.
 *
 * <p><b>Proved by:</b> SchedulerRaceTest.
 */
class Task extends LinkedDisposable {
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
    static final int NOT_ARMED = Integer.MIN_VALUE;
    private static final int NOT_TIMED = Integer.MIN_VALUE + 1;

    final Lane lane;

    /** On the scheduler's clock; zero for a task that never waits for a time; before an untimed one is armed, how long it waits. */
    long deadlineNanos;

    /** Zero: runs when its turn comes; negative: must go to the timers first; else its number among the timers. */
    int sequence;

    private volatile Object payload;

    Task(Lane lane, Runnable action, long deadlineNanos) {
        this.lane = lane;
        this.payload = action;
        this.deadlineNanos = deadlineNanos;
        this.sequence = deadlineNanos == NO_DEADLINE ? 0 : NOT_ARMED;
    }

    /** A timer that waits so long from when the thread that arms it reads the clock, soon. */
    static Task untimed(Lane lane, Runnable action, long waitNanos) {
        Task task = new Task(lane, action, waitNanos);
        task.sequence = NOT_TIMED;
        return task;
    }

    final boolean isUntimed() {
        return sequence == NOT_TIMED;
    }

    /** Sets the deadline of an untimed task. */
    final void startAt(long nowNanos) {
        deadlineNanos = nonZero(nowNanos + deadlineNanos);
    }

    /** Has a new timer that took its own time wait at least as long as if it had been untimed, so that equal waits keep their order. */
    void startNotBefore(long nanos) {}

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
        Object taken = payload;
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
        while (payload == Mark.INTERRUPTING) {
            Thread.onSpinWait();
        }
        return false;
    }

    @Override
    public final void dispose() {
        while (true) {
            Object seen = payload;
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
        Object seen = payload;
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
        payload = Mark.CANCELLED;
        return true;
    }

    /** Whether its payload is gone for good; a task of a disposed lane still has it until it is thrown out. */
    final boolean isOver() {
        Object seen = payload;
        return !(seen instanceof Runnable) && seen != Mark.RUNNING;
    }

    @Override
    public final boolean isDisposed() {
        Object seen = payload;
        return seen instanceof Runnable ? lane.isDisposed() : seen != Mark.RUNNING;
    }
}
