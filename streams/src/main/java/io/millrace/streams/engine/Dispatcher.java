package io.millrace.streams.engine;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Where islands run: the user's executor, or threads of the runtime's own, which end with it. */
final class Dispatcher {
    private final Executor executor;
    private final @Nullable WorkerPool owned;
    private final TurnMonitor monitor;

    private Dispatcher(Executor executor, @Nullable WorkerPool owned, TurnMonitor monitor) {
        this.executor = executor;
        this.owned = owned;
        this.monitor = monitor;
    }

    /** As the settings say; where those threads are all kept by functions, tasks run on the others. */
    static Dispatcher of(EngineSettings settings, Executor others) {
        if (settings.executor().isPresent()) {
            TurnMonitor monitor = new TurnMonitor(settings.name(), new Turn[0], () -> false);
            return new Dispatcher(settings.executor().get(), null, monitor);
        }
        WorkerPool workers = new WorkerPool(settings.name(), settings.threads(), settings.idleSearch(), others);
        return new Dispatcher(workers, workers, workers.monitor());
    }

    Executor executor() {
        return executor;
    }

    /** The turn in which this task runs on the calling thread, to be given to {@link #leaveTurn} at its end. */
    Turn enterTurn(Runnable task) {
        Turn own = owned == null ? null : owned.turnHere();
        return own != null && own.isOf(task) ? own : monitor.claim(task);
    }

    /** The task does nothing more in that turn. */
    void leaveTurn(Turn turn) {
        turn.forgetPostponed();
        if (owned == null || owned.turnHere() != turn) {
            turn.end();
        }
    }

    /** Interrupts the threads that are the runtime's own. */
    void interrupt() {
        if (owned != null) {
            owned.interrupt();
        }
    }

    /** Ends the threads that are the runtime's own once they have run what was given to them. */
    void close() {
        if (owned != null) {
            owned.close();
        }
        monitor.close();
    }
}
