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

/** Makes one element of each of the first input and the latest of the second; drops those before there is a latest. */
public final class WithLatestFromStage<A, B, O> extends JoinStage<A, B, O> {
    private final ThrowingBiFunction<? super A, ? super B, ? extends O> function;

    public WithLatestFromStage(ThrowingBiFunction<? super A, ? super B, ? extends O> function) {
        super("withLatestFrom");
        this.function = Objects.requireNonNull(function, "function");
    }

    /** Makes pairs. */
    public static <A, B> WithLatestFromStage<A, B, Pair<A, B>> pairs() {
        return new WithLatestFromStage<>(Pair::new);
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic(inherited);
    }

    private final class Logic extends GraphStageLogic implements InHandler, OutHandler {
        private final Attributes inherited;
        private final Inlet<A> in = shape().in0();
        private final Inlet<B> other = shape().in1();
        private final Outlet<O> out = shape().out();
        private @Nullable B latest;

        Logic(Attributes inherited) {
            super(shape());
            this.inherited = inherited;
            setHandler(in, this);
            setHandler(out, this);
            setHandler(other, new Other());
        }

        @Override
        public void preStart() {
            pull(other);
        }

        @Override
        public void onPull() {
            pull(in);
        }

        @Override
        public void onPush() throws Exception {
            A element = grab(in);
            B second = latest;
            if (second == null) {
                tryPull(in);
                return;
            }
            try {
                push(out, Step.required(function.apply(element, second), name()));
            } catch (Exception failure) {
                if (!Verdict.dropsElement(inherited, failure)) {
                    throw failure;
                }
                tryPull(in);
            }
        }

        private final class Other implements InHandler {
            @Override
            public void onPush() {
                latest = grab(other);
                tryPull(other);
            }

            @Override
            public void onUpstreamFinish() {
                if (latest == null) {
                    completeStage();
                }
            }
        }
    }
}
