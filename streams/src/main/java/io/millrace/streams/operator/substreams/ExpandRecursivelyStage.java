package io.millrace.streams.operator.substreams;

import io.millrace.streams.engine.island.Later;
import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** Emits elements and what a function makes of them, and of that, and so on, level by level. */
public final class ExpandRecursivelyStage<T> extends FlatteningStage<T, T> {
    public ExpandRecursivelyStage(ThrowingFunction<? super T, InnerSource<T>> function) {
        super("expandRecursively", function);
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new ExpandLogic(inherited);
    }

    private final class ExpandLogic extends Flattening<T, T> {
        private final Queue<T> toExpand = new ArrayDeque<>();
        private @Nullable ActiveSubstream<T> current;
        private final Later later = new Later(this, this::serveNow);

        ExpandLogic(Attributes inherited) {
            super(ExpandRecursivelyStage.this, inherited);
        }

        @Override
        public void onPush() {
            pass(grab(in));
        }

        @Override
        public void onPull() throws Exception {
            if (isClosed(in)) {
                serve();
            } else {
                pull(in);
            }
        }

        @Override
        public void onUpstreamFinish() throws Exception {
            serve();
        }

        @Override
        public void onSignal(ActiveSubstream<T> inner) throws Exception {
            serve();
        }

        private void pass(T element) {
            toExpand.add(element);
            push(out, element);
        }

        /** Goes on; later, if the user's functions might keep an element that is on its way. */
        private void serve() throws Exception {
            boolean asksUser = current == null || current.asksUser();
            if (asksUser && !isAvailable(out)) {
                later.ask();
            } else {
                serveNow();
            }
        }

        private void serveNow() throws Exception {
            while (!isClosed(out)) {
                ActiveSubstream<T> inner = current == null ? expandNext() : current;
                if (inner != null && !serveFrom(inner)) {
                    return;
                }
                if (StageContext.of(this).isTurnLong() && !isClosed(out)) {
                    later.ask();
                    return;
                }
            }
        }

        /** Passes an element of the source, or lets go of it if it is over; whether there may be something to do at once. */
        private boolean serveFrom(ActiveSubstream<T> inner) {
            if (inner.hasNext()) {
                boolean wanted = isAvailable(out);
                if (wanted) {
                    pass(inner.next());
                }
                if (wanted && inner.asksUser()) {
                    later.ask();
                    return false;
                }
                return wanted;
            }
            boolean isOver = inner.isOver();
            if (isOver) {
                endedWell(inner);
                current = null;
            }
            return isOver;
        }

        /** Begins the source made of the next element; completes when there is none. */
        private @Nullable ActiveSubstream<T> expandNext() throws Exception {
            T element = toExpand.poll();
            if (element == null) {
                completeStage();
                return null;
            }
            current = begin(element);
            return current;
        }
    }
}
