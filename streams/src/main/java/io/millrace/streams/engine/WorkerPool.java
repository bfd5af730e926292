package io.millrace.streams.engine;

import io.millrace.streams.schedule.NonBlockingThread;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jctools.queues.varhandle.MpmcVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * The runtime's own daemon threads: they share one queue, first in, first out, so that an island that goes back to it for
 * ever cannot keep the others from their turn. Handing over a task allocates nothing while the ring has room.
 *
 * <p>A thread that finds no task searches for a while before it sleeps, for to wake a sleeper costs more than the turn of
 * most islands. One at a time is woken, only while nobody searches, and wakes the next when it has found a task: the
 * rule of the schedulers of Go and of Tokio. How long it searches follows from whether it would have paid lately: at most as
 * long as to sleep and be woken costs, and hardly at all at a low rate, where a search ends in sleep all the same and only
 * keeps the processor from others.
 *
 * <p><b>Threads</b>: any thread executes and closes; the workers run tasks.<br>
 * <b>Owned</b>: {@code searchRounds}: by its worker.<br>
 * <b>Shared</b>: {@code ring} and {@code overflow}, which holds what the ring had no room for, counted in {@code
 * overflowing} before it is added. {@code searching}: who executes reads it after the task is in; a worker lowers it and
 * then looks for tasks once more, so that one of the two sees the other. {@code sleepers}, {@code started}, {@code
 * ended}: under the lock; {@code idle}, which tells whether waking is worth the lock: written under it. {@code closed}:
 * volatile, once; {@code terminated}: by the last worker before it looks a last time, read by who executes after
 * the task is in.<br>
 * <b>States</b> of a worker: searching -> running when it finds a task; running -> searching when there is none;
 * searching -> asleep; asleep -> searching by who wakes it, who also counts it; searching -> ended when closed.<br>
 * <b>Proved by</b>: WorkerPoolStressTest.
 */
final class WorkerPool implements Executor {
    private static final int RING_TASKS = 8192;
    private static final int LEAST_SEARCH_ROUNDS = 8;
    private static final int MOST_SEARCH_ROUNDS = 1024;
    private static final long SHORT_SLEEP_NANOS = 50_000;

    private final String name;
    private final int mostWorkers;
    private final int mostSearching;
    private final MpmcVarHandleArrayQueue<Runnable> ring = new MpmcVarHandleArrayQueue<>(RING_TASKS);
    private final Queue<Runnable> overflow = new ConcurrentLinkedQueue<>();
    private final AtomicInteger overflowing = new AtomicInteger();
    private final AtomicInteger searching = new AtomicInteger();
    private final Object lock = new Object();
    private final Deque<Worker> sleepers = new ArrayDeque<>();
    private int started;
    private int ended;
    private volatile int idle;
    private volatile boolean closed;
    private volatile boolean terminated;

    WorkerPool(String name, int workers) {
        this.name = name;
        this.mostWorkers = workers;
        this.mostSearching = Math.max(1, workers / 2);
        this.idle = workers;
    }

    /** Runs the task on one of the threads; refused when the pool is closed. */
    @Override
    public void execute(Runnable task) {
        if (closed) {
            throw new RejectedExecutionException(name + " is closed");
        }
        add(task);
        if (idle > 0 && searching.get() == 0) {
            wakeOne();
        }
        if (terminated) {
            runTheRest();
        }
    }

    /**
     * The same on a worker whose task ends with this: it will look for the next one itself, so that nobody need be woken
     * unless others are waiting, too.
     */
    void executeAgain(Runnable task) {
        if (hasTasks()) {
            execute(task);
        } else if (closed) {
            throw new RejectedExecutionException(name + " is closed");
        } else {
            add(task);
        }
    }

    private void add(Runnable task) {
        if (overflowing.get() != 0 || !ring.offer(task)) {
            overflowing.incrementAndGet();
            overflow.add(task);
        }
    }

    private @Nullable Runnable poll() {
        Runnable task = ring.poll();
        if (task == null && overflowing.get() != 0) {
            task = overflow.poll();
            if (task != null) {
                overflowing.decrementAndGet();
            }
        }
        return task;
    }

    private boolean hasTasks() {
        return !ring.isEmpty() || overflowing.get() != 0;
    }

    private void wakeOne() {
        Worker woken;
        synchronized (lock) {
            if (searching.get() != 0) {
                return;
            }
            woken = sleepers.poll();
            if (woken == null) {
                startOne();
                return;
            }
            idle(idle - 1);
            searching.incrementAndGet();
            woken.isAsleep = false;
        }
        LockSupport.unpark(woken);
    }

    private void startOne() {
        if (started < mostWorkers && !terminated) {
            started++;
            idle(idle - 1);
            searching.incrementAndGet();
            new Worker(name + "-dispatcher-" + started).start();
        }
    }

    private void idle(int count) {
        idle = count;
    }

    /** Ends the threads once they have run what was given to them. */
    void close() {
        synchronized (lock) {
            closed = true;
            terminated |= started == 0;
            for (Worker sleeper : sleepers) {
                searching.incrementAndGet();
                idle(idle - 1);
                sleeper.isAsleep = false;
                LockSupport.unpark(sleeper);
            }
            sleepers.clear();
        }
    }

    /** What was added after the last worker had looked is run here, for nobody else will. */
    private void runTheRest() {
        Runnable task = poll();
        while (task != null) {
            task.run();
            task = poll();
        }
    }

    /** One thread. */
    private final class Worker extends NonBlockingThread {
        private volatile boolean isAsleep;
        private int searchRounds = LEAST_SEARCH_ROUNDS;

        Worker(String threadName) {
            super(threadName);
        }

        @Override
        public void run() {
            Runnable task = search();
            while (task != null) {
                runOne(task);
                task = poll();
                if (task == null) {
                    searching.incrementAndGet();
                    task = search();
                }
            }
            end();
        }

        private void runOne(Runnable task) {
            try {
                task.run();
            } catch (Throwable t) {
                getUncaughtExceptionHandler().uncaughtException(this, t);
            }
        }

        /** The next task, or null when there is none and the pool is closed; the caller has counted this thread. */
        private @Nullable Runnable search() {
            while (true) {
                Runnable task = lookAround();
                if (task != null) {
                    if (searching.decrementAndGet() == 0 && idle > 0 && hasTasks()) {
                        wakeOne();
                    }
                    return task;
                }
                if (!fallAsleep()) {
                    searching.decrementAndGet();
                    return null;
                }
            }
        }

        private @Nullable Runnable lookAround() {
            Runnable task = poll();
            if (task != null) {
                return task;
            }
            for (int round = 0; task == null && round < searchRounds && searching.get() <= mostSearching; round++) {
                Thread.onSpinWait();
                task = poll();
            }
            if (task != null) {
                adapt(true);
            }
            return task;
        }

        private void adapt(boolean searchingPays) {
            searchRounds = searchingPays
                    ? Math.min(MOST_SEARCH_ROUNDS, searchRounds * 2)
                    : Math.max(LEAST_SEARCH_ROUNDS, searchRounds / 2);
        }

        /** Sleeps until woken, searching again then; false when the pool is closed. */
        private boolean fallAsleep() {
            synchronized (lock) {
                if (closed) {
                    return hasTasks();
                }
                isAsleep = true;
                sleepers.push(this);
                idle(idle + 1);
            }
            searching.decrementAndGet();
            if (hasTasks() && rise()) {
                return true;
            }
            long before = System.nanoTime();
            while (isAsleep) {
                LockSupport.park(WorkerPool.this);
                Thread.interrupted();
            }
            adapt(System.nanoTime() - before < SHORT_SLEEP_NANOS);
            return true;
        }

        private boolean rise() {
            synchronized (lock) {
                if (isAsleep && sleepers.remove(this)) {
                    isAsleep = false;
                    idle(idle - 1);
                    searching.incrementAndGet();
                    return true;
                }
                return false;
            }
        }

        private void end() {
            synchronized (lock) {
                ended++;
                terminated |= ended == started;
            }
            if (terminated) {
                runTheRest();
            }
        }
    }
}
