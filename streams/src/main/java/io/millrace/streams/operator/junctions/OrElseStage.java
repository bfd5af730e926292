package io.millrace.streams.operator.junctions;

import io.millrace.streams.engine.batch.BatchSource;
import io.millrace.streams.engine.island.Edge;
import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.engine.plan.Absorbing;
import io.millrace.streams.engine.plan.JunctionTree;
import io.millrace.streams.failure.DownstreamFinished;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.FanInShape;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** Emits the elements of the first input that does not complete without one; a failure waits for its turn. */
public final class OrElseStage<T> extends FanInStage<T, T> implements Absorbing {
    public OrElseStage() {
        this(2);
    }

    private OrElseStage(int inputCount) {
        super("orElse", inputCount);
    }

    @Override
    public boolean absorbs(GraphStageWithMaterializedValue<?, ?> above, int inlet) {
        return above instanceof OrElseStage;
    }

    @Override
    public OrElseStage<T> ofTree(JunctionTree tree) {
        return new OrElseStage<>(tree.inputCount());
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic(shape());
    }

    private final class Logic extends GraphStageLogic implements OutHandler, BatchSource {
        private final FanInShape<T, T> shape;
        private int current;
        /** Those behind are out of the question: there was an element, or a failure. */
        private int inputCount;

        private @Nullable Throwable failureOfLast;

        Logic(FanInShape<T, T> shape) {
            super(shape);
            this.shape = shape;
            inputCount = shape.inputCount();
            setHandler(shape.out(), this);
            for (int i = 0; i < inputCount; i++) {
                setHandler(shape.in(i), new Input(i));
            }
        }

        @Override
        public void onPull() {
            edge().tryPull();
        }

        @Override
        public @Nullable Iterator<?> openBatch() {
            return edge().openBatch();
        }

        @Override
        public void closeBatch(int count, @Nullable Throwable thrown) {
            if (count > 0) {
                choose(current);
            }
            edge().closeBatch(count, thrown);
        }

        private Edge edge() {
            return StageContext.of(this).in(current);
        }

        /** Nothing counts any more of those behind the one that has had an element. */
        private void choose(int input) {
            failureOfLast = null;
            cancelFrom(input + 1, new DownstreamFinished());
        }

        private void cancelFrom(int from, Throwable cause) {
            StageContext context = StageContext.of(this);
            int to = inputCount;
            inputCount = Math.min(from, to);
            for (int i = from; i < to; i++) {
                context.in(i).cancel(cause);
            }
        }

        private void goOn() {
            while (current < inputCount && edge().isInClosed() && !hasFailed(current)) {
                current++;
            }
            if (current == inputCount) {
                completeStage();
            } else if (failureOfLast != null && hasFailed(current)) {
                failStage(failureOfLast);
            } else if (isAvailable(shape.out())) {
                edge().tryPull();
            }
        }

        private boolean hasFailed(int input) {
            return failureOfLast != null && input == inputCount - 1;
        }

        private final class Input implements InHandler {
            private final int number;

            Input(int number) {
                this.number = number;
            }

            @Override
            public void onPush() {
                choose(number);
                push(shape.out(), grab(shape.in(number)));
            }

            @Override
            public void onUpstreamFinish() {
                if (number == current) {
                    goOn();
                }
            }

            @Override
            public void onUpstreamFailure(Throwable failure) {
                failureOfLast = failure;
                cancelFrom(number + 1, failure);
                if (number == current) {
                    failStage(failure);
                }
            }
        }
    }
}
