package io.millrace.streams.engine.segment;

import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Outlet;

/** A synchronous operator that makes many elements of one: it begins a segment at an inlet. */
public abstract non-sealed class ExpansionStage<I, O> extends SynchronousStage<FlowShape<I, O>, NotUsed> {
    private final Expansion<I> expansion;

    protected ExpansionStage(String name, Expansion<I> expansion) {
        super(name);
        this.expansion = expansion;
    }

    final Expansion<I> expansion() {
        return expansion;
    }

    @Override
    final FlowShape<I, O> newShape(String operatorName) {
        return FlowShape.of(Inlet.create(operatorName + ".in"), Outlet.create(operatorName + ".out"));
    }
}
