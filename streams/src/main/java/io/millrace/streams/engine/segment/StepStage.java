package io.millrace.streams.engine.segment;

import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Outlet;

/** A synchronous operator with one inlet and one outlet: one step of a segment. */
public abstract non-sealed class StepStage<I, O> extends SynchronousStage<FlowShape<I, O>, NotUsed> {
    private final Step<I> step;

    protected StepStage(String name, Step<I> step) {
        super(name);
        this.step = step;
    }

    final Step<I> step() {
        return step;
    }

    /** A hash of the classes that it is made of, as far as is at hand. */
    public final int kindHash() {
        return step.function().getClass().hashCode();
    }

    @Override
    final FlowShape<I, O> newShape(String operatorName) {
        return FlowShape.of(Inlet.create(operatorName + ".in"), Outlet.create(operatorName + ".out"));
    }
}
