package io.millrace.streams.stage;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.Shape;

/** The blueprint of an operator that gives back a value for each run; immutable and shared by all runs. */
public abstract class GraphStageWithMaterializedValue<S extends Shape, M> implements Graph<S, M> {
    protected GraphStageWithMaterializedValue() {}

    @Override
    public abstract S shape();

    /** The logic and the value of one run; called once per run, on the thread that runs the graph. */
    public abstract LogicAndValue<M> createLogicAndValue(Attributes inherited);

    /** The name in paths and snapshots. */
    public String name() {
        String simple = getClass().getSimpleName();
        return simple.isEmpty() ? getClass().getName() : simple;
    }

    @Override
    public String toString() {
        return name();
    }
}
