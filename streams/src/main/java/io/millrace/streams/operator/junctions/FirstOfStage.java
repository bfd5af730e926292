package io.millrace.streams.operator.junctions;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.FanInShape;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;

/** Emits the elements of the input that is the first to have one, and cancels the others. */
public final class FirstOfStage<T> extends FanInStage<T, T> {
    private static final int NONE = -1;

    public FirstOfStage(int inputCount) {
        super("firstOf", inputCount);
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic(shape());
    }

    private final class Logic extends GraphStageLogic implements OutHandler {
        private final FanInShape<T, T> shape;
        private final FirstFailure failures = new FirstFailure();
        private int winner = NONE;
        private int openInputs;

        Logic(FanInShape<T, T> shape) {
            super(shape);
            this.shape = shape;
            openInputs = shape.inputCount();
            setHandler(shape.out(), this);
            for (int i = 0; i < openInputs; i++) {
                setHandler(shape.in(i), new Input(i));
            }
        }

        @Override
        public void onPull() {
            if (winner != NONE) {
                tryPull(shape.in(winner));
                return;
            }
            for (int i = 0; i < shape.inputCount(); i++) {
                tryPull(shape.in(i));
            }
        }

        private void win(int input) {
            winner = input;
            for (int i = 0; i < shape.inputCount(); i++) {
                if (i != input) {
                    cancel(shape.in(i));
                }
            }
        }

        private void lose() {
            openInputs--;
            if (openInputs > 0) {
                return;
            }
            Throwable failure = failures.failure();
            if (failure == null) {
                completeStage();
            } else {
                failStage(failure);
            }
        }

        private final class Input implements InHandler {
            private final int number;

            Input(int number) {
                this.number = number;
            }

            @Override
            public void onPush() {
                if (winner == NONE) {
                    win(number);
                }
                push(shape.out(), grab(shape.in(number)));
            }

            @Override
            public void onUpstreamFinish() {
                if (winner == number) {
                    completeStage();
                } else {
                    lose();
                }
            }

            @Override
            public void onUpstreamFailure(Throwable failure) {
                if (winner == number) {
                    failStage(failure);
                } else {
                    failures.add(failure);
                    lose();
                }
            }
        }
    }
}
