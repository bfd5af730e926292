// Rendered by bin/render-fluent from FlowWithContextElements.java, which is the one to change.
package io.millrace.streams;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.LogSettings;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.graph.ThrottleMode;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.graph.ThrowingPredicate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The operators of a {@link SourceWithContext}. */
abstract class SourceWithContextElements<O, C, M> {
    /** Replaces each element by what the function makes of it. */
    public <P> SourceWithContext<P, C, M> map(ThrowingFunction<? super O, ? extends P> function) {
        return via(ContextSteps.<O, P, C>map(function));
    }

    /** Replaces each context by what the function makes of it. */
    public <D> SourceWithContext<O, D, M> mapContext(ThrowingFunction<? super C, ? extends D> function) {
        return via(ContextSteps.<O, C, D>mapContext(function));
    }

    /** Lets through the elements for which the condition holds. */
    public SourceWithContext<O, C, M> filter(ThrowingPredicate<? super O> condition) {
        return via(ContextSteps.<O, C>filter(condition));
    }

    /** Lets through the elements for which the condition does not hold. */
    public SourceWithContext<O, C, M> filterNot(ThrowingPredicate<? super O> condition) {
        return via(ContextSteps.<O, C>filterNot(condition));
    }

    /** Lets through the elements of this class. */
    public <P> SourceWithContext<P, C, M> collectType(Class<P> type) {
        return via(ContextSteps.<O, P, C>collectType(type));
    }

    /** Replaces each element by any number of elements, which all carry its context. */
    public <P> SourceWithContext<P, C, M> mapConcat(
            ThrowingFunction<? super O, ? extends Iterable<? extends P>> function) {
        return via(ContextSteps.<O, P, C>mapConcat(function));
    }

    /** Replaces each element by the result of a future, so many at a time, at least 1, in the order of the elements. */
    public <P> SourceWithContext<P, C, M> mapAsync(
            int parallelism, ThrowingFunction<? super O, ? extends CompletionStage<P>> function) {
        return via(ContextSteps.<O, P, C>mapAsync(parallelism, function));
    }

    /**
     * Replaces each element by the result of a future, up to so many at a time, in the order of the elements; of those
     * with the same key the next is begun only when the one before has completed.
     */
    public <G, P> SourceWithContext<P, C, M> mapAsyncPartitioned(
            int parallelism,
            ThrowingFunction<? super O, ? extends G> keyOf,
            ThrowingFunction<? super O, ? extends CompletionStage<P>> function) {
        return via(ContextSteps.<O, G, P, C>mapAsyncPartitioned(parallelism, keyOf, function));
    }

    /** Emits lists of so many elements each, at least 1, with the lists of their contexts. */
    public SourceWithContext<List<O>, List<C>, M> grouped(int size) {
        return via(ContextSteps.<O, C>grouped(size));
    }

    /** Emits lists of so many elements each, a list for each so many elements, with the lists of their contexts. */
    public SourceWithContext<List<O>, List<C>, M> sliding(int size, int step) {
        return via(ContextSteps.<O, C>sliding(size, step));
    }

    /** Lets so many elements through per duration, evenly spaced, as {@link Flow#throttle(long, Duration)} does. */
    public SourceWithContext<O, C, M> throttle(long elements, Duration per) {
        return via(Flow.<Pair<O, C>>create().throttle(elements, per));
    }

    /** As {@link Flow#throttle(long, Duration, long, ThrottleMode)}. */
    public SourceWithContext<O, C, M> throttle(long elements, Duration per, long maximumBurst, ThrottleMode mode) {
        return via(Flow.<Pair<O, C>>create().throttle(elements, per, maximumBurst, mode));
    }

    /** Replaces what upstream fails with by another failure. */
    public SourceWithContext<O, C, M> mapError(ThrowingFunction<? super Throwable, ? extends Throwable> function) {
        return via(Flow.<Pair<O, C>>create().mapError(function));
    }

    /** Sends every element to this sink, too, at the pace of the slower. */
    public SourceWithContext<O, C, M> alsoTo(Graph<? extends SinkShape<? super O>, ?> sink) {
        return via(Flow.<Pair<O, C>>create().alsoTo(ContextSteps.<O, C>ofElements(sink)));
    }

    /** Sends every context to this sink, too, at the pace of the slower. */
    public SourceWithContext<O, C, M> alsoToContext(Graph<? extends SinkShape<? super C>, ?> sink) {
        return via(Flow.<Pair<O, C>>create().alsoTo(ContextSteps.<O, C>ofContexts(sink)));
    }

    /** Gives every element to this sink, too, which neither slows nor ends this stream: what it is too slow for is dropped. */
    public SourceWithContext<O, C, M> wireTap(Graph<? extends SinkShape<? super O>, ?> sink) {
        return via(Flow.<Pair<O, C>>create().wireTap(ContextSteps.<O, C>ofElements(sink)));
    }

    /** Gives every context to this sink, too, which neither slows nor ends this stream: what it is too slow for is dropped. */
    public SourceWithContext<O, C, M> wireTapContext(Graph<? extends SinkShape<? super C>, ?> sink) {
        return via(Flow.<Pair<O, C>>create().wireTap(ContextSteps.<O, C>ofContexts(sink)));
    }

    /** Logs elements with their contexts, the end and failures under a name, as {@link LogSettings#defaults} says. */
    public SourceWithContext<O, C, M> log(String name) {
        return log(name, LogSettings.defaults());
    }

    /** Logs elements with their contexts, the end and failures under a name. */
    public SourceWithContext<O, C, M> log(String name, LogSettings settings) {
        return via(Flow.<Pair<O, C>>create().log(name, settings));
    }

    /** Passes elements and contexts through a flow that looks after both. */
    public <P, D> SourceWithContext<P, D, M> via(FlowWithContext<? super O, ? super C, P, D, ?> flow) {
        return viaMat(flow, Keep.left());
    }

    /** Passes elements and contexts through a flow that looks after both; the function makes the value from both. */
    public <P, D, M2, M3> SourceWithContext<P, D, M3> viaMat(
            FlowWithContext<? super O, ? super C, P, D, M2> flow,
            BiFunction<? super M, ? super M2, ? extends M3> combine) {
        return viaMat(FlowWithContext.<O, C, P, D, M2>narrowed(flow).asFlow(), combine);
    }

    /** Passes elements and contexts through an ordinary flow of pairs. */
    public <P, D> SourceWithContext<P, D, M> via(Graph<? extends FlowShape<? super Pair<O, C>, Pair<P, D>>, ?> flow) {
        return viaMat(flow, Keep.left());
    }

    /** Passes elements and contexts through an ordinary flow of pairs; the function makes the value from both. */
    public abstract <P, D, M2, M3> SourceWithContext<P, D, M3> viaMat(
            Graph<? extends FlowShape<? super Pair<O, C>, Pair<P, D>>, M2> flow,
            BiFunction<? super M, ? super M2, ? extends M3> combine);

    /** The same with another materialized value. */
    public abstract <M2> SourceWithContext<O, C, M2> mapMaterializedValue(Function<? super M, ? extends M2> function);

    /** The same with these attributes added to everything so far. */
    public abstract SourceWithContext<O, C, M> withAttributes(Attributes attributes);
}
