package io.millrace.streams.operator.substreams;

import io.millrace.streams.engine.batch.BatchSink;
import io.millrace.streams.engine.batch.BatchSource;
import io.millrace.streams.engine.island.BatchLease;
import io.millrace.streams.engine.island.Later;
import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** Emits the elements of sources made of elements, some sources at once, in turn while several have elements. */
public final class FlatMapStage<I, O> extends FlatteningStage<I, O> {
    private final int breadth;

    public FlatMapStage(String name, int breadth, ThrowingFunction<? super I, InnerSource<O>> function) {
        this(name, breadth, true, function);
    }

    private FlatMapStage(
            String name, int breadth, boolean isSupervised, ThrowingFunction<? super I, InnerSource<O>> function) {
        super(name, isSupervised, function);
        if (breadth < 1) {
            throw new IllegalArgumentException("breadth must be at least 1, not " + breadth);
        }
        this.breadth = breadth;
    }

    /** One source at a time, by a function that fails the stage whatever supervision says: what it makes stands for the stream. */
    public static <I, O> FlatMapStage<I, O> unsupervised(
            String name, ThrowingFunction<? super I, InnerSource<O>> function) {
        return new FlatMapStage<>(name, 1, false, function);
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new FlatMapLogic(inherited);
    }

    private final class FlatMapLogic extends Flattening<I, O> implements BatchSource, BatchSink {
        private final Queue<ActiveSubstream<O>> ready = new ArrayDeque<>(2);
        private final InnerElements batch = new InnerElements();
        private final Later later = new Later(this, this::serveNow);
        /** The one of which the last element was, to be looked at when that is on its way. */
        private @Nullable ActiveSubstream<O> last;

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
        public void onSignal(ActiveSubstream<O> inner) throws Exception {
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
                    ActiveSubstream<O> next = ready.remove();
                    push(out, next.next());
                    last = next;
                    settleInTime();
                }
                if (openCount < breadth) {
                    BatchLease.takeAll(context().in(in), this);
                }
            } while (isAvailable(out) && !ready.isEmpty());
            if (openCount == breadth) {
                return;
            }
            if (context().in(in).mayHaveBatchLater()) {
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
            ActiveSubstream<O> inner = begin((I) element);
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
            ActiveSubstream<O> passed = last;
            last = null;
            if (passed != null) {
                passed.isQueued = false;
                look(passed);
            }
        }

        private StageContext context() {
            return StageContext.of(this);
        }

        @Override
        public @Nullable Iterator<?> openBatch() {
            settle(); // whoever takes batches has passed on what was pushed before
            return batch.above.open(context().in(in)) || !ready.isEmpty() ? batch : null;
        }

        @Override
        public void closeBatch(int count, @Nullable Throwable thrown) throws Throwable {
            Throwable own = batch.above.close(thrown);
            if (own != null) {
                throw own;
            }
            settleInTime();
        }

        /** What comes of sources that are made of the elements of a batch. */
        private final class InnerElements implements Iterator<O> {
            private final BatchLease above = new BatchLease();

            private void begin() {
                boolean hasGiven = true;
                while (hasGiven && wantsMore()) {
                    hasGiven = above.give(context(), FlatMapLogic.this);
                }
            }

            @Override
            public boolean hasNext() {
                ActiveSubstream<O> only = last;
                if (only != null && openCount == breadth && ready.isEmpty() && only.hasNext()) {
                    return true;
                }
                settle();
                begin();
                return !ready.isEmpty() && !isClosed(out);
            }

            @Override
            public O next() {
                ActiveSubstream<O> next = last;
                if (next == null) {
                    next = ready.remove();
                    last = next;
                }
                return next.next();
            }
        }

        private void look(ActiveSubstream<O> inner) {
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
