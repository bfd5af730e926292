package io.millrace.streams.operator;

import io.millrace.streams.Attributes;
import io.millrace.streams.FanOutShape;
import io.millrace.streams.Outlet;
import io.millrace.streams.engine.Connection;
import io.millrace.streams.engine.StageAccess;
import io.millrace.streams.engine.StageCell;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Emits each element at all outputs once all of them ask for it; an output that cancels is left out from then on. */
public final class BroadcastStage<T> extends GraphStage<FanOutShape<T, T>> {
    private final FanOutShape<T, T> shape;

    public BroadcastStage(int outputCount) {
        shape = FanOutShape.of("broadcast", outputCount);
    }

    @Override
    public FanOutShape<T, T> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "broadcast";
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic();
    }

    private final class Logic extends GraphStageLogic implements InHandler {
        private final List<Output> outputs = new ArrayList<>(shape.outputCount());
        private int missingDemand = shape.outputCount();
        private int openOutputs = shape.outputCount();

        Logic() {
            super(shape);
            setHandler(shape.in(), this);
            for (int i = 0; i < shape.outputCount(); i++) {
                Output output = new Output(shape.out(i));
                outputs.add(output);
                setHandler(shape.out(i), output);
            }
        }

        @Override
        public void preStart() {
            StageCell cell = StageAccess.cell(this);
            for (Output output : outputs) {
                output.edge = cell.out(output.out);
            }
        }

        @Override
        public void onPush() {
            T element = grab(shape.in());
            missingDemand = openOutputs;
            for (Output output : outputs) {
                Connection edge = output.edge;
                if (edge != null && !edge.isOutClosed()) {
                    output.asking = false;
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
            private final Outlet<T> out;
            private @Nullable Connection edge;
            private boolean asking;

            Output(Outlet<T> out) {
                this.out = out;
            }

            @Override
            public void onPull() {
                asking = true;
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
                if (!asking) {
                    missingDemand--;
                    pullIfAllAsk();
                }
            }
        }
    }
}
