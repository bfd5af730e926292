// Rendered by bin/render-fluent from FlowFutures.java, which is the one to change.
package io.millrace.streams;

import io.millrace.streams.engine.plan.Blueprint;
import io.millrace.streams.failure.StageStoppedException;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.ThrowingBiFunction;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.operator.futures.AskStage;
import io.millrace.streams.operator.futures.FoldAsyncStage;
import io.millrace.streams.operator.futures.MapAsyncPartitionedStage;
import io.millrace.streams.operator.futures.MapAsyncStage;
import io.millrace.streams.operator.futures.MapAsyncUnorderedStage;
import io.millrace.streams.operator.futures.ScanAsyncStage;
import io.millrace.streams.operator.futures.StatefulMapAsyncStage;
import io.millrace.streams.stage.StageActorRef;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The operators of a {@link Source} for work that completes later. */
abstract class SourceFutures<O, M> extends SourceElements<O, M> {
    SourceFutures(Blueprint blueprint) {
        super(blueprint);
    }

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

    /**
     * Replaces each element by the result of a future, up to so many at a time, in the order of the elements; of those
     * with the same key the next is begun only when the one before has completed.
     */
    public <G, P> Source<P, M> mapAsyncPartitioned(
            int parallelism,
            ThrowingFunction<? super O, ? extends G> keyOf,
            ThrowingFunction<? super O, ? extends CompletionStage<P>> function) {
        return via(new MapAsyncPartitionedStage<O, G, P>(parallelism, keyOf, function));
    }

    /**
     * Replaces each element by what a future makes of it and of a state, which it replaces too, one element at a time.
     * The state is made for each run; when upstream completes, one more element may be made of the last.
     */
    public <S, P> Source<P, M> statefulMapAsync(
            Supplier<? extends S> initial,
            ThrowingBiFunction<? super S, ? super O, ? extends CompletionStage<Pair<S, P>>> function,
            ThrowingFunction<? super S, Optional<P>> atEnd) {
        return via(new StatefulMapAsyncStage<S, O, P>(initial, function, atEnd));
    }

    /** Emits the zero, and then for each element what a future makes of the last result and the element. */
    public <P> Source<P, M> scanAsync(
            P zero, ThrowingBiFunction<? super P, ? super O, ? extends CompletionStage<P>> function) {
        return via(new ScanAsyncStage<O, P>(zero, function));
    }

    /** Emits one result at the end: what futures make, one by one, of the zero and the elements. */
    public <P> Source<P, M> foldAsync(
            P zero, ThrowingBiFunction<? super P, ? super O, ? extends CompletionStage<P>> function) {
        return via(new FoldAsyncStage<O, P>(zero, function));
    }

    /**
     * Replaces each element by the reply of a running stage to a message that the function makes of the element and of
     * where to reply to; up to so many at a time, in the order of the elements. Fails with a
     * {@link java.util.concurrent.TimeoutException} when a reply does not come in time, and with a
     * {@link StageStoppedException} when the stage stops without one.
     */
    public <Q, R> Source<R, M> ask(
            int parallelism,
            StageActorRef<Q> actor,
            ThrowingBiFunction<? super O, ? super StageActorRef.ReplyTo<R>, ? extends Q> message,
            Duration timeout) {
        return via(new AskStage<O, Q, R>(parallelism, actor, message, timeout));
    }
}
