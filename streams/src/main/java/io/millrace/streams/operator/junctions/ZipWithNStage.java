package io.millrace.streams.operator.junctions;

import io.millrace.streams.engine.failure.Verdict;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.FanInShape;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/** Makes one element of one from each of many inputs; completes as soon as one can deliver no more. */
public final class ZipWithNStage<I, O> extends GraphStage<FanInShape<I, O>> {
    private final String name;
    private final ThrowingFunction<? super List<I>, ? extends O> function;
    private final FanInShape<I, O> shape;

    public ZipWithNStage(String name, int inputCount, ThrowingFunction<? super List<I>, ? extends O> function) {
        this.name = name;
        this.function = Objects.requireNonNull(function, "function");
        shape = FanInShape.of(name, inputCount);
    }

    @Override
    public FanInShape<I, O> shape() {
        return shape;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic(inherited);
    }

    private final class Logic extends GraphStageLogic implements OutHandler {
        private final Attributes inherited;
        private int missing;
        private boolean isLast;

        Logic(Attributes inherited) {
            super(shape);
            this.inherited = inherited;
            setHandler(shape.out(), this);
            for (int i = 0; i < shape.inputCount(); i++) {
                setHandler(shape.in(i), new Input(shape.in(i)));
            }
        }

        @Override
        public void preStart() {
            if (shape.inputCount() == 0) {
                completeStage();
            }
        }

        @Override
        public void onPull() {
            missing = shape.inputCount();
            for (int i = 0; i < shape.inputCount(); i++) {
                tryPull(shape.in(i));
            }
        }

        private void zip() throws Exception {
            List<I> elements = new ArrayList<>(shape.inputCount());
            for (int i = 0; i < shape.inputCount(); i++) {
                elements.add(grab(shape.in(i)));
            }
            O zipped;
            try {
                zipped = Step.<O>required(function.apply(Collections.unmodifiableList(elements)), name);
            } catch (Exception failure) {
                if (!Verdict.dropsElement(inherited, failure)) {
                    throw failure;
                }
                goOn();
                return;
            }
            push(shape.out(), zipped);
            completeIfLast();
        }

        private void goOn() {
            if (!completeIfLast()) {
                onPull();
            }
        }

        private boolean completeIfLast() {
            if (isLast) {
                completeStage();
            }
            return isLast;
        }

        private final class Input implements InHandler {
            private final Inlet<I> in;

            Input(Inlet<I> in) {
                this.in = in;
            }

            @Override
            public void onPush() throws Exception {
                missing--;
                if (missing == 0) {
                    zip();
                }
            }

            @Override
            public void onUpstreamFinish() {
                isLast = true;
                if (!isAvailable(in)) {
                    completeStage();
                }
            }
        }
    }
}
