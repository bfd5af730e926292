package io.millrace.streams.operator.junctions;

import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.BidiShape;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;

/** Lets two streams through, of which each ends as the other does; elements of the one do not wait for those of the other. */
public final class CoupledStage<I, O> extends GraphStage<BidiShape<I, I, O, O>> {
    private final BidiShape<I, I, O, O> shape = BidiShape.of(
            Inlet.create("coupled.in0"),
            Outlet.create("coupled.out0"),
            Inlet.create("coupled.in1"),
            Outlet.create("coupled.out1"));

    @Override
    public BidiShape<I, I, O, O> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "coupled";
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic();
    }

    private final class Logic extends GraphStageLogic {
        Logic() {
            super(shape);
            setHandlers(shape.in1(), shape.out1(), new Line<>(shape.in1(), shape.out1()));
            setHandlers(shape.in2(), shape.out2(), new Line<>(shape.in2(), shape.out2()));
        }

        /** One of the streams, whose end is that of the stage. */
        private final class Line<T> implements InHandler, OutHandler {
            private final Inlet<T> in;
            private final Outlet<T> out;

            Line(Inlet<T> in, Outlet<T> out) {
                this.in = in;
                this.out = out;
            }

            @Override
            public void onPush() {
                push(out, grab(in));
            }

            @Override
            public void onPull() {
                pull(in);
            }

            @Override
            public void onDownstreamFinish(Throwable cause) {
                EagerCancel.end(StageContext.of(Logic.this), cause);
            }
        }
    }
}
