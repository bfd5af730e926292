package io.millrace.streams.operator;

import io.millrace.streams.Attributes;
import io.millrace.streams.FanInShape;
import io.millrace.streams.Inlet;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;
import java.util.ArrayDeque;
import java.util.Queue;

/** Emits the elements of all inputs as they come; completes when all inputs have completed. */
public final class MergeStage<T> extends GraphStage<FanInShape<T, T>> {
    private final FanInShape<T, T> shape;

    public MergeStage(int inputCount) {
        shape = FanInShape.of("merge", inputCount);
    }

    @Override
    public FanInShape<T, T> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "merge";
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic();
    }

    private final class Logic extends GraphStageLogic implements OutHandler {
        private final Queue<Inlet<T>> waiting = new ArrayDeque<>();
        private int openInputs = shape.inputCount();

        Logic() {
            super(shape);
            setHandler(shape.out(), this);
            for (int i = 0; i < shape.inputCount(); i++) {
                setHandler(shape.in(i), new Input(shape.in(i)));
            }
        }

        @Override
        public void preStart() {
            if (openInputs == 0) {
                completeStage();
            }
            for (int i = 0; i < shape.inputCount(); i++) {
                tryPull(shape.in(i));
            }
        }

        @Override
        public void onPull() {
            Inlet<T> next = waiting.poll();
            if (next != null) {
                pass(next);
            }
        }

        private void pass(Inlet<T> in) {
            push(shape.out(), grab(in));
            tryPull(in);
            completeIfDrained();
        }

        private void completeIfDrained() {
            if (openInputs == 0 && waiting.isEmpty()) {
                completeStage();
            }
        }

        private final class Input implements InHandler {
            private final Inlet<T> in;

            Input(Inlet<T> in) {
                this.in = in;
            }

            @Override
            public void onPush() {
                if (isAvailable(shape.out())) {
                    pass(in);
                } else {
                    waiting.add(in);
                }
            }

            @Override
            public void onUpstreamFinish() {
                openInputs--;
                completeIfDrained();
            }
        }
    }
}
