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
public final class SubstreamsFlow<I, K, O, M> extends SubstreamsFlowFailures<I, K, O, M> {
    private final Flow<I, KeyedSource<K, O>, M> keyed;

    SubstreamsFlow(Flow<I, KeyedSource<K, O>, M> keyed) {
        this.keyed = keyed;
    }

    /** The substreams themselves, each to be run once, to be joined by {@code flatMapMerge} and its like. */
    public Flow<I, KeyedSource<K, O>, M> keyedSources() {
        return keyed;
    }

    @Override
    public <P> SubstreamsFlow<I, K, P, M> via(Graph<? extends FlowShape<? super O, P>, ?> flow) {
        Objects.requireNonNull(flow, "flow");
        return new SubstreamsFlow<>(keyed.map(one -> one.<P>via(flow)));
    }

    /** Passes every substream through the flow that the function makes for its key; one for which it throws is cancelled. */
    public <P> SubstreamsFlow<I, K, P, M> viaKeyed(
            ThrowingFunction<? super K, ? extends Graph<? extends FlowShape<? super O, P>, ?>> function) {
        Objects.requireNonNull(function, "function");
        return new SubstreamsFlow<>(keyed.map(one -> one.<P>viaKeyed(function)));
    }

    /** Emits the elements of all substreams as they come. */
    public Flow<I, O, M> mergeSubstreams() {
        return mergeSubstreams(Integer.MAX_VALUE);
    }

    /** Emits the elements of the substreams as they come, at most so many at once, at least 1; the others wait. */
    public Flow<I, O, M> mergeSubstreams(int breadth) {
        return keyed.flatMapMerge(breadth, KeyedSource::source);
    }

    /** Emits the elements of the substreams, one substream after the other. */
    public Flow<I, O, M> concatSubstreams() {
        return keyed.flatMapConcat(KeyedSource::source);
    }

    /** Runs every substream into a sink of its own; how they end is not told here. Keeps this value. */
    public Sink<I, M> to(Graph<? extends SinkShape<? super O>, ?> sink) {
        return keyed.to(new SubstreamsSink<KeyedSource<K, O>, O>(KeyedSource::source, sink));
    }
}
