package io.millrace.streams.operator;

import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;

/** An operator with one inlet and one outlet. */
public abstract class LinearStage<I, O> extends GraphStage<FlowShape<I, O>> {
    private final String name;
    private final FlowShape<I, O> shape;

    public LinearStage(String name) {
        this.name = name;
        shape = FlowShape.of(Inlet.create(name + ".in"), Outlet.create(name + ".out"));
    }

    @Override
    public final FlowShape<I, O> shape() {
        return shape;
    }

    @Override
    public final String name() {
        return name;
    }

    /** The logic of such an operator: demand goes up, and endings go through, unless it says otherwise. */
    public abstract static class Logic<I, O> extends GraphStageLogic implements InHandler, OutHandler {
        protected final Inlet<I> in;
        protected final Outlet<O> out;

        protected Logic(LinearStage<I, O> stage) {
            super(stage.shape);
            in = stage.shape.in();
            out = stage.shape.out();
            setHandler(in, this);
            setHandler(out, this);
        }

        @Override
        public void onPull() throws Exception {
            pull(in);
        }
    }
}
