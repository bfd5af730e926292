package io.millrace.streams.engine.pool;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * The workers of a pool: how many search, which are parked, and which is woken. To unpark a thread costs more than most tasks. So
 * one worker at a time is woken, only while none searches, and wakes the next when it has found a task: the rule of the
 * schedulers of Go and of Tokio.
 *
 * <p><b>Threads</b>: any thread wakes, interrupts and closes; the workers search, park and end; the monitor reads {@code started}.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code searching}: raised by who wakes, starts or begins to search, lowered by the worker, who then looks at the queue again; read by who
 * has added a task. So one of the two sees the other. {@code idle}: how many are parked or not started; written under the lock, read without it.
 * {@code parked}, {@code endedCount}: under the lock. {@code started}: replaced under the lock. {@code closed}: written
 * under the lock, once. {@code terminated}: by the last worker, before it looks at the queue for the last time; read by who has added a task.<br>
 * <b>States</b>: open -> closed by the user; closed -> terminated by the last worker, or at once if none was started. A worker that cannot be
 * started is taken out of the counts again.<br>
 * <b>Proved by</b>: WorkerPoolTest, WorkerPoolStressTest.
 */
final class Workers {
    private final String name;
    private final int maxWorkers;
    private final int maxSearching;
    private final IntFunction<Worker> maker;
    private final Consumer<Thread> starter;
    private final Object lock = new Object();
    private final AtomicInteger searching = new AtomicInteger();
    private final Deque<Worker> parked = new ArrayDeque<>();
    private volatile Worker[] started = {};
    private int endedCount;
    private volatile int idle;
    private volatile boolean closed;
    private volatile boolean terminated;

    /**
     * @param name of the pool
     * @param maker makes the worker of a number from zero on
     * @param starter starts a thread, or throws
     */
    Workers(String name, int maxWorkers, IntFunction<Worker> maker, Consumer<Thread> starter) {
        this.name = name;
        this.maxWorkers = maxWorkers;
        this.maxSearching = Math.max(1, maxWorkers / 2);
        this.idle = maxWorkers;
        this.maker = maker;
        this.starter = starter;
    }

    /** Those that were started. */
    Worker[] started() {
        return started;
    }

    boolean areClosed() {
        return closed;
    }

    /** Whether all have ended, so that who adds a task has to run it. */
    boolean areTerminated() {
        return terminated;
    }

    /** Whether one is parked or not started, so that it can be woken. */
    boolean isAnyIdle() {
        return idle != 0;
    }

    boolean isAnySearching() {
        return searching.get() != 0;
    }

    /** Whether so few search that those who do may go on. */
    boolean maySpin() {
        return searching.get() <= maxSearching;
    }

    void beginSearch() {
        searching.incrementAndGet();
    }

    /** Whether it was the last one. */
    boolean endSearch() {
        return searching.decrementAndGet() == 0;
    }

    /** Wakes or starts one, unless one searches. */
    void wakeOne() {
        Worker woken;
        synchronized (lock) {
            if (searching.get() != 0) {
                return;
            }
            woken = parked.poll();
            if (woken == null) {
                startOne();
                return;
            }
            resume(woken);
        }
        LockSupport.unpark(woken);
    }

    private void startOne() {
        Worker[] before = started;
        if (before.length == maxWorkers || terminated) {
            return;
        }
        setIdle(idle - 1);
        searching.incrementAndGet();
        try {
            Worker made = maker.apply(before.length);
            Worker[] all = Arrays.copyOf(before, before.length + 1);
            all[before.length] = made;
            started = all;
            starter.accept(made);
        } catch (Throwable t) {
            started = before;
            setIdle(idle + 1);
            searching.decrementAndGet();
            notStarted(t);
        }
    }

    /** The other workers will run the task, which is queued; if there are none, who gave it is told. */
    private void notStarted(Throwable failure) {
        int others = started.length;
        IllegalStateException placed = new IllegalStateException(
                name + " could not start its thread " + (others + 1) + " of " + maxWorkers + ": " + failure, failure);
        if (others == 0) {
            throw placed;
        }
        UncaughtFailures.report(placed);
    }

    /** Interrupts all, so that the functions that they run let go. */
    void interrupt() {
        for (Worker worker : started) {
            worker.interrupt();
        }
    }

    /** Has them end when the queue is empty. */
    void close() {
        synchronized (lock) {
            closed = true;
            terminated |= started.length == 0;
            for (Worker worker : parked) {
                resume(worker);
                LockSupport.unpark(worker);
            }
            parked.clear();
        }
    }

    /** One of them has ended. */
    void end() {
        synchronized (lock) {
            endedCount++;
            terminated |= endedCount == started.length;
        }
    }

    // ------------------------------------------------------------------------------------------- under the lock

    Object lock() {
        return lock;
    }

    /** This one parks. */
    void addParked(Worker worker) {
        parked.push(worker);
        setIdle(idle + 1);
    }

    /** This one goes on; false if it was resumed before. */
    boolean resumeIfParked(Worker worker) {
        if (!parked.remove(worker)) {
            return false;
        }
        resume(worker);
        return true;
    }

    private void resume(Worker worker) {
        setIdle(idle - 1);
        searching.incrementAndGet();
        worker.setUnparked();
    }

    private void setIdle(int count) {
        idle = count;
    }
}
