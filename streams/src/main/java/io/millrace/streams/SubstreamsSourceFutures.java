// Rendered by bin/render-fluent from FlowFutures.java, which is the one to change.
package io.millrace.streams;

import io.millrace.streams.failure.StageStoppedException;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.ThrowingBiFunction;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.stage.StageActorRef;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The operators of a {@link SubstreamsSource} for work that completes later. */
abstract class SubstreamsSourceFutures<K, O, M> extends SubstreamsSourceElements<K, O, M> {
    /** Replaces each element by the result of a future, up to so many at a time, in the order of the elements. */
    public <P> SubstreamsSource<K, P, M> mapAsync(
            int parallelism, ThrowingFunction<? super O, ? extends CompletionStage<P>> function) {
        return via(Flow.<O>create().<P>mapAsync(parallelism, function));
    }

    /** Replaces each element by the result of a future, up to so many at a time, in the order of their completion. */
    public <P> SubstreamsSource<K, P, M> mapAsyncUnordered(
            int parallelism, ThrowingFunction<? super O, ? extends CompletionStage<P>> function) {
        return via(Flow.<O>create().<P>mapAsyncUnordered(parallelism, function));
    }

    /**
     * Replaces each element by the result of a future, up to so many at a time, in the order of the elements; of those
     * with the same key the next is begun only when the one before has completed.
     */
    public <G, P> SubstreamsSource<K, P, M> mapAsyncPartitioned(
            int parallelism,
            ThrowingFunction<? super O, ? extends G> keyOf,
            ThrowingFunction<? super O, ? extends CompletionStage<P>> function) {
        return via(Flow.<O>create().<G, P>mapAsyncPartitioned(parallelism, keyOf, function));
    }

    /**
     * Replaces each element by what a future makes of it and of a state, which it replaces too, one element at a time.
     * The state is made for each run; when upstream completes, one more element may be made of the last.
     */
    public <S, P> SubstreamsSource<K, P, M> statefulMapAsync(
            Supplier<? extends S> initial,
            ThrowingBiFunction<? super S, ? super O, ? extends CompletionStage<Pair<S, P>>> function,
            ThrowingFunction<? super S, Optional<P>> atEnd) {
        return via(Flow.<O>create().<S, P>statefulMapAsync(initial, function, atEnd));
    }

    /** Emits the zero, and then for each element what a future makes of the last result and the element. */
    public <P> SubstreamsSource<K, P, M> scanAsync(
            P zero, ThrowingBiFunction<? super P, ? super O, ? extends CompletionStage<P>> function) {
        return via(Flow.<O>create().<P>scanAsync(zero, function));
    }

    /** Emits one result at the end: what futures make, one by one, of the zero and the elements. */
    public <P> SubstreamsSource<K, P, M> foldAsync(
            P zero, ThrowingBiFunction<? super P, ? super O, ? extends CompletionStage<P>> function) {
        return via(Flow.<O>create().<P>foldAsync(zero, function));
    }

    /**
     * Replaces each element by the reply of a running stage to a message that the function makes of the element and of
     * where to reply to; up to so many at a time, in the order of the elements. Fails with a
     * {@link java.util.concurrent.TimeoutException} when a reply does not come in time, and with a
     * {@link StageStoppedException} when the stage stops without one.
     */
    public <Q, R> SubstreamsSource<K, R, M> ask(
            int parallelism,
            StageActorRef<Q> actor,
            ThrowingBiFunction<? super O, ? super StageActorRef.ReplyTo<R>, ? extends Q> message,
            Duration timeout) {
        return via(Flow.<O>create().<Q, R>ask(parallelism, actor, message, timeout));
    }
}
