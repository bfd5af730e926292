package io.millrace.streams.engine;

import io.millrace.streams.graph.AbruptTerminationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A future that a stage has given out; it fails when the stage stops without having completed it. */
final class Promise<T> extends Resource {
    private final CompletableFuture<T> future = new PromptFuture<>();
    private final StageCell cell;

    Promise(StageCell cell) {
        this.cell = cell;
    }

    CompletableFuture<T> future() {
        return future;
    }

    static AbruptTerminationException stoppedEarly(StageCell cell) {
        return new AbruptTerminationException("stage " + cell.name() + " stopped before its value was there");
    }

    @Override
    void abandon(Throwable cause) {
        future.completeExceptionally(cause);
    }

    @Override
    void release(@Nullable Throwable failure) {
        if (!future.isDone()) {
            future.completeExceptionally(failure == null ? stoppedEarly(cell) : failure);
        }
    }
}
