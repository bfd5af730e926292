package io.millrace.streams.engine.pool;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Where the tasks of a runtime run: on an executor of the user's, or on a pool that ends with the runtime. */
public final class Dispatcher {
    private final Executor executor;
    private final @Nullable WorkerPool pool;
    private final TurnMonitor monitor;

    private Dispatcher(Executor executor, @Nullable WorkerPool pool, TurnMonitor monitor) {
        this.executor = executor;
        this.pool = pool;
        this.monitor = monitor;
    }

    /**
     * On an executor of the user's.
     *
     * @param name of the runtime
     */
    public static Dispatcher onExecutor(String name, Executor executor) {
        return new Dispatcher(executor, null, new TurnMonitor(name, new Turn[0], () -> false));
    }

    /**
     * On workers of its own.
     *
     * @param name of the runtime
     * @param idleSearch for how long a worker searches for a task before it parks, at most
     * @param others where stand-ins run
     */
    public static Dispatcher onWorkers(String name, int threads, Duration idleSearch, Executor others) {
        WorkerPool workers = new WorkerPool(name, threads, idleSearch, others);
        return new Dispatcher(workers, workers, workers.monitor());
    }

    /** Where one more task runs. */
    public TaskExecutor executor() {
        return pool == null ? new TrampolineExecutor(executor) : pool;
    }

    /** The tasks that are deferred now: they wait for the threads that gave them, or run there. */
    public List<Deferrable> deferred() {
        return pool == null ? List.of() : pool.deferred();
    }

    /** The turn in which this task runs on the calling thread; to be given to {@link #leaveTurn} at its end. */
    public Turn enterTurn(Runnable task) {
        Turn own = pool == null ? null : pool.turnHere();
        return own != null && own.isOf(task) ? own : monitor.claim();
    }

    /** The task does nothing more in that turn. */
    public void leaveTurn(Turn turn) {
        turn.forgetPostponed();
        if (pool == null || pool.turnHere() != turn) {
            turn.end();
        }
    }

    /** Interrupts the workers. */
    public void interrupt() {
        if (pool != null) {
            pool.interrupt();
        }
    }

    /** Ends the workers once they have run what was given to them, and the monitor. */
    public void close() {
        if (pool != null) {
            pool.close();
        }
        monitor.close();
    }
}
