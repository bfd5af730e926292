package io.millrace.broker.admin;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.http.Response;
import io.millrace.broker.namespace.Outcomes;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

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

    /** The same, which tells that there is no such namespace in the words that tools know. */
    static <T> CompletionStage<T> ofNamespace(CompletionStage<T> answer) {
        return answer.exceptionally(failure -> {
            BrokerException refusal = Outcomes.refusal(failure);
            if (refusal != null && refusal.kind() == ErrorKind.NAMESPACE_NOT_FOUND) {
                throw new BrokerException(refusal.kind(), "Namespace does not exist");
            }
            throw Outcomes.rethrown(failure);
        });
    }
}
