package io.millrace.streams.operator;

import io.millrace.streams.Attributes;
import io.millrace.streams.ThrowingFunction;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** Emits the elements of sources made of elements, some sources at once, in turn while several have elements. */
public final class FlatMapStage<I, O> extends FlatteningStage<I, O> {
    private final int breadth;

    public FlatMapStage(String name, int breadth, ThrowingFunction<? super I, InnerSource<O>> function) {
        super(name, function);
        if (breadth < 1) {
            throw new IllegalArgumentException("breadth must be at least 1, not " + breadth);
        }
        this.breadth = breadth;
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new FlatMapLogic(inherited);
    }

    private final class FlatMapLogic extends Flattening<I, O> {
        private final Queue<Inner<O>> ready = new ArrayDeque<>(2);
        private int openCount;

        FlatMapLogic(Attributes inherited) {
            super(FlatMapStage.this, inherited);
        }

        @Override
        public void onPush() throws Exception {
            Inner<O> inner = begin(grab(in));
            if (inner != null) {
                openCount++;
                look(inner);
            }
            serve();
        }

        @Override
        public void onPull() {
            serve();
        }

        @Override
        public void onSignal(Inner<O> inner) {
            if (!inner.isQueued && !inner.isClosed) {
                look(inner);
                serve();
            }
        }

        @Override
        public void onUpstreamFinish() {
            if (openCount == 0) {
                completeStage();
            }
        }

        private void serve() {
            @Nullable Inner<O> next;
            while (isAvailable(out) && (next = ready.poll()) != null) {
                push(out, next.next());
                next.isQueued = false;
                look(next);
            }
            if (openCount < breadth) {
                tryPull(in);
            }
        }

        private void look(Inner<O> inner) {
            if (inner.hasNext()) {
                inner.isQueued = true;
                ready.add(inner);
            } else if (inner.isOver() && endedWell(inner)) {
                openCount--;
                if (openCount == 0 && isClosed(in)) {
                    completeStage();
                }
            }
        }
    }
}
