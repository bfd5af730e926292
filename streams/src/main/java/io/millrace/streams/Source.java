package io.millrace.streams;

import io.millrace.streams.engine.Blueprint;
import java.util.function.BiFunction;
import java.util.function.Function;

/** A graph with one open outlet: where elements come from. Immutable; every method hands back a new one. */
public final class Source<O, M> implements Graph<SourceShape<O>, M> {
    private final Blueprint blueprint;
    private final SourceShape<O> shape;

    private Source(Blueprint blueprint) {
        this(blueprint, SourceShape.of(Outlet.create("source.out")));
    }

    private Source(Blueprint blueprint, SourceShape<O> shape) {
        this.blueprint = blueprint;
        this.shape = shape;
    }

    /** Any graph of this shape as a source. */
    public static <O, M> Source<O, M> fromGraph(Graph<SourceShape<O>, M> graph) {
        return graph instanceof Source<O, M> source ? source : new Source<>(Blueprints.of(graph), graph.shape());
    }

    @Override
    public SourceShape<O> shape() {
        return shape;
    }

    Blueprint blueprint() {
        return blueprint;
    }

    // OPERATORS

    /** Passes the elements through a flow; keeps this value. */
    public <P> Source<P, M> via(Graph<? extends FlowShape<? super O, P>, ?> flow) {
        return viaMat(flow, Keep.left());
    }

    /** Passes the elements through a flow; the function makes the value from both. */
    public <P, M2, M3> Source<P, M3> viaMat(
            Graph<? extends FlowShape<? super O, P>, M2> flow,
            BiFunction<? super M, ? super M2, ? extends M3> combine) {
        return new Source<>(Blueprints.chain(blueprint, flow, combine));
    }

    /** Sends the elements into a sink; keeps this value. */
    public RunnableGraph<M> to(Graph<? extends SinkShape<? super O>, ?> sink) {
        return toMat(sink, Keep.left());
    }

    /** Sends the elements into a sink; the function makes the value from both. */
    public <M2, M3> RunnableGraph<M3> toMat(
            Graph<? extends SinkShape<? super O>, M2> sink, BiFunction<? super M, ? super M2, ? extends M3> combine) {
        return new RunnableGraph<>(Blueprints.chain(blueprint, sink, combine));
    }

    /** Runs into the sink and hands back the sink's value. */
    public <M2> M2 runWith(Graph<? extends SinkShape<? super O>, M2> sink, StreamRuntime runtime) {
        return this.<M2, M2>toMat(sink, Keep.right()).run(runtime);
    }

    /** The same source with another materialized value. */
    public <M2> Source<O, M2> mapMaterializedValue(Function<? super M, ? extends M2> function) {
        return new Source<>(Blueprints.mapValue(blueprint, function));
    }

    /** Everything so far runs as an island of its own. */
    public Source<O, M> async() {
        return withAttributes(Attributes.asyncBoundary());
    }

    /** The same source under a name, which stands in the path of its operators. */
    public Source<O, M> named(String name) {
        return withAttributes(Attributes.name(name));
    }

    /** The same source with these attributes added to everything so far. */
    public Source<O, M> withAttributes(Attributes attributes) {
        return new Source<>(Blueprints.withAttributes(blueprint, attributes));
    }
}
