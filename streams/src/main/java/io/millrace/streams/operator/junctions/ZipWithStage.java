package io.millrace.streams.operator.junctions;

import io.millrace.streams.engine.batch.BatchSource;
import io.millrace.streams.engine.failure.Unchecked;
import io.millrace.streams.engine.failure.Verdict;
import io.millrace.streams.engine.island.BatchLease;
import io.millrace.streams.engine.island.Edge;
import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.FanInShape2;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.ThrowingBiFunction;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes one element of one from each of two inputs; completes as soon as one can deliver no more. */
public final class ZipWithStage<A, B, O> extends GraphStage<FanInShape2<A, B, O>> {
    private final String name;
    private final ThrowingBiFunction<? super A, ? super B, ? extends O> function;
    private final Inlet<A> left;
    private final Inlet<B> right;
    private final Outlet<O> out;
    private final FanInShape2<A, B, O> shape;

    public ZipWithStage(ThrowingBiFunction<? super A, ? super B, ? extends O> function) {
        this("zipWith", function);
    }

    private ZipWithStage(String name, ThrowingBiFunction<? super A, ? super B, ? extends O> function) {
        this.name = name;
        this.function = Objects.requireNonNull(function, "function");
        left = Inlet.create(name + ".in0");
        right = Inlet.create(name + ".in1");
        out = Outlet.create(name + ".out");
        shape = FanInShape2.of(left, right, out);
    }

    /** Makes pairs. */
    public static <A, B> ZipWithStage<A, B, Pair<A, B>> pairs() {
        return new ZipWithStage<>("zip", Pair::new);
    }

    @Override
    public FanInShape2<A, B, O> shape() {
        return shape;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic(inherited);
    }

    private final class Logic extends GraphStageLogic implements OutHandler, BatchSource {
        private final Attributes inherited;
        private final Pairs pairs = new Pairs();
        private @Nullable A first;

        Logic(Attributes inherited) {
            super(shape);
            this.inherited = inherited;
            setHandler(out, this);
            setHandler(left, new Input(left));
            setHandler(right, new Input(right));
        }

        @Override
        public void onPull() {
            if (first == null) {
                tryPull(left);
            }
            tryPull(right);
        }

        private boolean hasLeft() {
            return first != null || isAvailable(left);
        }

        private A takeLeft() {
            A taken = first;
            first = null;
            return taken == null ? grab(left) : taken;
        }

        /** What comes of two elements; null if supervision drops them. */
        private @Nullable O zip(A one, B other) throws Exception {
            try {
                return Step.required(function.apply(one, other), name);
            } catch (Exception failure) {
                if (!Verdict.dropsElement(inherited, failure)) {
                    throw failure;
                }
                return null;
            }
        }

        @Override
        public @Nullable Iterator<?> openBatch() {
            StageContext context = StageContext.of(this);
            return pairs.open(context.in(left), context.in(right)) ? pairs : null;
        }

        @Override
        public void closeBatch(int count, @Nullable Throwable thrown) throws Throwable {
            Throwable own = pairs.close(thrown);
            if (own != null) {
                throw own;
            }
        }

        /** What comes of what both sides have in their batches; an element of the left one waits here for its other half. */
        private final class Pairs implements Iterator<O> {
            private final BatchLease lefts = new BatchLease();
            private final BatchLease rights = new BatchLease();
            private @Nullable O zipped;

            boolean open(Edge leftEdge, Edge rightEdge) {
                if (first != null || !lefts.open(leftEdge)) {
                    return false;
                }
                boolean isOpen = rights.open(rightEdge);
                if (!isOpen) {
                    lefts.close(null);
                }
                return isOpen;
            }

            /** What is left of what was thrown when both sides have taken what is theirs. */
            @Nullable
            Throwable close(@Nullable Throwable thrown) {
                return rights.close(lefts.close(thrown));
            }

            @Override
            public boolean hasNext() {
                while (zipped == null && hasPair()) {
                    zipped = zipPair();
                    if (zipped == null && lefts.isEnough()) {
                        break;
                    }
                }
                return zipped != null;
            }

            @Override
            public O next() {
                O made = zipped;
                if (made == null) {
                    throw new NoSuchElementException("there is no pair");
                }
                zipped = null;
                return made;
            }

            @SuppressWarnings("unchecked")
            private boolean hasPair() {
                if (first == null && lefts.hasNext()) {
                    first = (A) lefts.take();
                }
                return first != null && rights.hasNext();
            }

            @SuppressWarnings("unchecked")
            private @Nullable O zipPair() {
                A one = Objects.requireNonNull(first, "first");
                B other = (B) rights.take();
                first = null;
                StageContext context = StageContext.of(Logic.this);
                int before = context.beginWork();
                try {
                    return zip(one, other);
                } catch (Exception e) {
                    throw Unchecked.of(e);
                } finally {
                    context.endWork(before);
                }
            }
        }

        private final class Input implements InHandler {
            private final Inlet<?> in;

            Input(Inlet<?> in) {
                this.in = in;
            }

            @Override
            public void onPush() throws Exception {
                if (hasLeft() && isAvailable(right)) {
                    O zipped = zip(takeLeft(), grab(right));
                    if (zipped != null) {
                        push(out, zipped);
                    }
                    if (isClosed(left) || isClosed(right)) {
                        completeStage();
                    } else if (zipped == null) {
                        Logic.this.onPull();
                    }
                }
            }

            @Override
            public void onUpstreamFinish() {
                if (!isAvailable(in) && (in == right || first == null)) {
                    completeStage();
                }
            }
        }
    }
}
