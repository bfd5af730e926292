package io.millrace.streams.operator.elements;

import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepControl;
import io.millrace.streams.engine.segment.StepStage;
import org.jspecify.annotations.Nullable;

/** Drops the first elements. */
public final class DropStage<T> extends StepStage<T, T> {
    public DropStage(long count) {
        super("drop", new Body<>(count));
    }

    private record Body<T>(long count) implements Step<T> {
        @Override
        public boolean isStateful() {
            return true;
        }

        @Override
        public Object newState(StepControl control) {
            return new Left(count);
        }

        @Override
        public Object apply(T element, @Nullable Object[] states, int at) {
            Left left = (Left) Step.state(states, at);
            if (left.count > 0) {
                left.count--;
                return NOTHING;
            }
            return element;
        }
    }

    private static final class Left {
        private long count;

        Left(long count) {
            this.count = count;
        }
    }
}
