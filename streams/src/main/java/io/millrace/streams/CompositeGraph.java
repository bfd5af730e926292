package io.millrace.streams;

import io.millrace.streams.engine.Blueprint;

/** A graph that a {@link GraphBuilder} has put together. */
final class CompositeGraph<S extends Shape, M> implements Graph<S, M> {
    private final S shape;
    private final Blueprint blueprint;

    CompositeGraph(S shape, Blueprint blueprint) {
        this.shape = shape;
        this.blueprint = blueprint;
    }

    @Override
    public S shape() {
        return shape;
    }

    Blueprint blueprint() {
        return blueprint;
    }
}
