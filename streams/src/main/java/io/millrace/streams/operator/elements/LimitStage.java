package io.millrace.streams.operator.elements;

import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepControl;
import io.millrace.streams.engine.segment.StepStage;
import io.millrace.streams.failure.StreamLimitReachedException;
import org.jspecify.annotations.Nullable;

/** Lets so many elements through and fails at one more. */
public final class LimitStage<T> extends StepStage<T, T> {
    public LimitStage(long most) {
        super("limit", new Body<>(most));
    }

    private record Body<T>(long most) implements Step<T> {
        @Override
        public boolean isStateful() {
            return true;
        }

        @Override
        public Object newState(StepControl control) {
            return new Count();
        }

        @Override
        public Object apply(T element, @Nullable Object[] states, int at) throws Exception {
            Count count = (Count) Step.state(states, at);
            if (count.passed >= most) {
                throw new StreamLimitReachedException(most);
            }
            count.passed++;
            return element;
        }
    }

    private static final class Count {
        private long passed;
    }
}
