package io.millrace.streams;

import io.millrace.streams.engine.Blueprint;
import java.util.function.BiFunction;
import java.util.function.Function;

/** A graph with one open inlet and one open outlet. Immutable; every method hands back a new one. */
public final class Flow<I, O, M> implements Graph<FlowShape<I, O>, M> {
    private final Blueprint blueprint;
    private final FlowShape<I, O> shape;

    private Flow(Blueprint blueprint) {
        this(blueprint, FlowShape.of(Inlet.create("flow.in"), Outlet.create("flow.out")));
    }

    private Flow(Blueprint blueprint, FlowShape<I, O> shape) {
        this.blueprint = blueprint;
        this.shape = shape;
    }

    /** Any graph of this shape as a flow. */
    public static <I, O, M> Flow<I, O, M> fromGraph(Graph<FlowShape<I, O>, M> graph) {
        return graph instanceof Flow<I, O, M> flow ? flow : new Flow<>(Blueprints.of(graph), graph.shape());
    }

    @Override
    public FlowShape<I, O> shape() {
        return shape;
    }

    Blueprint blueprint() {
        return blueprint;
    }

    // OPERATORS

    /** Passes the elements through another flow; keeps this value. */
    public <P> Flow<I, P, M> via(Graph<? extends FlowShape<? super O, P>, ?> flow) {
        return viaMat(flow, Keep.left());
    }

    /** Passes the elements through another flow; the function makes the value from both. */
    public <P, M2, M3> Flow<I, P, M3> viaMat(
            Graph<? extends FlowShape<? super O, P>, M2> flow,
            BiFunction<? super M, ? super M2, ? extends M3> combine) {
        return new Flow<>(Blueprints.chain(blueprint, flow, combine));
    }

    /** Sends the elements into a sink; keeps this value. */
    public Sink<I, M> to(Graph<? extends SinkShape<? super O>, ?> sink) {
        return toMat(sink, Keep.left());
    }

    /** Sends the elements into a sink; the function makes the value from both. */
    public <M2, M3> Sink<I, M3> toMat(
            Graph<? extends SinkShape<? super O>, M2> sink, BiFunction<? super M, ? super M2, ? extends M3> combine) {
        return Sink.ofBlueprint(Blueprints.chain(blueprint, sink, combine));
    }

    /** The same flow with another materialized value. */
    public <M2> Flow<I, O, M2> mapMaterializedValue(Function<? super M, ? extends M2> function) {
        return new Flow<>(Blueprints.mapValue(blueprint, function));
    }

    /** Everything so far runs as an island of its own. */
    public Flow<I, O, M> async() {
        return withAttributes(Attributes.asyncBoundary());
    }

    /** The same flow under a name, which stands in the path of its operators. */
    public Flow<I, O, M> named(String name) {
        return withAttributes(Attributes.name(name));
    }

    /** The same flow with these attributes added to everything so far. */
    public Flow<I, O, M> withAttributes(Attributes attributes) {
        return new Flow<>(Blueprints.withAttributes(blueprint, attributes));
    }
}
