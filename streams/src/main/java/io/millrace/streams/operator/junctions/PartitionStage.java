package io.millrace.streams.operator.junctions;

import io.millrace.streams.engine.failure.Verdict;
import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Emits each element at the output whose number a function gives; the element waits for that output. What belongs to an
 * output that has cancelled is dropped; goes on as long as one output is open.
 */
public final class PartitionStage<T> extends FanOutStage<T> {
    private final ThrowingFunction<? super T, Integer> chooser;
    private final boolean eagerCancel;

    public PartitionStage(int outputCount, ThrowingFunction<? super T, Integer> chooser) {
        this(outputCount, chooser, false);
    }

    /** Eagerly: the first output that cancels ends all, with its cause if that is a failure. */
    public PartitionStage(int outputCount, ThrowingFunction<? super T, Integer> chooser, boolean eagerCancel) {
        super("partition", outputCount);
        this.eagerCancel = eagerCancel;
        this.chooser = Objects.requireNonNull(chooser, "chooser");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic(inherited);
    }

    private final class Logic extends GraphStageLogic implements InHandler {
        private final Attributes inherited;
        private @Nullable T held;
        private int heldFor;
        private int askingOutputs;
        private int openOutputs = shape.outputCount();

        Logic(Attributes inherited) {
            super(shape);
            this.inherited = inherited;
            setHandler(shape.in(), this);
            for (int i = 0; i < shape.outputCount(); i++) {
                setHandler(shape.out(i), new Output(i));
            }
        }

        @Override
        public void onPush() throws Exception {
            T element = grab(shape.in());
            try {
                int choice = choose(element);
                if (!isClosed(shape.out(choice))) {
                    held = element;
                    heldFor = choice;
                }
            } catch (Exception failure) {
                if (!Verdict.dropsElement(inherited, failure)) {
                    throw failure;
                }
            }
            goOn();
        }

        private int choose(T element) throws Exception {
            int choice = Step.required(chooser.apply(element), "partition");
            if (choice < 0 || choice >= shape.outputCount()) {
                throw new IndexOutOfBoundsException("partition chose output " + choice + " of " + shape.outputCount());
            }
            return choice;
        }

        @Override
        public void onUpstreamFinish() {
            if (held == null) {
                completeStage();
            }
        }

        private void goOn() {
            T element = held;
            Outlet<T> out = shape.out(heldFor);
            if (element != null && isAvailable(out)) {
                held = null;
                askingOutputs--;
                push(out, element);
            }
            if (held != null) {
                return;
            }
            if (isClosed(shape.in())) {
                completeStage();
            } else if (askingOutputs > 0) {
                tryPull(shape.in());
            }
        }

        private final class Output implements OutHandler {
            private final int number;

            Output(int number) {
                this.number = number;
            }

            @Override
            public void onPull() {
                askingOutputs++;
                goOn();
            }

            @Override
            public void onDownstreamFinish(Throwable cause) {
                openOutputs--;
                if (openOutputs == 0) {
                    cancelStage(cause);
                    return;
                }
                if (eagerCancel) {
                    EagerCancel.end(StageContext.of(Logic.this), cause);
                    return;
                }
                if (heldFor == number) {
                    held = null;
                }
                askingOutputs = countAsking();
                goOn();
            }
        }

        private int countAsking() {
            int asking = 0;
            for (int i = 0; i < shape.outputCount(); i++) {
                asking += isAvailable(shape.out(i)) ? 1 : 0;
            }
            return asking;
        }
    }
}
