package io.millrace.streams.operator;

import io.millrace.streams.Attributes;
import io.millrace.streams.FanInShape;
import io.millrace.streams.engine.Absorbing;
import io.millrace.streams.engine.Connection;
import io.millrace.streams.engine.StageAccess;
import io.millrace.streams.engine.StageCell;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;
import java.util.ArrayDeque;
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
        private final Connection[] edges = new Connection[shape.inputCount()];
        private @Nullable Connection out;
        private int openInputs = shape.inputCount();

        Logic() {
            super(shape);
            setHandler(shape.out(), this);
            InHandler[] inputs = new InHandler[edges.length];
            for (int i = 0; i < inputs.length; i++) {
                inputs[i] = new Input(i);
            }
            StageAccess.cell(this).setInHandlers(inputs);
        }

        @Override
        public void preStart() {
            StageCell cell = StageAccess.cell(this);
            out = cell.out(shape.out());
            if (openInputs == 0) {
                completeStage();
            }
            for (int i = 0; i < edges.length; i++) {
                edges[i] = cell.in(i);
                edges[i].tryPull();
            }
        }

        @Override
        public void onPull() {
            Input next = waiting.poll();
            if (next != null) {
                next.pass(downstream());
            }
        }

        private Connection downstream() {
            if (out == null) {
                throw new IllegalStateException("the edges of a merge are known from its start on");
            }
            return out;
        }

        private void completeIfDrained() {
            if (openInputs == 0 && waiting.isEmpty()) {
                completeStage();
            }
        }

        private final class Input implements InHandler {
            private final int place;

            Input(int place) {
                this.place = place;
            }

            @Override
            public void onPush() {
                Connection downstream = downstream();
                if (downstream.isDemandAvailable()) {
                    pass(downstream);
                } else {
                    waiting.add(this);
                }
            }

            private void pass(Connection downstream) {
                Connection upstream = edges[place];
                downstream.push(upstream.grab());
                upstream.tryPull();
                completeIfDrained();
            }

            @Override
            public void onUpstreamFinish() {
                openInputs--;
                completeIfDrained();
            }
        }
    }
}
