package io.millrace.streams.engine.plan;

import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.Shape;

/** A graph that was put together from others: all there is in it is its blueprint. Immutable. */
public abstract class BlueprintGraph<S extends Shape, M> implements Graph<S, M> {
    private final Blueprint blueprint;

    protected BlueprintGraph(Blueprint blueprint) {
        this.blueprint = blueprint;
    }

    /** What it consists of. */
    protected final Blueprint blueprint() {
        return blueprint;
    }
}
