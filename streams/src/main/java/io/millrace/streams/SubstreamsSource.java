// Rendered by bin/render-fluent from SubstreamsFlow.java, which is the one to change.
package io.millrace.streams;

import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.operator.substreams.SubstreamsSink;
import java.util.Objects;

/**
 * A stream that has been split into substreams: what is done to it is done to each of them, until they are joined again.
 * Immutable; every method hands back a new one.
 */
public final class SubstreamsSource<K, O, M> extends SubstreamsSourceFailures<K, O, M> {
    private final Source<KeyedSource<K, O>, M> keyed;

    SubstreamsSource(Source<KeyedSource<K, O>, M> keyed) {
        this.keyed = keyed;
    }

    /** The substreams themselves, each to be run once, to be joined by {@code flatMapMerge} and its like. */
    public Source<KeyedSource<K, O>, M> keyedSources() {
        return keyed;
    }

    @Override
    public <P> SubstreamsSource<K, P, M> via(Graph<? extends FlowShape<? super O, P>, ?> flow) {
        Objects.requireNonNull(flow, "flow");
        return new SubstreamsSource<>(keyed.map(one -> one.<P>via(flow)));
    }

    /** Passes every substream through the flow that the function makes for its key; one for which it throws is cancelled. */
    public <P> SubstreamsSource<K, P, M> viaKeyed(
            ThrowingFunction<? super K, ? extends Graph<? extends FlowShape<? super O, P>, ?>> function) {
        Objects.requireNonNull(function, "function");
        return new SubstreamsSource<>(keyed.map(one -> one.<P>viaKeyed(function)));
    }

    /** Emits the elements of all substreams as they come. */
    public Source<O, M> mergeSubstreams() {
        return mergeSubstreams(Integer.MAX_VALUE);
    }

    /** Emits the elements of the substreams as they come, at most so many at once, at least 1; the others wait. */
    public Source<O, M> mergeSubstreams(int breadth) {
        return keyed.flatMapMerge(breadth, KeyedSource::source);
    }

    /** Emits the elements of the substreams, one substream after the other. */
    public Source<O, M> concatSubstreams() {
        return keyed.flatMapConcat(KeyedSource::source);
    }

    /** Runs every substream into a sink of its own; how they end is not told here. Keeps this value. */
    public RunnableGraph<M> to(Graph<? extends SinkShape<? super O>, ?> sink) {
        return keyed.to(new SubstreamsSink<KeyedSource<K, O>, O>(KeyedSource::source, sink));
    }
}
