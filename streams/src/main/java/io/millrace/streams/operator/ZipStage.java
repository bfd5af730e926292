package io.millrace.streams.operator;

import io.millrace.streams.Attributes;
import io.millrace.streams.FanInShape2;
import io.millrace.streams.Inlet;
import io.millrace.streams.Outlet;
import io.millrace.streams.Pair;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;

/** Pairs the elements of two inputs; completes as soon as one can deliver no more. */
public final class ZipStage<A, B> extends GraphStage<FanInShape2<A, B, Pair<A, B>>> {
    private final Inlet<A> left = Inlet.create("zip.in0");
    private final Inlet<B> right = Inlet.create("zip.in1");
    private final Outlet<Pair<A, B>> out = Outlet.create("zip.out");
    private final FanInShape2<A, B, Pair<A, B>> shape = FanInShape2.of(left, right, out);

    @Override
    public FanInShape2<A, B, Pair<A, B>> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "zip";
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
            public void onPush() {
                if (isAvailable(left) && isAvailable(right)) {
                    push(out, new Pair<>(grab(left), grab(right)));
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
