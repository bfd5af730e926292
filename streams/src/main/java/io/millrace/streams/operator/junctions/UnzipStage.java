package io.millrace.streams.operator.junctions;

import io.millrace.streams.engine.failure.NotNull;
import io.millrace.streams.engine.failure.Verdict;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.FanOutShape2;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;
import java.util.Objects;

/** Splits each element in two, one for each output, once both ask; an output that cancels is left out from then on. */
public final class UnzipStage<I, A, B> extends GraphStage<FanOutShape2<I, A, B>> {
    private final ThrowingFunction<? super I, Pair<A, B>> function;
    private final Inlet<I> in = Inlet.create("unzip.in");
    private final Outlet<A> left = Outlet.create("unzip.out0");
    private final Outlet<B> right = Outlet.create("unzip.out1");
    private final FanOutShape2<I, A, B> shape = FanOutShape2.of(in, left, right);

    public UnzipStage(ThrowingFunction<? super I, Pair<A, B>> function) {
        this.function = Objects.requireNonNull(function, "function");
    }

    @Override
    public FanOutShape2<I, A, B> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "unzip";
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic(inherited);
    }

    private final class Logic extends GraphStageLogic implements InHandler, OutHandler {
        private final Attributes inherited;

        Logic(Attributes inherited) {
            super(shape);
            this.inherited = inherited;
            setHandler(in, this);
            setHandler(left, this);
            setHandler(right, this);
        }

        @Override
        public void onPush() throws Exception {
            I element = grab(in);
            A first;
            B second;
            try {
                Pair<A, B> parts = Step.<Pair<A, B>>required(function.apply(element), "unzip");
                first = NotNull.checked(parts.first(), "unzip", "the pair holds null");
                second = NotNull.checked(parts.second(), "unzip", "the pair holds null");
            } catch (Exception failure) {
                if (!Verdict.dropsElement(inherited, failure)) {
                    throw failure;
                }
                tryPull(in);
                return;
            }
            if (!isClosed(left)) {
                push(left, first);
            }
            if (!isClosed(right)) {
                push(right, second);
            }
        }

        @Override
        public void onPull() {
            if ((isClosed(left) || isAvailable(left)) && (isClosed(right) || isAvailable(right))) {
                tryPull(in);
            }
        }

        @Override
        public void onDownstreamFinish(Throwable cause) {
            if (isClosed(left) && isClosed(right)) {
                cancelStage(cause);
            } else {
                onPull();
            }
        }
    }
}
