package io.millrace.streams.operator.junctions;

import io.millrace.streams.engine.island.Edge;
import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;

/** Emits each element at all outputs once all of them ask for it; an output that cancels is left out from then on. */
public final class BroadcastStage<T> extends FanOutStage<T> {
    private final boolean eagerCancel;

    public BroadcastStage(int outputCount) {
        this(outputCount, false);
    }

    /** Eagerly: the first output that cancels ends all, with its cause if that is a failure. */
    public BroadcastStage(int outputCount, boolean eagerCancel) {
        super("broadcast", outputCount);
        this.eagerCancel = eagerCancel;
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic();
    }

    private final class Logic extends GraphStageLogic implements InHandler {
        private final StageContext context = StageContext.of(this);
        private int missingDemand = shape.outputCount();
        private int openOutputs = shape.outputCount();
        /** Which element is the last that was sent; an output that asks says for which. */
        private long round;

        Logic() {
            super(shape);
            setHandler(shape.in(), this);
            OutHandler[] outputs = new OutHandler[openOutputs];
            for (int i = 0; i < outputs.length; i++) {
                outputs[i] = new Output();
            }
            context.setOutHandlers(outputs);
        }

        @Override
        public void onPush() {
            T element = grab(shape.in());
            missingDemand = openOutputs;
            round++;
            for (int i = 0; i < shape.outputCount(); i++) {
                Edge edge = context.out(i);
                if (!edge.isOutClosed()) {
                    edge.push(element);
                }
            }
        }

        private void pullIfAllAsk() {
            if (missingDemand == 0) {
                tryPull(shape.in());
            }
        }

        private final class Output implements OutHandler {
            private long asksAfter = -1;

            @Override
            public void onPull() {
                asksAfter = round;
                missingDemand--;
                pullIfAllAsk();
            }

            @Override
            public void onDownstreamFinish(Throwable cause) {
                openOutputs--;
                if (openOutputs == 0) {
                    cancelStage(cause);
                    return;
                }
                if (eagerCancel) {
                    EagerCancel.end(context, cause);
                    return;
                }
                if (asksAfter != round) {
                    missingDemand--;
                    pullIfAllAsk();
                }
            }
        }
    }
}
