package io.millrace.streams.schedule;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A worker over any executor: its own queue, drained by one thread at a time, timers kept by an event loop.
 *
 * <p><b>Threads:</b> anyone schedules; one executor thread at a time drains. <b>Owned:</b> the queue's front, by the
 * drainer, handed on through {@code state}. <b>Shared:</b> {@code state}, compare-and-set by schedulers after they
 * pushed, written by the drainer before it looks at the queue a last time; {@code runner} and {@code running}, volatile,
 * written by the drainer, read by who disposes; {@code handOver}, plain: a thread looks there for its own only, and has written that itself. <b>States:</b> IDLE -> SCHEDULED by the one who hands the lane to the
 * executor; SCHEDULED -> IDLE by the drainer that found the queue empty, or by the one whom the executor refused.
 * <b>Proved by:</b> SchedulerRaceTest, ShutdownTest.
 */
final class ExecutorLane extends Lane implements Runnable {
    private static final int IDLE = 0;
    private static final int SCHEDULED = 1;
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(ExecutorLane.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Executor executor;
    private final EventLoop timers;
    private final boolean interrupts;
    private final TaskQueue queue = new TaskQueue(this);
    private volatile @Nullable Thread runner;
    private volatile @Nullable Task running;
    private @Nullable HandOver handOver;

    @SuppressWarnings("UnusedVariable") // read through its handle
    private volatile int state = IDLE;

    /** The lane is given to the executor at the end of a run, which may take it on the same thread at once. */
    private static final class HandOver {
        private @Nullable Thread thread = Thread.currentThread();
        private boolean cameBack;
    }

    ExecutorLane(Executor executor, EventLoop timers, boolean interrupts) {
        this.executor = executor;
        this.timers = timers;
        this.interrupts = interrupts;
    }

    @Override
    void runSoon(Task task) {
        queue.push(task);
        if (STATE.compareAndSet(this, IDLE, SCHEDULED)) {
            handOver(task);
        }
    }

    /** Whether the executor has taken the lane. */
    private boolean handOver(@Nullable Task task) {
        try {
            executor.execute(this);
            return true;
        } catch (RuntimeException | Error refused) {
            if (refuseQueued(task, refused)) {
                throw refused;
            }
            return false;
        }
    }

    /** Goes behind what else the executor has to run; whether that runs the lane in place, so that this run is to go on instead of a nested one. */
    private boolean comesBack() {
        HandOver own;
        try {
            own = new HandOver();
        } catch (VirtualMachineError noRoom) {
            return true; // what else the executor has to run waits for one turn more
        }
        handOver = own;
        boolean taken = handOver(null);
        own.thread = null;
        return taken && own.cameBack;
    }

    /**
     * Whether the caller's own task is refused, which it is not if it has been run meanwhile. What others queued behind the
     * refused hand-over would never run: it is cancelled and reported.
     */
    private boolean refuseQueued(@Nullable Task own, Throwable refused) {
        boolean others = false;
        boolean ownRefused = false;
        do {
            for (Task task = queue.poll(); task != null; task = queue.poll()) {
                if (task == own) {
                    ownRefused = true;
                } else {
                    others |= !task.isOver();
                    task.discard();
                    dropped(task);
                }
            }
            state = IDLE;
        } while (!queue.isEmpty() && STATE.compareAndSet(this, IDLE, SCHEDULED));
        if (others) {
            report(refused);
        }
        return ownRefused;
    }

    @Override
    void runAtDeadline(Task task) {
        timers.submit(task);
    }

    @Override
    public void run() {
        HandOver around = handOver;
        if (around != null && around.thread == Thread.currentThread()) {
            around.cameBack = true;
            return;
        }
        boolean goesOn = true;
        while (goesOn) {
            goesOn = hasMoreAfterTurn() && comesBack();
        }
    }

    /** Runs some tasks; whether there may be more, so that the lane is not at rest. */
    private boolean hasMoreAfterTurn() {
        runner = Thread.currentThread();
        for (int ran = 0; ran < EventLoop.TURN_TASKS; ran++) {
            Task task = queue.poll();
            if (task == null) {
                if (rest()) {
                    return false;
                }
            } else {
                runOne(task);
            }
        }
        runner = null;
        return true;
    }

    private boolean rest() {
        runner = null;
        state = IDLE;
        boolean resting = queue.isEmpty() || !STATE.compareAndSet(this, IDLE, SCHEDULED);
        if (!resting) {
            runner = Thread.currentThread();
        }
        return resting;
    }

    private void runOne(Task task) {
        running = task;
        task.run();
        running = null;
        // An interrupt meant for this task, late or left over, must not reach the next one.
        if (interrupts && Thread.interrupted()) {
            Thread.onSpinWait();
        }
    }

    @Override
    boolean isArming() {
        return timers.isArming();
    }

    @Override
    boolean isClosed() {
        return timers.isClosed();
    }

    @Override
    void disposing(boolean hadTimers) {
        Task current = running;
        if (current != null) {
            current.dispose();
        }
        if (hadTimers) {
            timers.forget(this);
        }
    }

    @Override
    @Nullable
    Thread interruptible() {
        return interrupts ? runner : null;
    }

    @Override
    void interruptRunner() {
        Thread current = runner;
        if (current != null) {
            current.interrupt();
        }
    }

    @Override
    void cancelled(Task task) {
        if (task.isTimer()) {
            timers.countCancelled(1);
        }
    }

    @Override
    void dropped(Task task) {
        if (task.isTimer()) {
            timers.countDropped();
        }
    }
}
