package io.millrace.broker.admin;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.http.Response;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Futures as answers. */
final class Answers {
    private Answers() {}

    /** 204 when it is done. */
    static CompletionStage<Response> done(CompletionStage<?> verb) {
        return verb.thenApply(done -> Response.noContent());
    }

    /** The value as JSON. */
    static CompletionStage<Response> json(CompletionStage<?> value) {
        return value.thenApply(Json::answer);
    }

    /** A value that is there already, as JSON. */
    static CompletionStage<Response> json(Object value) {
        return CompletableFuture.completedFuture(Json.answer(value));
    }

    /** Nothing to do. */
    static CompletionStage<Response> nothing() {
        return CompletableFuture.completedFuture(Response.noContent());
    }

    /** One after the other, for each of these. */
    static <T, R> CompletionStage<Void> each(List<T> all, Function<? super T, CompletionStage<R>> verb) {
        CompletionStage<Void> done = CompletableFuture.completedFuture(null);
        for (T one : all) {
            done = done.thenCompose(before -> verb.apply(one)).thenApply(result -> null);
        }
        return done;
    }

    /** The refusal behind a failure; null if it is another failure. */
    static @Nullable BrokerException refusal(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof BrokerException refusal ? refusal : null;
    }

    /** The same, which tells that there is no such namespace in the words that tools know. */
    static <T> CompletionStage<T> ofNamespace(CompletionStage<T> answer) {
        return answer.exceptionally(failure -> {
            BrokerException refusal = refusal(failure);
            if (refusal != null && refusal.kind() == ErrorKind.NAMESPACE_NOT_FOUND) {
                throw new BrokerException(refusal.kind(), "Namespace does not exist");
            }
            throw failure instanceof CompletionException wrapped ? wrapped : new CompletionException(failure);
        });
    }

    /** The same, except that it is done as well if there is no such thing any more. */
    static CompletionStage<Void> unlessGone(CompletionStage<Void> verb, ErrorKind gone) {
        return verb.exceptionally(failure -> {
            BrokerException refusal = refusal(failure);
            if (refusal != null && refusal.kind() == gone) {
                return null;
            }
            throw failure instanceof CompletionException wrapped ? wrapped : new CompletionException(failure);
        });
    }
}
