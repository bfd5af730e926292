package io.millrace.streams.engine;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;

/** Lets every element through as a stage with handlers, so that what stands on its two sides is not one segment. */
public final class PassOnStage extends GraphStage<FlowShape<Integer, Integer>> {
    private final Inlet<Integer> in = Inlet.create("in");
    private final Outlet<Integer> out = Outlet.create("out");
    private final FlowShape<Integer, Integer> shape = FlowShape.of(in, out);

    @Override
    public FlowShape<Integer, Integer> shape() {
        return shape;
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic();
    }

    private final class Logic extends GraphStageLogic implements InHandler, OutHandler {
        Logic() {
            super(shape);
            setHandlers(in, out, this);
        }

        @Override
        public void onPush() {
            push(out, grab(in));
        }

        @Override
        public void onPull() {
            pull(in);
        }
    }
}
