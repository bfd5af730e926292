package io.millrace.streams.operator.futures;

import io.millrace.streams.operator.FutureWait;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Futures of what a function makes of the values of others; they fail with the others' very failures, not wrapped. */
public final class MappedFuture {
    private MappedFuture() {}

    /** A future of what the function makes of the value. */
    public static <T, R> CompletionStage<R> of(
            CompletionStage<? extends T> future, Function<? super T, ? extends R> function) {
        CompletableFuture<R> mapped = new CompletableFuture<>();
        FutureWait.<T>whenDone(future, (value, failure) -> {
            if (failure != null) {
                mapped.completeExceptionally(failure);
                return;
            }
            try {
                mapped.complete(function.apply(value));
            } catch (Throwable thrown) {
                mapped.completeExceptionally(thrown);
            }
        });
        return mapped;
    }
}
