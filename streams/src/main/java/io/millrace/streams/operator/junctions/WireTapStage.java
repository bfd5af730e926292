package io.millrace.streams.operator.junctions;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.FanOutShape;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Lets everything through at the first output, and gives it to the second as well. What comes faster than the second
 * output asks is held, up to 16 elements, and dropped for it beyond that.
 */
public final class WireTapStage<T> extends GraphStage<FanOutShape<T, T>> {
    private static final int HELD_ELEMENTS = 16;

    private final FanOutShape<T, T> shape = FanOutShape.of("wireTap", 2);

    @Override
    public FanOutShape<T, T> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "wireTap";
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic();
    }

    private final class Logic extends GraphStageLogic implements InHandler, OutHandler {
        private final Inlet<T> in = shape.in();
        private final Outlet<T> out = shape.out(0);
        private final Outlet<T> tap = shape.out(1);
        private final Queue<T> held = new ArrayDeque<>();

        Logic() {
            super(shape);
            setHandler(in, this);
            setHandler(out, this);
            setHandler(tap, new Tap());
        }

        @Override
        public void onPush() {
            T element = grab(in);
            if (isAvailable(tap)) {
                push(tap, element);
            } else if (held.size() < HELD_ELEMENTS && !isClosed(tap)) {
                held.add(element);
            }
            push(out, element);
        }

        @Override
        public void onPull() {
            pull(in);
        }

        @Override
        public void onUpstreamFinish() {
            giveHeld();
            completeStage();
        }

        @Override
        public void onDownstreamFinish(Throwable cause) {
            giveHeld();
            cancelStage(cause);
        }

        /** Without any, the tap ends with the stage, before it asks again. */
        private void giveHeld() {
            if (!held.isEmpty()) {
                emitAll(tap, held.iterator());
            }
        }

        /** The tap has no say in the pace and the end of the stream. */
        private final class Tap implements OutHandler {
            @Override
            public void onPull() {
                T element = held.poll();
                if (element != null) {
                    push(tap, element);
                }
            }

            @Override
            public void onDownstreamFinish(Throwable cause) {
                held.clear();
            }
        }
    }
}
