package io.millrace.streams.operator.futures;

import io.millrace.streams.engine.failure.NullElementException;
import io.millrace.streams.operator.FutureFailure;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What became of a future: a value, or the failure itself, without the wrapping that a call of {@code join} adds. */
public record Settled<T>(@Nullable T value, @Nullable Throwable failure) {
    /** Of a future that is done; null for a value is a failure, too. */
    public static <T> Settled<T> of(CompletionStage<? extends T> done, String operator) {
        CompletableFuture<Settled<T>> settled = new CompletableFuture<>();
        done.handle((value, failure) -> settled.complete(of(value, failure, operator)));
        return settled.join();
    }

    static <T> Settled<T> of(@Nullable T value, @Nullable Throwable failure, String operator) {
        if (failure != null) {
            return new Settled<>(null, FutureFailure.causeOf(failure));
        }
        return value == null
                ? new Settled<>(null, NullElementException.ofFuture(operator))
                : new Settled<>(value, null);
    }
}
