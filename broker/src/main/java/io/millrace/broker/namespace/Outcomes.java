package io.millrace.broker.namespace;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What becomes of verbs, and of several of them. For any thread. */
public final class Outcomes {
    private Outcomes() {}

    /** One after the other, for each of these; the first that fails ends it. */
    public static <T, R> CompletionStage<Void> inTurn(List<T> all, Function<? super T, CompletionStage<R>> verb) {
        CompletionStage<Void> done = CompletableFuture.completedFuture(null);
        for (T one : all) {
            done = done.thenCompose(before -> verb.apply(one)).thenApply(result -> null);
        }
        return done;
    }

    /** The same, except that it is done as well if there is no such thing any more. */
    public static CompletionStage<Void> unlessGone(CompletionStage<Void> verb, ErrorKind gone) {
        return verb.exceptionally(failure -> {
            BrokerException refusal = refusal(failure);
            if (refusal != null && refusal.kind() == gone) {
                return null;
            }
            throw rethrown(failure);
        });
    }

    /** What comes once another thing has ended, done or failed. */
    static <R> CompletionStage<R> after(CompletionStage<?> other, Supplier<CompletionStage<R>> next) {
        return other.handle((done, failure) -> next.get()).thenCompose(asked -> asked);
    }

    /** The refusal behind a failure; null if it is another failure. */
    public static @Nullable BrokerException refusal(Throwable failure) {
        return cause(failure) instanceof BrokerException refusal ? refusal : null;
    }

    /** A failure as what a continuation throws. */
    public static CompletionException rethrown(Throwable failure) {
        return failure instanceof CompletionException wrapped ? wrapped : new CompletionException(failure);
    }

    /** A failure without the wrapping of futures. */
    static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
