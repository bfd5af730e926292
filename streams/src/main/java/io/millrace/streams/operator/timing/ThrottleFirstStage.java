package io.millrace.streams.operator.timing;

import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepControl;
import io.millrace.streams.engine.segment.StepStage;
import io.millrace.streams.schedule.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Lets an element through and drops what comes within a period after it. */
public final class ThrottleFirstStage<T> extends StepStage<T, T> {
    public ThrottleFirstStage(Duration period) {
        super("throttleFirst", new Body<>(Durations.nanos(Durations.positive("throttleFirst", period))));
    }

    private record Body<T>(long periodNanos) implements Step<T> {
        @Override
        public boolean isStateful() {
            return true;
        }

        @Override
        public Object newState(StepControl control) {
            return new Gate(control);
        }

        @Override
        public Object apply(T element, @Nullable Object[] states, int at) {
            return ((Gate) Step.state(states, at)).passes(periodNanos) ? element : NOTHING;
        }
    }

    /** What one run knows; belongs to the island. */
    private static final class Gate {
        private final StepControl control;
        private boolean hasPassed;
        private long passedAtNanos;

        Gate(StepControl control) {
            this.control = control;
        }

        boolean passes(long periodNanos) {
            long nowNanos = control.nowNanos();
            if (hasPassed && nowNanos - passedAtNanos < periodNanos) {
                return false;
            }
            hasPassed = true;
            passedAtNanos = nowNanos;
            return true;
        }
    }
}
