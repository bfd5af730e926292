package io.millrace.streams.operator.junctions;

import io.millrace.streams.engine.batch.BatchSource;
import io.millrace.streams.engine.island.Edge;
import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.engine.plan.Absorbing;
import io.millrace.streams.engine.plan.JunctionTree;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.FanInShape;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Emits the elements of all inputs as they come; completes when all inputs have completed. An input that may have a
 * batch is asked when downstream asks, any other one from the start on.
 */
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
    public boolean absorbs(GraphStageWithMaterializedValue<?, ?> above, int inlet) {
        return above instanceof MergeStage;
    }

    @Override
    public MergeStage<T> ofTree(JunctionTree tree) {
        return new MergeStage<>(tree.inputCount());
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic();
    }

    private final class Logic extends GraphStageLogic implements OutHandler, BatchSource {
        private final Queue<Input> waiting = new ArrayDeque<>(2);
        private final Queue<Input> idle = new ArrayDeque<>(shape.inputCount());
        private @Nullable Edge out;
        /** The one whose batch the stage below takes. */
        private @Nullable Input batchInput;

        private int openInputs = shape.inputCount();

        Logic() {
            super(shape);
            setHandler(shape.out(), this);
            InHandler[] inputs = new InHandler[openInputs];
            for (int i = 0; i < inputs.length; i++) {
                Input input = new Input();
                inputs[i] = input;
                idle.add(input);
            }
            StageContext.of(this).setInHandlers(inputs);
        }

        @Override
        public void preStart() {
            StageContext context = StageContext.of(this);
            out = context.out(shape.out());
            if (openInputs == 0) {
                completeStage();
            }
            for (int i = 0; i < shape.inputCount(); i++) {
                Input input = idle.remove();
                input.edge = context.in(i);
                input.goOn();
            }
        }

        @Override
        public void onPull() {
            Input next = waiting.poll();
            int others = idle.size();
            if (next != null) {
                next.pass(downstream());
                if (next.edge().mayHaveBatch()) {
                    return;
                }
            }
            // Also while others wait: one that is asked again at once and always has something would starve them.
            for (; others > 0; others--) {
                Input asked = idle.poll();
                if (asked != null) {
                    asked.edge().tryPull();
                }
            }
        }

        private Edge downstream() {
            if (out == null) {
                throw new IllegalStateException("the edges of a merge are known from its start on");
            }
            return out;
        }

        @Override
        public @Nullable Iterator<?> openBatch() {
            if (!waiting.isEmpty()) {
                return null;
            }
            for (Input next = idle.poll(); next != null; next = idle.poll()) {
                Iterator<?> elements = next.edge().openBatch();
                if (elements != null) {
                    batchInput = next;
                    return elements;
                }
                next.edge().tryPull();
            }
            return null;
        }

        @Override
        public void closeBatch(int count, @Nullable Throwable thrown) {
            Input taken = batchInput;
            if (taken != null) {
                batchInput = null;
                idle.add(taken);
                taken.edge().closeBatch(count, thrown);
            }
        }

        private void completeIfDrained() {
            if (openInputs == 0 && waiting.isEmpty()) {
                completeStage();
            }
        }

        private final class Input implements InHandler {
            private @Nullable Edge edge;

            private Edge edge() {
                return Edge.required(edge);
            }

            /** Asks for an element, or waits to be asked for a batch. */
            void goOn() {
                if (edge().mayHaveBatch()) {
                    idle.add(this);
                } else {
                    edge().tryPull();
                }
            }

            @Override
            public void onPush() {
                Edge downstream = downstream();
                if (downstream.isDemandAvailable()) {
                    pass(downstream);
                } else {
                    waiting.add(this);
                }
            }

            private void pass(Edge downstream) {
                downstream.push(edge().grab());
                goOn();
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
