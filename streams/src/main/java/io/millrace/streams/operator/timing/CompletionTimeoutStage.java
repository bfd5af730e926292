package io.millrace.streams.operator.timing;

import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepControl;
import io.millrace.streams.engine.segment.StepStage;
import io.millrace.streams.schedule.Durations;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Fails when the stream has not ended so long after its start, or, initially, when no element has passed by then. */
public final class CompletionTimeoutStage<T> extends StepStage<T, T> {
    private CompletionTimeoutStage(String name, Duration timeout, boolean isInitial) {
        super(name, new Body<>(Durations.positive(name, timeout), isInitial));
    }

    /** Until the stream has ended. */
    public static <T> CompletionTimeoutStage<T> untilEnd(Duration timeout) {
        return new CompletionTimeoutStage<>("completionTimeout", timeout, false);
    }

    /** Until the first element has passed. */
    public static <T> CompletionTimeoutStage<T> untilFirst(Duration timeout) {
        return new CompletionTimeoutStage<>("initialTimeout", timeout, true);
    }

    private record Body<T>(Duration timeout, boolean isInitial) implements Step<T> {
        @Override
        public boolean isStateful() {
            return true;
        }

        @Override
        public Object newState(StepControl control) {
            return new Watch(control, timeout, isInitial);
        }

        @Override
        public void start(@Nullable Object state) {
            ((Watch) Objects.requireNonNull(state, "state")).start();
        }

        @Override
        public Object apply(T element, @Nullable Object[] states, int at) {
            ((Watch) Step.state(states, at)).hasPassed = true;
            return element;
        }
    }

    /** What one run knows; belongs to the island. */
    private static final class Watch {
        private final StepControl control;
        private final Duration timeout;
        private final boolean isInitial;
        private boolean hasPassed;

        Watch(StepControl control, Duration timeout, boolean isInitial) {
            this.control = control;
            this.timeout = timeout;
            this.isInitial = isInitial;
        }

        void start() {
            control.lookOnce(timeout, this::look);
        }

        private void look() {
            if (!isInitial) {
                control.fail(new TimeoutException("the stream has not ended within " + timeout));
            } else if (!hasPassed) {
                control.fail(new TimeoutException("the first element has not come within " + timeout));
            }
        }
    }
}
