package io.millrace.streams;

import io.millrace.streams.engine.plan.Blueprint;
import io.millrace.streams.engine.plan.BlueprintGraph;
import io.millrace.streams.graph.Shape;

/** A graph that a {@link GraphBuilder} has put together. */
final class CompositeGraph<S extends Shape, M> extends BlueprintGraph<S, M> {
    private final S shape;

    CompositeGraph(S shape, Blueprint blueprint) {
        super(blueprint);
        this.shape = shape;
    }

    @Override
    public S shape() {
        return shape;
    }
}
