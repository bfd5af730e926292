package io.millrace.streams.engine.pool;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The daemon threads of a runtime. They share one queue, first in, first out: a task that is requeued for ever does not
 * keep the others from running.
 *
 * <p><b>Threads</b>: any thread executes and closes; the workers run tasks; the monitor calls {@link #checkStarvation}.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code queue} and {@code workers}. Who adds a task looks at the workers after that; a worker that stops to
 * search, and the last one that ends, look at the queue after that. So one of the two sees the other.<br>
 * <b>States</b>: those of {@link Workers}.<br>
 * <b>Proved by</b>: WorkerPoolTest, WorkerPoolStressTest.
 */
final class WorkerPool implements TaskExecutor {
    private final String name;
    private final InjectQueue queue = new InjectQueue();
    private final DeferredTasks deferredTasks = new DeferredTasks();
    private final Workers workers;
    private final TurnMonitor monitor;
    private final StarvationMonitor starvation;

    /**
     * Of so many threads, each of which searches for a task for so long at most before it parks.
     *
     * @param others where stand-ins run
     */
    WorkerPool(String name, int maxWorkers, Duration idleSearch, Executor others) {
        this(name, maxWorkers, idleSearch, others, Thread::start);
    }

    /** With a way to start its threads that may refuse to. */
    WorkerPool(String name, int maxWorkers, Duration idleSearch, Executor others, Consumer<Thread> starter) {
        this.name = name;
        Turn[] turns = new Turn[maxWorkers];
        Arrays.setAll(turns, i -> new Turn());
        SpinPolicy spinPolicy = SpinPolicy.of(idleSearch);
        monitor = new TurnMonitor(name, turns, this::checkStarvation);
        workers = new Workers(
                name,
                maxWorkers,
                number -> new Worker(this, name + "-dispatcher-" + (number + 1), turns[number], spinPolicy),
                starter);
        starvation = new StarvationMonitor(queue, workers, new StandIns(others, queue::poll, this::submit));
    }

    InjectQueue queue() {
        return queue;
    }

    Workers workers() {
        return workers;
    }

    /** What checks the turns of its workers. */
    TurnMonitor monitor() {
        return monitor;
    }

    /** The turn of the calling thread, if that is a worker of this pool. */
    @Nullable
    Turn turnHere() {
        return Thread.currentThread() instanceof Worker own && own.isOf(this) ? own.turn() : null;
    }

    /** Runs the task on one of the workers; refused when the pool is closed. */
    @Override
    public void execute(Runnable task) {
        if (workers.areClosed()) {
            throw refused();
        }
        submit(task);
    }

    private RejectedExecutionException refused() {
        return new RejectedExecutionException(name + " is closed");
    }

    void submit(Runnable task) {
        queue.add(task);
        if (!workers.isAnyIdle()) {
            monitor.wakeIfParked();
        } else if (!workers.isAnySearching()) {
            wakeOne();
        }
        if (workers.areTerminated()) {
            runTheRest();
        }
    }

    private void wakeOne() {
        try {
            workers.wakeOne();
        } catch (IllegalStateException notStarted) {
            refuseQueued(notStarted);
            throw notStarted;
        }
    }

    /**
     * Tells the queued tasks, some of which may have relied on a thread that was about to start, as long as there is none; those that cannot be told wait for the
     * next one.
     */
    private void refuseQueued(IllegalStateException refusal) {
        List<Runnable> waiting = new ArrayList<>();
        try {
            Runnable task = workers.started().length != 0 ? null : queue.poll();
            while (task != null) {
                if (task instanceof Deferrable told) {
                    told.refused(refusal);
                } else {
                    waiting.add(task);
                }
                task = workers.started().length != 0 ? null : queue.poll();
            }
        } finally {
            waiting.forEach(queue::add);
        }
    }

    /** Keeps the task until its thread waits for the result, gives another one, or the monitor comes by. */
    @Override
    public void defer(DeferredTask deferred, Deferrable task) {
        if (workers.areClosed()) {
            throw refused();
        }
        if (!deferred.hold(this, task)) {
            TaskExecutor.super.defer(deferred, task);
            return;
        }
        deferredTasks.add(deferred);
        if (!monitor.wakeIfParked() || workers.areClosed()) {
            deferred.submit();
        }
    }

    /** The tasks that are deferred now. */
    List<Deferrable> deferred() {
        List<Deferrable> all = new ArrayList<>();
        deferredTasks.addTo(all);
        return all;
    }

    /** Runs it after the running task on the same worker, unless that task has given another such before. */
    @Override
    public void runNext(Runnable task) {
        if (workers.areClosed()
                || !(Thread.currentThread() instanceof Worker own)
                || !own.isOf(this)
                || own.turn().isLong() // the monitor, which has a full slot stolen, may sleep by then
                || !own.slot().put(task)) {
            execute(task);
        }
    }

    /**
     * A thread that helps goes on with it. Wakes nobody unless other tasks wait, too: this worker will look at the queue next. If a task that runs next delays it,
     * the monitor wakes another. A stand-in may end instead of looking.
     */
    @Override
    public void requeue(Runnable task) {
        boolean isWorker = turnHere() != null;
        if (!isWorker && deferredTasks.holdAgain(task)) {
            return;
        }
        if (!queue.isEmpty() || !isWorker) {
            execute(task);
        } else if (workers.areClosed()) {
            throw refused();
        } else {
            queue.add(task);
        }
    }

    /** Never: the workers run it. */
    @Override
    public boolean mightRunInPlace() {
        return false;
    }

    /** Ends the threads once they have run what was given to them. */
    void close() {
        workers.close();
        deferredTasks.submitAll();
    }

    /** Interrupts its threads: whatever still runs there is to let go. */
    void interrupt() {
        workers.interrupt();
        deferredTasks.interrupt();
    }

    /** Runs the tasks that came after the last worker had looked, as nobody else will. */
    void runTheRest() {
        Runnable task = queue.poll();
        while (task != null) {
            task.run();
            task = queue.poll();
        }
    }

    private boolean checkStarvation() {
        boolean wereDeferred = deferredTasks.submitAll();
        return starvation.check() || wereDeferred;
    }
}
