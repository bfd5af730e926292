package io.millrace.streams.operator.junctions;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;
import java.util.Objects;

/** Pairs the elements of two inputs until both have completed; what is missing of one is replaced by its default. */
public final class ZipAllStage<A, B> extends JoinStage<A, B, Pair<A, B>> {
    private final A leftDefault;
    private final B rightDefault;

    public ZipAllStage(A leftDefault, B rightDefault) {
        super("zipAll");
        this.leftDefault = Objects.requireNonNull(leftDefault, "thisDefault");
        this.rightDefault = Objects.requireNonNull(rightDefault, "otherDefault");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic();
    }

    private final class Logic extends GraphStageLogic implements InHandler, OutHandler {
        private final Inlet<A> left = shape().in0();
        private final Inlet<B> right = shape().in1();

        Logic() {
            super(shape());
            setHandler(shape().out(), this);
            setHandler(left, this);
            setHandler(right, this);
        }

        @Override
        public void onPull() {
            pullIfEmpty(left);
            pullIfEmpty(right);
            pair();
        }

        private void pullIfEmpty(Inlet<?> in) {
            if (!isAvailable(in)) {
                tryPull(in);
            }
        }

        @Override
        public void onPush() {
            pair();
        }

        @Override
        public void onUpstreamFinish() {
            pair();
        }

        private void pair() {
            if (isKnown(left) && isKnown(right) && !areBothOver() && isAvailable(shape().out())) {
                push(shape().out(), new Pair<>(next(left, leftDefault), next(right, rightDefault)));
            }
            if (areBothOver()) {
                completeStage();
            }
        }

        private boolean isKnown(Inlet<?> in) {
            return isAvailable(in) || isClosed(in);
        }

        private boolean areBothOver() {
            return isClosed(left) && isClosed(right) && !isAvailable(left) && !isAvailable(right);
        }

        private <T> T next(Inlet<T> in, T missing) {
            return isAvailable(in) ? grab(in) : missing;
        }
    }
}
