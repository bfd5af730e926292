package io.millrace.streams.schedule;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * What all workers share: making tasks, refusing them once disposed, and the list of timers that wait for them.
 *
 * <p><b>Threads:</b> anyone schedules and disposes; one timer thread keeps the list. <b>Owned:</b> {@code timers},
 * by the timer thread. <b>Shared:</b> {@code disposed} and {@code hasTimers}, volatile: a scheduling thread
 * writes the second and then reads the first, the disposing one the other way round, so one of them sees the other.
 * <b>States:</b> live -> disposed by {@link #dispose()}, once. <b>Proved by:</b> SchedulerRaceTest.
 */
abstract class Lane implements Worker {
    /** Longer waits are cut to this, some 146 years, so that deadlines can be compared by subtraction. */
    private static final VarHandle DISPOSED;

    static {
        try {
            DISPOSED = MethodHandles.lookup().findVarHandle(Lane.class, "disposed", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final DisposableList timers = new DisposableList();
    private volatile boolean hasTimers;

    @SuppressWarnings("UnusedVariable") // written through its handle
    private volatile boolean disposed;

    /** Queues a task to run; throws when the executor refuses, and leaves the task to the caller then. */
    abstract void runSoon(Task task);

    /** Hands a task to the timers; throws when they are closed, as {@link #runSoon} does. */
    abstract void runAtDeadline(Task task);

    /** Whether the timers are being armed just now, by a thread that will read the clock. */
    boolean isArming() {
        return false;
    }

    /** Whether the scheduler was shut down under this lane. */
    abstract boolean isClosed();

    /** Reacts to the disposal, once; {@code hadTimers} says whether timers may be linked to this lane. */
    abstract void disposing(boolean hadTimers);

    /** A task was cancelled before it ran. */
    void cancelled(Task task) {}

    /** A cancelled task was thrown out. */
    void dropped(Task task) {}

    /** The thread to interrupt when a running task is disposed from outside, or null when this lane never does. */
    @Nullable
    Thread interruptible() {
        return null;
    }

    void interruptRunner() {
        throw new IllegalStateException("this lane never interrupts");
    }

    @Override
    public final Disposable schedule(Runnable task) {
        if (refuses()) {
            return Disposable.disposed();
        }
        return soon(new Task(this, task, Task.NO_DEADLINE));
    }

    @Override
    public final Disposable schedule(Runnable task, Duration delay) {
        long nanos = waitNanos(delay);
        if (nanos == 0) {
            return schedule(task);
        }
        return atDeadline(Task.timer(this, task, nanos, isArming() ? Task.WHEN_ARMED : nowNanos()));
    }

    @Override
    public final Disposable schedulePeriodically(Runnable task, Duration initialDelay, Duration period) {
        long nanos = waitNanos(initialDelay);
        long periodNanos = waitNanos(period);
        Task made = new PeriodicTask(this, task, Task.nonZero(nowNanos() + nanos), periodNanos);
        if (nanos > 0 || periodNanos == 0) { // which an executor that runs tasks in the call would never come back from
            return atDeadline(made);
        }
        made.sequence = 0;
        return refusesTimers() ? Disposable.disposed() : soon(made);
    }

    private Disposable atDeadline(Task task) {
        if (refusesTimers()) {
            return Disposable.disposed();
        }
        try {
            runAtDeadline(task);
        } catch (RejectedExecutionException refused) {
            return disposedOr(refused);
        }
        return task;
    }

    private Disposable soon(Task task) {
        try {
            runSoon(task);
        } catch (RejectedExecutionException refused) {
            return disposedOr(refused);
        }
        return task;
    }

    /** A worker that is disposed meanwhile answers so, whatever refused the task: its own loop may be closed for that. */
    private Disposable disposedOr(RejectedExecutionException refused) {
        if (disposed) {
            return Disposable.disposed();
        }
        throw refused;
    }

    private boolean refusesTimers() {
        if (!hasTimers) {
            hasTimers = true;
        }
        return refuses();
    }

    private boolean refuses() {
        if (disposed) {
            return true;
        }
        if (isClosed()) {
            if (disposed) { // which closes a loop that is the worker's own
                return true;
            }
            throw new RejectedExecutionException("the scheduler is shut down");
        }
        return false;
    }

    /** Reports a refusal that nobody else hears of, unless it is but the shutdown. */
    final void report(Throwable refused) {
        if (!isClosed() || !(refused instanceof RejectedExecutionException)) {
            Uncaught.report(refused);
        }
    }

    static long waitNanos(Duration wait) {
        return Math.max(0, Durations.nanos(wait));
    }

    @Override
    public final void dispose() {
        if (DISPOSED.compareAndSet(this, false, true)) {
            disposing(hasTimers);
        }
    }

    @Override
    public final boolean isDisposed() {
        return disposed || isClosed();
    }

    @Override
    public long nowNanos() {
        return System.nanoTime();
    }

    /** The timers that wait for this lane; the timer thread only. */
    final DisposableList timers() {
        return timers;
    }

    /** Drops the payload of every timer that waits for this lane and says how many; the timer thread only. */
    final int dropTimers() {
        int dropped = 0;
        for (TrackedDisposable timer = timers.removeAny(); timer != null; timer = timers.removeAny()) {
            dropped += ((Task) timer).drop() ? 1 : 0;
        }
        return dropped;
    }
}
