package io.millrace.streams.operator;

import io.millrace.streams.Attributes;
import io.millrace.streams.FanInShape;
import io.millrace.streams.Inlet;
import io.millrace.streams.engine.Connection;
import io.millrace.streams.engine.Feeding;
import io.millrace.streams.engine.StageAccess;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** Emits the elements of the first input, or, if that completes without one, those of the second. */
public final class OrElseStage<T> extends FanInStage<T, T> {
    public OrElseStage() {
        super("orElse", 2);
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic(shape());
    }

    private final class Logic extends GraphStageLogic implements InHandler, OutHandler, Feeding {
        private final FanInShape<T, T> shape;
        private final Inlet<T> first;
        private final Inlet<T> second;
        private Inlet<T> current;
        private @Nullable Throwable failureOfSecond;

        Logic(FanInShape<T, T> shape) {
            super(shape);
            this.shape = shape;
            first = shape.in(0);
            second = shape.in(1);
            current = first;
            setHandler(first, this);
            setHandler(shape.out(), this);
            setHandler(second, new Second());
        }

        @Override
        public void onPull() {
            tryPull(current);
        }

        @Override
        public void onPush() {
            cancel(second);
            push(shape.out(), grab(first));
        }

        @Override
        public @Nullable Iterator<?> feed() {
            return edge().feed();
        }

        @Override
        public void fed(int count, @Nullable Throwable thrown) {
            if (count > 0 && current == first) {
                cancel(second);
            }
            edge().fed(count, thrown);
        }

        private Connection edge() {
            return StageAccess.cell(this).in(current);
        }

        @Override
        public void onUpstreamFinish() {
            if (failureOfSecond != null) {
                failStage(failureOfSecond);
            } else if (isClosed(second)) {
                completeStage();
            } else {
                current = second;
                if (isAvailable(shape.out())) {
                    pull(second);
                }
            }
        }

        private final class Second implements InHandler {
            @Override
            public void onPush() {
                push(shape.out(), grab(second));
            }

            @Override
            public void onUpstreamFinish() {
                if (isClosed(first)) {
                    completeStage();
                }
            }

            @Override
            public void onUpstreamFailure(Throwable failure) {
                failureOfSecond = failure;
                if (isClosed(first)) {
                    failStage(failure);
                }
            }
        }
    }
}
