package io.millrace.streams.operator;

import io.millrace.streams.Attributes;
import io.millrace.streams.FanInShape;
import io.millrace.streams.Inlet;
import io.millrace.streams.engine.Absorbing;
import io.millrace.streams.engine.Connection;
import io.millrace.streams.engine.StageAccess;
import io.millrace.streams.engine.StageCell;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** Emits the elements of all inputs as they come; completes when all inputs have completed. */
public final class MergeStage<T> extends GraphStage<FanInShape<T, T>> implements Absorbing {
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
    public MergeStage<T> withInputs(int count) {
        return new MergeStage<>(count);
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic();
    }

    private final class Logic extends GraphStageLogic implements OutHandler {
        private final Queue<Input> waiting = new ArrayDeque<>(2);
        private final List<Input> inputs = new ArrayList<>(shape.inputCount());
        private @Nullable Connection out;
        private int openInputs = shape.inputCount();

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
            StageCell cell = StageAccess.cell(this);
            out = cell.out(shape.out());
            if (openInputs == 0) {
                completeStage();
            }
            for (Input input : inputs) {
                input.edge = cell.in(input.in);
                input.edge.tryPull();
            }
        }

        @Override
        public void onPull() {
            Input next = waiting.poll();
            if (next != null) {
                pass(next, edge(out));
            }
        }

        private void pass(Input input, Connection downstream) {
            Connection upstream = edge(input.edge);
            downstream.push(upstream.grab());
            upstream.tryPull();
            completeIfDrained();
        }

        private void completeIfDrained() {
            if (openInputs == 0 && waiting.isEmpty()) {
                completeStage();
            }
        }

        private final class Input implements InHandler {
            private final Inlet<T> in;
            private @Nullable Connection edge;

            Input(Inlet<T> in) {
                this.in = in;
            }

            @Override
            public void onPush() {
                Connection downstream = edge(out);
                if (downstream.isDemandAvailable()) {
                    pass(this, downstream);
                } else {
                    waiting.add(this);
                }
            }

            @Override
            public void onUpstreamFinish() {
                openInputs--;
                completeIfDrained();
            }
        }
    }

    private static Connection edge(@Nullable Connection found) {
        if (found == null) {
            throw new IllegalStateException("the edges of a merge are known from its start on");
        }
        return found;
    }
}
