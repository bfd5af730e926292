package io.millrace.streams.engine;

import io.millrace.streams.schedule.Durations;
import io.millrace.streams.schedule.NonBlockingThread;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jctools.queues.varhandle.MpmcVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * The runtime's own daemon threads: they share one queue, first in, first out, so that an island that goes back to it for
 * ever cannot keep the others from their turn. Handing over a task allocates nothing while the ring has room.
 *
 * <p>A thread that finds no task searches for a while before it sleeps, for to wake a sleeper costs more than the turn of
 * most islands. One at a time is woken, only while nobody searches, and wakes the next when it has found a task: the
 * rule of the schedulers of Go and of Tokio. How long it searches follows from whether it would have paid lately: at most as
 * long as the settings say, and hardly at all at a low rate, where a search ends in sleep all the same and only
 * keeps the processor from others.
 *
 * <p>A task that goes on with what the running one has just written, {@link #executeNext}, is kept by its thread, to run next, while
 * that is in this processor's cache, and nobody is woken for it. One for each task, so many in a row, then the queue has its
 * turn. What is kept behind a task that lasts is taken away by the {@link TurnMonitor}, which also wakes a thread for a queue that nobody
 * takes from, or has one of the {@link StandIns} take from it where functions keep them all.
 *
 * <p><b>Threads</b>: any thread executes and closes; the workers run tasks; the monitor looks.<br>
 * <b>Owned</b>: {@code searchRounds}, {@code hasKept}, {@code inARow}, by their worker; {@code keepingsSeen}, {@code takenSeen}, by the
 * monitor.<br>
 * <b>Shared</b>: {@code ring} and {@code overflow}, which holds what the ring had no room for, counted in {@code
 * overflowing} before it is added. {@code searching}: who executes reads it after the task is in; a worker lowers it and
 * then looks once more for tasks, so that one of the two sees the other. {@code sleepers}, {@code started}, {@code
 * ended}: under the lock; {@code idle}, which tells whether waking is worth the lock: written under it. {@code closed}:
 * volatile, once; {@code terminated}: by the last worker before it looks a last time, read by who executes after
 * the task is in. {@code kept}: its worker writes it while it is empty; whoever empties it by exchange runs the task. {@code keepings}:
 * counted by its worker before it writes {@code kept}, read by the monitor after that.<br>
 * <b>States</b> of a worker: searching -> running when it finds a task; running -> searching when there is none;
 * searching -> asleep; asleep -> searching by who wakes it, who also counts it; searching -> ended when closed. One that cannot be
 * started is taken out of the counts again.<br>
 * <b>Proved by</b>: WorkerPoolTest, WorkerPoolStressTest.
 */
final class WorkerPool implements Executor {
    private static final int RING_TASKS = 8192;
    private static final int LEAST_SEARCH_ROUNDS = 8;
    /** What one round of a search takes, about. */
    private static final int ROUND_NANOS = 50;

    private static final int MOST_KEPT_IN_A_ROW = 16;
    private static final System.Logger LOG = System.getLogger(WorkerPool.class.getName());
    private static final VarHandle KEPT;

    static {
        try {
            KEPT = MethodHandles.lookup().findVarHandle(Worker.class, "kept", Runnable.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final String name;
    private final int mostWorkers;
    private final int mostSearching;
    private final int mostSearchRounds;
    private final int leastSearchRounds;
    private final long shortSleepNanos;
    private final Consumer<Thread> starter;
    private final MpmcVarHandleArrayQueue<Runnable> ring = new MpmcVarHandleArrayQueue<>(RING_TASKS);
    private final Queue<Runnable> overflow = new ConcurrentLinkedQueue<>();
    private final AtomicInteger overflowing = new AtomicInteger();
    private final AtomicInteger searching = new AtomicInteger();
    private final Object lock = new Object();
    private final Deque<Worker> sleepers = new ArrayDeque<>();
    private final Turn[] turns;
    private final TurnMonitor monitor;
    private final StandIns standIns;
    private final int[] keepingsSeen;
    private long takenSeen = -1;
    private volatile Worker[] workers = new Worker[0];
    private int started;
    private int ended;
    private volatile int idle;
    private volatile boolean closed;
    private volatile boolean terminated;

    /**
     * Of so many threads, which search so long at most; longer sleeps than that count as a search that did not pay.
     *
     * @param others where tasks run while functions keep all of these threads
     */
    WorkerPool(String name, int workers, Duration idleSearch, Executor others) {
        this(name, workers, idleSearch, others, Thread::start);
    }

    /** With a way to start its threads that may refuse to. */
    WorkerPool(String name, int workers, Duration idleSearch, Executor others, Consumer<Thread> starter) {
        this.name = name;
        this.starter = starter;
        this.mostWorkers = workers;
        this.mostSearching = Math.max(1, workers / 2);
        this.idle = workers;
        this.shortSleepNanos = Durations.nanos(idleSearch);
        this.mostSearchRounds = (int) (shortSleepNanos / ROUND_NANOS);
        this.leastSearchRounds = Math.min(LEAST_SEARCH_ROUNDS, mostSearchRounds);
        this.keepingsSeen = new int[workers];
        this.turns = new Turn[workers];
        Arrays.setAll(turns, i -> new Turn());
        this.standIns = new StandIns(others, this::poll, this::handOver);
        this.monitor = new TurnMonitor(name, turns, this::lookAfterWaiting);
    }

    /** What looks at the turns of its threads. */
    TurnMonitor monitor() {
        return monitor;
    }

    /** The turn of the calling thread, if it is one of these. */
    @Nullable
    Turn turnHere() {
        return Thread.currentThread() instanceof Worker own && own.pool() == this ? own.turn : null;
    }

    /** Runs the task on one of the threads; refused when the pool is closed. */
    @Override
    public void execute(Runnable task) {
        if (closed) {
            throw new RejectedExecutionException(name + " is closed");
        }
        handOver(task);
    }

    private void handOver(Runnable task) {
        add(task);
        if (idle == 0) {
            monitor.wakeIfAsleep();
        } else if (searching.get() == 0) {
            wakeOne();
        }
        if (terminated) {
            runTheRest();
        }
    }

    /** The same; on one of the threads it runs there after the running task, if that has given no other such task. */
    void executeNext(Runnable task) {
        if (closed || !(Thread.currentThread() instanceof Worker own) || !own.keep(this, task)) {
            execute(task);
        }
    }

    /**
     * The same for a task that ends with this: a worker will look for the next one itself, so that nobody need be woken
     * unless others are waiting, too. What it has kept goes first: where that lasts, the monitor sees to the queue. A stand-in
     * may end instead of looking.
     */
    void executeAgain(Runnable task) {
        if (hasTasks() || turnHere() == null) {
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
        if (started == mostWorkers || terminated) {
            return;
        }
        Worker[] before = workers;
        started++;
        idle(idle - 1);
        searching.incrementAndGet();
        try {
            Worker worker = new Worker(name + "-dispatcher-" + started, started - 1);
            workers = Arrays.copyOf(before, started);
            workers[started - 1] = worker;
            starter.accept(worker);
        } catch (Throwable t) {
            workers = before;
            started--;
            idle(idle + 1);
            searching.decrementAndGet();
            notStarted(t);
        }
    }

    /** The task is queued: the threads that there are will run it; without any, who gave it is told. */
    private void notStarted(Throwable failure) {
        IllegalStateException placed = new IllegalStateException(
                name + " could not start its thread " + (started + 1) + " of " + mostWorkers + ": " + failure, failure);
        if (started == 0) {
            throw placed;
        }
        report(placed);
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

    /** Interrupts its threads: whatever still runs there is to let go. */
    void interrupt() {
        for (Worker worker : workers) {
            worker.interrupt();
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

    /**
     * Gives to others what a worker has kept since the last look, and sees to a queue from which nobody has taken since; whether tasks wait.
     */
    private boolean lookAfterWaiting() {
        Worker[] all = workers;
        for (int i = 0; i < all.length; i++) {
            int keepings = all[i].keepings;
            Runnable task = all[i].kept;
            if (task != null && keepings == keepingsSeen[i] && KEPT.compareAndSet(all[i], task, null)) {
                add(task);
            }
            keepingsSeen[i] = keepings;
        }
        long taken = ring.currentConsumerIndex();
        boolean areWaiting = hasTasks();
        boolean inVain = taken == takenSeen;
        takenSeen = taken;
        if (idle == 0) {
            standIns.look(all.length, stuck(all), areWaiting, inVain);
            return areWaiting;
        }
        standIns.retire();
        if (areWaiting && inVain) {
            wakeOne();
        }
        return areWaiting;
    }

    private static int stuck(Worker[] all) {
        int stuck = 0;
        for (Worker worker : all) {
            if (worker.turn.isRunning() && StandIns.waits(worker)) {
                stuck++;
            }
        }
        return stuck;
    }

    /** Runs a task, whatever it throws. */
    static void runReporting(Runnable task) {
        try {
            task.run();
        } catch (Throwable t) {
            report(t);
        } finally {
            Thread.interrupted(); // a mark that the task has left concerns nobody else
        }
    }

    /** Hands a failure to the thread's uncaught exception handler; what that throws is logged, for the thread has to go on. */
    private static void report(Throwable failure) {
        Thread thread = Thread.currentThread();
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
        } catch (Throwable ofHandler) {
            if (ofHandler != failure) {
                ofHandler.addSuppressed(failure);
            }
            LOG.log(System.Logger.Level.ERROR, "the uncaught exception handler failed", ofHandler);
        }
    }

    /** One thread. */
    private final class Worker extends NonBlockingThread {
        private volatile boolean isAsleep;
        private volatile @Nullable Runnable kept;
        private int keepings;
        private final Turn turn;
        private boolean hasKept;
        private int inARow;
        private int searchRounds = leastSearchRounds;

        Worker(String threadName, int number) {
            super(threadName);
            turn = turns[number];
        }

        private WorkerPool pool() {
            return WorkerPool.this;
        }

        @Override
        public void run() {
            Runnable task = search();
            while (task != null) {
                hasKept = false;
                runOne(task);
                task = null; // a worker that sleeps keeps nothing alive
                task = next();
            }
            end();
        }

        private @Nullable Runnable next() {
            Runnable own = takeKept();
            if (own != null && inARow < MOST_KEPT_IN_A_ROW) {
                inARow++;
                return own;
            }
            inARow = 0;
            if (own != null) {
                add(own);
            }
            Runnable task = poll();
            if (task == null) {
                own = null;
                searching.incrementAndGet();
                task = search();
            } else if (own != null && task != own && idle > 0 && searching.get() == 0) {
                wakeOne();
            }
            return task;
        }

        /** Keeps a task unless it has kept one for the running task already; whether it does. */
        private boolean keep(WorkerPool pool, Runnable task) {
            if (pool != WorkerPool.this || hasKept) {
                return false;
            }
            hasKept = true;
            keepings++;
            kept = task;
            return true;
        }

        private @Nullable Runnable takeKept() {
            return kept == null ? null : (Runnable) KEPT.getAndSet(this, null);
        }

        private void runOne(Runnable task) {
            monitor.begin(turn, task);
            runReporting(task);
            turn.end();
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
                    ? Math.min(mostSearchRounds, searchRounds * 2)
                    : Math.max(leastSearchRounds, searchRounds / 2);
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
            adapt(System.nanoTime() - before < shortSleepNanos);
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
