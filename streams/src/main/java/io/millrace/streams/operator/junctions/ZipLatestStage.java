package io.millrace.streams.operator.junctions;

import io.millrace.streams.engine.failure.Verdict;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.ThrowingBiFunction;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes one element of the latest of each of two inputs, when one of them is new and downstream asks. */
public final class ZipLatestStage<A, B, O> extends JoinStage<A, B, O> {
    private final ThrowingBiFunction<? super A, ? super B, ? extends O> function;

    public ZipLatestStage(ThrowingBiFunction<? super A, ? super B, ? extends O> function) {
        this("zipLatestWith", function);
    }

    private ZipLatestStage(String name, ThrowingBiFunction<? super A, ? super B, ? extends O> function) {
        super(name);
        this.function = Objects.requireNonNull(function, "function");
    }

    /** Makes pairs. */
    public static <A, B> ZipLatestStage<A, B, Pair<A, B>> pairs() {
        return new ZipLatestStage<>("zipLatest", Pair::new);
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic(inherited);
    }

    private final class Logic extends GraphStageLogic implements OutHandler {
        private final Attributes inherited;
        private final Outlet<O> out = shape().out();
        private final Input<A> left = new Input<>(shape().in0());
        private final Input<B> right = new Input<>(shape().in1());
        private boolean isNew;
        private boolean ending;

        Logic(Attributes inherited) {
            super(shape());
            this.inherited = inherited;
            setHandler(out, this);
            setHandler(left.in, left);
            setHandler(right.in, right);
        }

        @Override
        public void preStart() {
            pull(left.in);
            pull(right.in);
        }

        @Override
        public void onPull() throws Exception {
            emitIfNew();
        }

        private void emitIfNew() throws Exception {
            A first = left.latest;
            B second = right.latest;
            if (isNew && first != null && second != null && isAvailable(out)) {
                isNew = false;
                emit(first, second);
            }
            if (ending && !(isNew && first != null && second != null)) {
                completeStage();
            }
        }

        private void emit(A first, B second) throws Exception {
            try {
                push(out, Step.required(function.apply(first, second), name()));
            } catch (Exception failure) {
                if (!Verdict.dropsElement(inherited, failure)) {
                    throw failure;
                }
            }
        }

        private final class Input<T> implements InHandler {
            private final Inlet<T> in;
            private @Nullable T latest;

            Input(Inlet<T> in) {
                this.in = in;
            }

            @Override
            public void onPush() throws Exception {
                latest = grab(in);
                isNew = true;
                tryPull(in);
                emitIfNew();
            }

            @Override
            public void onUpstreamFinish() throws Exception {
                ending = true;
                emitIfNew();
            }
        }
    }
}
