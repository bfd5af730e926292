package io.millrace.streams.operator.junctions;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;
import java.util.ArrayDeque;
import java.util.Queue;

/** Emits each element at the output that has asked for the longest; goes on as long as one output is open. */
public final class BalanceStage<T> extends FanOutStage<T> {
    private final boolean waitsForAll;

    public BalanceStage(int outputCount) {
        this(outputCount, false);
    }

    /** Waiting for all: asks for its first element only when every output has asked, so that none is left out. */
    public BalanceStage(int outputCount, boolean waitsForAll) {
        super("balance", outputCount);
        this.waitsForAll = waitsForAll;
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic();
    }

    private final class Logic extends GraphStageLogic implements InHandler {
        private final Queue<Outlet<T>> asking = new ArrayDeque<>();
        private int openOutputs = shape.outputCount();
        private boolean isWaiting = waitsForAll;

        Logic() {
            super(shape);
            setHandler(shape.in(), this);
            for (int i = 0; i < shape.outputCount(); i++) {
                setHandler(shape.out(i), new Output(shape.out(i)));
            }
        }

        @Override
        public void onPush() {
            if (!asking.isEmpty()) {
                pass();
            }
        }

        @Override
        public void onUpstreamFinish() {
            if (!isAvailable(shape.in())) {
                completeStage();
            }
        }

        private void pass() {
            push(asking.remove(), grab(shape.in()));
            if (isClosed(shape.in())) {
                completeStage();
            } else if (!asking.isEmpty()) {
                pull(shape.in());
            }
        }

        private final class Output implements OutHandler {
            private final Outlet<T> out;

            Output(Outlet<T> out) {
                this.out = out;
            }

            @Override
            public void onPull() {
                asking.add(out);
                if (isAvailable(shape.in())) {
                    pass();
                } else {
                    pullIfReady();
                }
            }

            @Override
            public void onDownstreamFinish(Throwable cause) {
                asking.remove(out);
                openOutputs--;
                if (openOutputs == 0) {
                    cancelStage(cause);
                } else if (isWaiting) {
                    pullIfReady();
                }
            }

            private void pullIfReady() {
                isWaiting = isWaiting && asking.size() < openOutputs;
                if (!isWaiting) {
                    tryPull(shape.in());
                }
            }
        }
    }
}
