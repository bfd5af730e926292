package io.millrace.streams.operator.sinks;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;

/** Cancels at once. */
public final class CancelledSink<I> extends GraphStage<SinkShape<I>> {
    private final Inlet<I> in = Inlet.create("cancelled.in");
    private final SinkShape<I> shape = SinkShape.of(in);

    @Override
    public SinkShape<I> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "cancelled";
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic();
    }

    private final class Logic extends GraphStageLogic implements InHandler {
        Logic() {
            super(shape);
            setHandler(in, this);
        }

        @Override
        public void preStart() {
            cancel(in);
        }

        @Override
        public void onPush() {
            throw new IllegalStateException("an element has come that was never asked for");
        }
    }
}
