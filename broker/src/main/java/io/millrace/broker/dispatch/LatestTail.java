package io.millrace.broker.dispatch;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;
import org.jspecify.annotations.Nullable;

/**
 * Joins the announcements that come between two pulls into one: the newest position, with the {@code previous} of the
 * oldest. So a dispatcher that is busy pays once for many entries, and does not lag in the hub.
 */
final class LatestTail extends GraphStage<FlowShape<TailEntry, TailEntry>> {
    private final Inlet<TailEntry> in = Inlet.create("LatestTail.in");
    private final Outlet<TailEntry> out = Outlet.create("LatestTail.out");
    private final FlowShape<TailEntry, TailEntry> shape = FlowShape.of(in, out);

    @Override
    public FlowShape<TailEntry, TailEntry> shape() {
        return shape;
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic();
    }

    private final class Logic extends GraphStageLogic implements InHandler, OutHandler {
        private @Nullable TailEntry held;

        Logic() {
            super(shape);
            setHandlers(in, out, this);
        }

        @Override
        public void preStart() {
            pull(in);
        }

        @Override
        public void onPush() {
            TailEntry newest = grab(in);
            held = held == null ? newest : new TailEntry(newest.position(), held.previous());
            pull(in);
            onPull();
        }

        @Override
        public void onPull() {
            if (held != null && isAvailable(out)) {
                push(out, held);
                held = null;
            }
        }
    }
}
