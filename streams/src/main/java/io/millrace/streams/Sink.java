package io.millrace.streams;

import io.millrace.streams.engine.Blueprint;
import java.util.function.Function;

/** A graph with one open inlet: where elements go. Immutable; every method hands back a new one. */
public final class Sink<I, M> implements Graph<SinkShape<I>, M> {
    private final Blueprint blueprint;
    private final SinkShape<I> shape;

    private Sink(Blueprint blueprint, SinkShape<I> shape) {
        this.blueprint = blueprint;
        this.shape = shape;
    }

    static <I, M> Sink<I, M> ofBlueprint(Blueprint blueprint) {
        return new Sink<>(blueprint, SinkShape.of(Inlet.create("sink.in")));
    }

    /** Any graph of this shape as a sink. */
    public static <I, M> Sink<I, M> fromGraph(Graph<SinkShape<I>, M> graph) {
        return graph instanceof Sink<I, M> sink ? sink : new Sink<>(Blueprints.of(graph), graph.shape());
    }

    @Override
    public SinkShape<I> shape() {
        return shape;
    }

    Blueprint blueprint() {
        return blueprint;
    }

    // OPERATORS

    /** The same sink with another materialized value. */
    public <M2> Sink<I, M2> mapMaterializedValue(Function<? super M, ? extends M2> function) {
        return ofBlueprint(Blueprints.mapValue(blueprint, function));
    }

    /** The whole sink runs as an island of its own. */
    public Sink<I, M> async() {
        return withAttributes(Attributes.asyncBoundary());
    }

    /** The same sink under a name, which stands in the path of its operators. */
    public Sink<I, M> named(String name) {
        return withAttributes(Attributes.name(name));
    }

    /** The same sink with these attributes added to it. */
    public Sink<I, M> withAttributes(Attributes attributes) {
        return ofBlueprint(Blueprints.withAttributes(blueprint, attributes));
    }
}
