package io.millrace.streams.operator.junctions;

import io.millrace.streams.engine.batch.BatchSource;
import io.millrace.streams.engine.island.Edge;
import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.engine.plan.Absorbing;
import io.millrace.streams.engine.plan.JunctionTree;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.FanInShape;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Emits all elements of the first input, then all of the next, and so on; a failure waits for its turn, too, or, if
 * errors are delayed, until all inputs have ended.
 */
public final class ConcatStage<T> extends GraphStage<FanInShape<T, T>> implements Absorbing {
    private final boolean delaysErrors;
    private final FanInShape<T, T> shape;

    public ConcatStage(int inputCount) {
        this(inputCount, false);
    }

    public ConcatStage(int inputCount, boolean delaysErrors) {
        this.delaysErrors = delaysErrors;
        shape = FanInShape.of(delaysErrors ? "concatDelayError" : "concat", inputCount);
    }

    @Override
    public FanInShape<T, T> shape() {
        return shape;
    }

    @Override
    public String name() {
        return delaysErrors ? "concatDelayError" : "concat";
    }

    /** Delayed errors of a tree are put together as by each junction of it: those of its first inlet only come in their order. */
    @Override
    public boolean absorbs(GraphStageWithMaterializedValue<?, ?> above, int inlet) {
        return above instanceof ConcatStage<?> concat
                && concat.delaysErrors == delaysErrors
                && (inlet == 0 || !delaysErrors);
    }

    @Override
    public ConcatStage<T> ofTree(JunctionTree tree) {
        return new ConcatStage<>(tree.inputCount(), delaysErrors);
    }

    /** Whether failures wait until all inputs have ended. */
    public boolean delaysErrors() {
        return delaysErrors;
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic();
    }

    private final class Logic extends GraphStageLogic implements OutHandler, BatchSource {
        private final List<Input> inputs = new ArrayList<>();
        private final FirstFailure failures = new FirstFailure();
        private int current;

        Logic() {
            super(shape);
            setHandler(shape.out(), this);
            for (int i = 0; i < shape.inputCount(); i++) {
                Input input = new Input(shape.in(i));
                inputs.add(input);
                setHandler(shape.in(i), input);
            }
        }

        @Override
        public void preStart() {
            skipClosed();
        }

        @Override
        public void onPull() {
            tryPull(shape.in(current));
        }

        @Override
        public @Nullable Iterator<?> openBatch() {
            return current == shape.inputCount() ? null : edge().openBatch();
        }

        @Override
        public void closeBatch(int count, @Nullable Throwable thrown) {
            edge().closeBatch(count, thrown);
        }

        private Edge edge() {
            return StageContext.of(this).in(current);
        }

        private void skipClosed() {
            while (current < shape.inputCount() && isClosed(shape.in(current))) {
                Throwable failure = inputs.get(current).failure;
                if (failure != null) {
                    failures.add(failure);
                    if (!delaysErrors) {
                        break;
                    }
                }
                current++;
            }
            Throwable failure = failures.failure();
            boolean isOver = current == shape.inputCount();
            if (failure != null && (isOver || !delaysErrors)) {
                failStage(failure);
            } else if (isOver) {
                completeStage();
            } else if (isAvailable(shape.out())) {
                tryPull(shape.in(current));
            }
        }

        private final class Input implements InHandler {
            private final Inlet<T> in;
            private @Nullable Throwable failure;

            Input(Inlet<T> in) {
                this.in = in;
            }

            @Override
            public void onPush() {
                push(shape.out(), grab(in));
            }

            @Override
            public void onUpstreamFinish() {
                skipClosed();
            }

            @Override
            public void onUpstreamFailure(Throwable cause) {
                failure = cause;
                skipClosed();
            }
        }
    }
}
