package io.millrace.streams.engine;

import io.millrace.streams.RuntimeSettings;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Where islands run: the user's executor, or threads of the runtime's own, which end with it. */
final class Dispatcher {
    private final Executor executor;
    private final @Nullable WorkerPool owned;

    private Dispatcher(Executor executor, @Nullable WorkerPool owned) {
        this.executor = executor;
        this.owned = owned;
    }

    static Dispatcher of(RuntimeSettings settings) {
        if (settings.executor().isPresent()) {
            return new Dispatcher(settings.executor().get(), null);
        }
        WorkerPool workers = new WorkerPool(settings.name(), settings.threads(), settings.idleSearch());
        return new Dispatcher(workers, workers);
    }

    Executor executor() {
        return executor;
    }

    /** Ends the threads that are the runtime's own once they have run what was given to them. */
    void close() {
        if (owned != null) {
            owned.close();
        }
    }
}
