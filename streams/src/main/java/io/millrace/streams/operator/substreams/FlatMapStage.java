package io.millrace.streams.operator.substreams;

import io.millrace.streams.engine.Feeding;
import io.millrace.streams.engine.Later;
import io.millrace.streams.engine.StageAccess;
import io.millrace.streams.engine.StageCell;
import io.millrace.streams.engine.Taker;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.operator.AtHand;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.ArrayDeque;
import java.util.Iterator;
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

    private final class FlatMapLogic extends Flattening<I, O> implements Feeding, Taker {
        private final Queue<Inner<O>> ready = new ArrayDeque<>(2);
        private final Feed feed = new Feed();
        private final Later later = new Later(this, this::serveNow);
        /** The one of which the last element was, to be looked at when that is on its way. */
        private @Nullable Inner<O> last;

        private int openCount;

        FlatMapLogic(Attributes inherited) {
            super(FlatMapStage.this, inherited);
        }

        @Override
        public void onPush() throws Exception {
            take(grab(in));
            serve();
        }

        @Override
        public void onPull() throws Exception {
            serve();
        }

        @Override
        public void onSignal(Inner<O> inner) throws Exception {
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

        private void serve() throws Exception {
            if (isAvailable(out)) {
                settle();
            }
            do {
                while (isAvailable(out) && !ready.isEmpty()) {
                    Inner<O> next = ready.remove();
                    push(out, next.next());
                    last = next;
                    settleInTime();
                }
                if (openCount < breadth) {
                    cell().in(in).takeAtHand(this);
                }
            } while (isAvailable(out) && !ready.isEmpty());
            if (openCount == breadth) {
                return;
            }
            if (cell().in(in).mayFeedLater()) {
                later.ask();
            } else {
                tryPull(in);
            }
        }

        private void serveNow() throws Exception {
            settle();
            serve();
            if (openCount < breadth) {
                tryPull(in);
            }
        }

        @Override
        public boolean wantsMore() {
            return openCount < breadth && !isClosed(out);
        }

        @Override
        @SuppressWarnings("unchecked")
        public void take(Object element) throws Exception {
            Inner<O> inner = begin((I) element);
            if (inner != null) {
                openCount++;
                look(inner);
            }
        }

        /** Looks at the source of which the last element was; later, if that might keep the element. */
        private void settleInTime() {
            if (last != null && last.asksUser()) {
                later.ask();
            } else {
                settle();
            }
        }

        private void settle() {
            Inner<O> passed = last;
            last = null;
            if (passed != null) {
                passed.isQueued = false;
                look(passed);
            }
        }

        private StageCell cell() {
            return StageAccess.cell(this);
        }

        @Override
        public @Nullable Iterator<?> feed() {
            return feed.above.open(cell().in(in)) || !ready.isEmpty() ? feed : null;
        }

        @Override
        public void fed(int count, @Nullable Throwable thrown) throws Throwable {
            feed.above.end(thrown);
            settleInTime();
        }

        /** What comes of sources that are made of elements which the stage above has at hand. */
        private final class Feed implements Iterator<O> {
            private final AtHand above = new AtHand();

            private void begin() {
                boolean hasGiven = true;
                while (hasGiven && wantsMore()) {
                    hasGiven = above.give(cell(), FlatMapLogic.this);
                }
            }

            @Override
            public boolean hasNext() {
                Inner<O> only = last;
                if (only != null && openCount == breadth && ready.isEmpty() && only.hasNext()) {
                    return true;
                }
                settle();
                begin();
                return !ready.isEmpty() && !isClosed(out);
            }

            @Override
            public O next() {
                Inner<O> next = last;
                if (next == null) {
                    next = ready.remove();
                    last = next;
                }
                return next.next();
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
