package io.millrace.broker.namespace;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** An island whose turns an executor runs, one after the other; it has no clock. */
record ExecutorIsland(Executor turns) implements Island {
    @Override
    public <T> CompletionStage<T> home(CompletionStage<T> elsewhere) {
        CompletableFuture<T> told = new CompletableFuture<>();
        elsewhere.whenCompleteAsync(
                (result, failure) -> {
                    if (failure == null) {
                        told.complete(result);
                    } else {
                        told.completeExceptionally(failure);
                    }
                },
                turns);
        return told;
    }

    @Override
    public void after(Duration time, Runnable task) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long nanoTime() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void later(Runnable task) {
        turns.execute(task);
    }
}
