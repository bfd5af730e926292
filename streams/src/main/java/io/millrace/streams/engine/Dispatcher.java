package io.millrace.streams.engine;

import io.millrace.streams.RuntimeSettings;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Where islands run: the user's executor, or daemon threads of the runtime's own, which end with it. Those share one
 * queue, so that an island that goes back to it for ever cannot keep the others from their turn.
 */
final class Dispatcher {
    private final Executor executor;
    private final @Nullable ExecutorService owned;

    private Dispatcher(Executor executor, @Nullable ExecutorService owned) {
        this.executor = executor;
        this.owned = owned;
    }

    static Dispatcher of(RuntimeSettings settings) {
        if (settings.executor().isPresent()) {
            return new Dispatcher(settings.executor().get(), null);
        }
        ExecutorService threads = Executors.newFixedThreadPool(settings.threads(), new Threads(settings.name()));
        return new Dispatcher(threads, threads);
    }

    Executor executor() {
        return executor;
    }

    /** Ends the threads that are the runtime's own once they have run what was given to them. */
    void close() {
        if (owned != null) {
            owned.shutdown();
        }
    }

    /** Names the threads, and makes them daemons. */
    private static final class Threads implements ThreadFactory {
        private final String runtimeName;
        private final AtomicInteger count = new AtomicInteger();

        Threads(String runtimeName) {
            this.runtimeName = runtimeName;
        }

        @Override
        public Thread newThread(Runnable task) {
            Thread thread = new Thread(task, runtimeName + "-dispatcher-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        }
    }
}
