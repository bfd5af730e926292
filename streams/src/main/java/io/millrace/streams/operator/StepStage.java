package io.millrace.streams.operator;

import io.millrace.streams.FlowShape;
import io.millrace.streams.Inlet;
import io.millrace.streams.NotUsed;
import io.millrace.streams.Outlet;
import io.millrace.streams.engine.Fusable;
import io.millrace.streams.engine.Step;

/** A synchronous operator with one inlet and one outlet. */
abstract class StepStage<I, O> extends SynchronousStage<FlowShape<I, O>, NotUsed> implements Fusable.ByStep {
    private final Step<I> step;

    StepStage(String name, Step<I> step) {
        super(name);
        this.step = step;
    }

    @Override
    public final Step<I> step() {
        return step;
    }

    @Override
    final FlowShape<I, O> newShape(String operatorName) {
        return FlowShape.of(Inlet.create(operatorName + ".in"), Outlet.create(operatorName + ".out"));
    }
}
