package io.millrace.streams.operator.elements;

import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepControl;
import io.millrace.streams.engine.segment.StepStage;
import org.jspecify.annotations.Nullable;

/** Lets the first elements through, then completes. */
public final class TakeStage<T> extends StepStage<T, T> {
    public TakeStage(long count) {
        super("take", new Body<>(count));
    }

    private record Body<T>(long count) implements Step<T> {
        @Override
        public boolean isStateful() {
            return true;
        }

        @Override
        public Object newState(StepControl control) {
            if (count <= 0) {
                control.complete();
            }
            return new Left(control, count);
        }

        @Override
        public Object apply(T element, @Nullable Object[] states, int at) {
            Left left = (Left) Step.state(states, at);
            if (--left.count == 0) {
                left.control.complete();
            }
            return element;
        }
    }

    private static final class Left {
        private final StepControl control;
        private long count;

        Left(StepControl control, long count) {
            this.control = control;
            this.count = count;
        }
    }
}
