package io.millrace.streams.operator.substreams;

import io.millrace.streams.engine.island.Later;
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
                if (inner == null) {
                    continue;
                }
                if (inner.hasNext()) {
                    if (!isAvailable(out)) {
                        return;
                    }
                    pass(inner.next());
                    if (inner.asksUser()) {
                        later.ask();
                        return;
                    }
                } else if (inner.isOver()) {
                    endedWell(inner);
                    current = null;
                } else {
                    return;
                }
            }
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
