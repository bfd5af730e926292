package io.millrace.streams.engine.pool;

import io.millrace.streams.schedule.NonBlockingThread;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread of the pool: runs one task after the other, and searches or parks while there is none.
 *
 * <p><b>Threads</b>: itself; {@link Workers} unparks it; the monitor reads the slot and the turn.<br>
 * <b>Owned</b>: {@code inARow}, {@code spinRounds}.<br>
 * <b>Shared</b>: {@code state}: between SEARCHING and RUNNING, and to ENDED, by the worker, release; to and from PARKED under the lock of {@link
 * Workers}, volatile, as the worker reads it without the lock while it is parked. {@code slot} and {@code turn}: see there.<br>
 * <b>States</b>: SEARCHING at first; SEARCHING -> RUNNING when it finds a task; RUNNING -> SEARCHING when there is none; SEARCHING
 * -> PARKED after a search in vain; PARKED -> SEARCHING by who wakes it, or by itself if a task has come before it slept; SEARCHING -> ENDED when the pool is
 * closed and the queue is empty.<br>
 * <b>Proved by</b>: WorkerPoolTest, WorkerPoolStressTest.
 */
final class Worker extends NonBlockingThread {
    private static final int MAX_RUN_NEXT_IN_A_ROW = 16;
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Worker.class, "state", WorkerState.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private enum WorkerState {
        SEARCHING,
        RUNNING,
        PARKED,
        ENDED
    }

    private final WorkerPool pool;
    private final InjectQueue queue;
    private final Workers workers;
    private final TurnMonitor monitor;
    private final SpinPolicy spinPolicy;
    private final Turn turn;
    private final RunNextSlot slot = new RunNextSlot();
    private volatile WorkerState state = WorkerState.SEARCHING;
    private int inARow;
    private int spinRounds;

    Worker(WorkerPool pool, String threadName, Turn turn, SpinPolicy spinPolicy) {
        super(threadName);
        this.pool = pool;
        this.queue = pool.queue();
        this.workers = pool.workers();
        this.monitor = pool.monitor();
        this.turn = turn;
        this.spinPolicy = spinPolicy;
        this.spinRounds = spinPolicy.minRounds();
    }

    boolean isOf(WorkerPool other) {
        return pool == other;
    }

    Turn turn() {
        return turn;
    }

    RunNextSlot slot() {
        return slot;
    }

    @Override
    public void run() {
        Runnable task = search();
        while (task != null) {
            slot.open();
            runOne(task);
            task = null; // a parked worker keeps nothing alive
            task = next();
        }
        workers.end();
        if (workers.areTerminated()) {
            pool.runTheRest();
        }
    }

    private void runOne(Runnable task) {
        monitor.begin(turn, task);
        UncaughtFailures.runReporting(task);
        turn.end();
    }

    private @Nullable Runnable next() {
        Runnable own = slot.take();
        if (own != null && inARow < MAX_RUN_NEXT_IN_A_ROW) {
            inARow++;
            return own;
        }
        inARow = 0;
        if (own != null) {
            queue.add(own);
        }
        Runnable task = queue.poll();
        if (task == null) {
            own = null;
            workers.beginSearch();
            become(WorkerState.RUNNING, WorkerState.SEARCHING);
            task = search();
        } else if (own != null && task != own && workers.isAnyIdle() && !workers.isAnySearching()) {
            workers.wakeOne();
        }
        return task;
    }

    // ------------------------------------------------------------------------------------------ without a task

    /** The next task, or null if there is none and the pool is closed. The caller has counted this worker as searching. */
    private @Nullable Runnable search() {
        while (true) {
            Runnable task = spin();
            if (task != null) {
                become(WorkerState.SEARCHING, WorkerState.RUNNING);
                if (workers.endSearch() && workers.isAnyIdle() && !queue.isEmpty()) {
                    workers.wakeOne();
                }
                return task;
            }
            if (!park()) {
                become(WorkerState.SEARCHING, WorkerState.ENDED);
                workers.endSearch();
                return null;
            }
        }
    }

    private @Nullable Runnable spin() {
        Runnable task = queue.poll();
        if (task != null) {
            return task;
        }
        for (int round = 0; task == null && round < spinRounds && workers.maySpin(); round++) {
            Thread.onSpinWait();
            task = queue.poll();
        }
        if (task != null) {
            spinRounds = spinPolicy.afterSuccess(spinRounds);
        }
        return task;
    }

    /**
     * Parks until woken, and is counted as searching then; false if the pool is closed and the queue is empty. This class takes the lock itself: to
     * a {@link io.millrace.streams.schedule.BlockingDetector} only a thread that waits in its own class is idle.
     */
    private boolean park() {
        synchronized (workers.lock()) {
            if (workers.areClosed()) {
                return !queue.isEmpty();
            }
            setParked();
            workers.addParked(this);
        }
        workers.endSearch();
        if (!queue.isEmpty() && wakeSelf()) {
            return true;
        }
        long startNanos = System.nanoTime();
        while (state == WorkerState.PARKED) {
            LockSupport.park(pool);
            Thread.interrupted();
        }
        spinRounds = spinPolicy.afterPark(spinRounds, System.nanoTime() - startNanos);
        return true;
    }

    /** Wakes itself, as a task has come; false if another thread was faster. */
    private boolean wakeSelf() {
        synchronized (workers.lock()) {
            return state == WorkerState.PARKED && workers.resumeIfParked(this);
        }
    }

    // ------------------------------------------------------------------------------------------------- states

    private void become(WorkerState from, WorkerState to) {
        requireState(from);
        STATE.setRelease(this, to);
    }

    private void setParked() {
        requireState(WorkerState.SEARCHING);
        state = WorkerState.PARKED;
    }

    /** PARKED -> SEARCHING; called under the lock. */
    void setUnparked() {
        requireState(WorkerState.PARKED);
        state = WorkerState.SEARCHING;
    }

    private void requireState(WorkerState expected) {
        WorkerState actual = state;
        if (actual != expected) {
            throw new IllegalStateException(getName() + " is " + actual + ", not " + expected);
        }
    }
}
