package io.millrace.streams.operator.elements;

import io.millrace.streams.graph.FanInShape2;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;

/** An operator that waits for a second input to say when; what that input emits is not looked at. */
abstract class SignalledStage<T> extends GraphStage<FanInShape2<T, Object, T>> {
    private final String name;
    private final FanInShape2<T, Object, T> shape;

    SignalledStage(String name) {
        this.name = name;
        shape = FanInShape2.of(
                Inlet.create(name + ".in"), Inlet.create(name + ".signal"), Outlet.create(name + ".out"));
    }

    @Override
    public final FanInShape2<T, Object, T> shape() {
        return shape;
    }

    @Override
    public final String name() {
        return name;
    }

    /** The logic of such an operator: it is signalled by the first element or the completion of the second input. */
    abstract static class Logic<T> extends GraphStageLogic implements InHandler, OutHandler {
        final Inlet<T> in;
        final Inlet<Object> signal;
        final Outlet<T> out;

        Logic(SignalledStage<T> stage) {
            super(stage.shape);
            in = stage.shape.in0();
            signal = stage.shape.in1();
            out = stage.shape.out();
            setHandlers(in, out, this);
            setHandler(signal, new InHandler() {
                @Override
                public void onPush() {
                    onSignal();
                }

                @Override
                public void onUpstreamFinish() {
                    onSignal();
                }
            });
        }

        /** What the second input was waited for. */
        abstract void onSignal();

        @Override
        public void preStart() {
            tryPull(signal);
        }

        @Override
        public void onPull() {
            pull(in);
        }
    }
}
