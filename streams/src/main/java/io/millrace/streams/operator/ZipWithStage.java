package io.millrace.streams.operator;

import io.millrace.streams.Attributes;
import io.millrace.streams.FanInShape2;
import io.millrace.streams.Inlet;
import io.millrace.streams.Outlet;
import io.millrace.streams.Pair;
import io.millrace.streams.ThrowingBiFunction;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;
import java.util.Objects;

/** Makes one element of one from each of two inputs; completes as soon as one can deliver no more. */
public final class ZipWithStage<A, B, O> extends GraphStage<FanInShape2<A, B, O>> {
    private final String name;
    private final ThrowingBiFunction<? super A, ? super B, ? extends O> function;
    private final Inlet<A> left;
    private final Inlet<B> right;
    private final Outlet<O> out;
    private final FanInShape2<A, B, O> shape;

    public ZipWithStage(ThrowingBiFunction<? super A, ? super B, ? extends O> function) {
        this("zipWith", function);
    }

    private ZipWithStage(String name, ThrowingBiFunction<? super A, ? super B, ? extends O> function) {
        this.name = name;
        this.function = Objects.requireNonNull(function, "function");
        left = Inlet.create(name + ".in0");
        right = Inlet.create(name + ".in1");
        out = Outlet.create(name + ".out");
        shape = FanInShape2.of(left, right, out);
    }

    /** Makes pairs. */
    public static <A, B> ZipWithStage<A, B, Pair<A, B>> pairs() {
        return new ZipWithStage<>("zip", Pair::new);
    }

    @Override
    public FanInShape2<A, B, O> shape() {
        return shape;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic();
    }

    private final class Logic extends GraphStageLogic implements OutHandler {
        Logic() {
            super(shape);
            setHandler(out, this);
            setHandler(left, new Input(left));
            setHandler(right, new Input(right));
        }

        @Override
        public void onPull() {
            tryPull(left);
            tryPull(right);
        }

        private final class Input implements InHandler {
            private final Inlet<?> in;

            Input(Inlet<?> in) {
                this.in = in;
            }

            @Override
            public void onPush() throws Exception {
                if (isAvailable(left) && isAvailable(right)) {
                    push(out, function.apply(grab(left), grab(right)));
                    if (isClosed(left) || isClosed(right)) {
                        completeStage();
                    }
                }
            }

            @Override
            public void onUpstreamFinish() {
                if (!isAvailable(in)) {
                    completeStage();
                }
            }
        }
    }
}
