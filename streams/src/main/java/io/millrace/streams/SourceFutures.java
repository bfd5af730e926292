package io.millrace.streams;

import io.millrace.streams.operator.MapAsyncStage;
import io.millrace.streams.operator.MapAsyncUnorderedStage;
import java.util.concurrent.CompletionStage;

/** The operators of a {@link Source} for work that completes later. */
abstract class SourceFutures<O, M> extends SourceElements<O, M> {
    /** Replaces each element by the result of a future, up to so many at a time, in the order of the elements. */
    public <P> Source<P, M> mapAsync(
            int parallelism, ThrowingFunction<? super O, ? extends CompletionStage<P>> function) {
        return via(new MapAsyncStage<O, P>(parallelism, function));
    }

    /** Replaces each element by the result of a future, up to so many at a time, in the order of their completion. */
    public <P> Source<P, M> mapAsyncUnordered(
            int parallelism, ThrowingFunction<? super O, ? extends CompletionStage<P>> function) {
        return via(new MapAsyncUnorderedStage<O, P>(parallelism, function));
    }
}
