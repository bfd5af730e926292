package io.millrace.streams.stage;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Shape;

/** The blueprint of an operator without a materialized value; immutable and shared by all runs. */
public abstract class GraphStage<S extends Shape> extends GraphStageWithMaterializedValue<S, NotUsed> {
    protected GraphStage() {}

    /** The logic of one run; called once per run, on the thread that runs the graph. */
    public abstract GraphStageLogic createLogic(Attributes inherited);

    @Override
    public final LogicAndValue<NotUsed> createLogicAndValue(Attributes inherited) {
        return new LogicAndValue<>(createLogic(inherited), NotUsed.NOT_USED);
    }
}
