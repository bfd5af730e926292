package io.millrace.streams.engine;

import io.millrace.streams.RuntimeSettings;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Where islands run: the user's executor, or daemon threads of the runtime's own, which end with it. */
final class Dispatcher {
    private final Executor executor;
    private final @Nullable ForkJoinPool owned;

    private Dispatcher(Executor executor, @Nullable ForkJoinPool owned) {
        this.executor = executor;
        this.owned = owned;
    }

    static Dispatcher of(RuntimeSettings settings) {
        if (settings.executor().isPresent()) {
            return new Dispatcher(settings.executor().get(), null);
        }
        ForkJoinPool pool = new ForkJoinPool(settings.threads(), new Threads(settings.name()), null, true);
        return new Dispatcher(pool, pool);
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

    /** Names the threads. */
    private static final class Threads implements ForkJoinPool.ForkJoinWorkerThreadFactory {
        private final String runtimeName;
        private final AtomicInteger count = new AtomicInteger();

        Threads(String runtimeName) {
            this.runtimeName = runtimeName;
        }

        @Override
        public ForkJoinWorkerThread newThread(ForkJoinPool pool) {
            ForkJoinWorkerThread thread = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
            thread.setName(runtimeName + "-dispatcher-" + count.incrementAndGet());
            return thread;
        }
    }
}
