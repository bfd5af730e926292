package io.millrace.streams.operator.substreams;

import io.millrace.streams.engine.island.Later;
import io.millrace.streams.failure.DownstreamFinished;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.stage.GraphStageLogic;
import org.jspecify.annotations.Nullable;

/** Emits the elements of the source made of the newest element; the source before it is cancelled. */
public final class SwitchMapStage<I, O> extends FlatteningStage<I, O> {
    public SwitchMapStage(ThrowingFunction<? super I, InnerSource<O>> function) {
        super("switchMap", function);
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new SwitchLogic(inherited);
    }

    private final class SwitchLogic extends Flattening<I, O> {
        private @Nullable ActiveSubstream<O> current;
        private final Later later = new Later(this, this::serveNow);

        SwitchLogic(Attributes inherited) {
            super(SwitchMapStage.this, inherited);
        }

        @Override
        public void onPush() throws Exception {
            ActiveSubstream<O> next = begin(grab(in));
            if (next != null) {
                ActiveSubstream<O> previous = current;
                current = next;
                if (previous != null) {
                    previous.cancel(new DownstreamFinished());
                }
                serve(next);
            }
            tryPull(in);
        }

        @Override
        public void onPull() {
            tryPull(in);
            if (current != null) {
                serve(current);
            }
        }

        @Override
        public void onSignal(ActiveSubstream<O> inner) {
            if (inner == current) {
                serve(inner);
            }
        }

        @Override
        public void onUpstreamFinish() {
            if (current == null) {
                completeStage();
            }
        }

        private void serveNow() {
            if (current != null) {
                look(current);
            }
        }

        /** Goes on; later, if a function of the user's might keep an element that is on its way. */
        private void serve(ActiveSubstream<O> inner) {
            if (inner.asksUser() && !isAvailable(out)) {
                later.ask();
            } else {
                look(inner);
            }
        }

        private void look(ActiveSubstream<O> inner) {
            boolean more = inner.hasNext();
            if (more && isAvailable(out)) {
                push(out, inner.next());
                if (inner.asksUser()) {
                    later.ask();
                    return;
                }
                more = inner.hasNext();
            }
            if (!more && inner.isOver() && endedWell(inner)) {
                current = null;
                if (isClosed(in)) {
                    completeStage();
                }
            }
        }
    }
}
