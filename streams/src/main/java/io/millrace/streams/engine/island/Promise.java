package io.millrace.streams.engine.island;

import io.millrace.streams.engine.pool.SpinThenParkFuture;
import io.millrace.streams.failure.AbruptTerminationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A future that a stage has given out; it fails when the stage stops without having completed it, or ends by force while it is stuck. */
public final class Promise<T> extends Resource {
    private final CompletableFuture<T> future = new SpinThenParkFuture<>();
    private final StageContext context;

    Promise(StageContext context) {
        this.context = context;
    }

    public CompletableFuture<T> future() {
        return future;
    }

    static AbruptTerminationException stoppedEarly(StageContext context) {
        return new AbruptTerminationException("stage " + context.name() + " stopped before its value was there");
    }

    @Override
    void abandon(Throwable cause) {
        future.completeExceptionally(cause);
    }

    @Override
    void release(@Nullable Throwable failure) {
        if (!future.isDone()) {
            future.completeExceptionally(failure == null ? stoppedEarly(context) : failure);
        }
    }
}
