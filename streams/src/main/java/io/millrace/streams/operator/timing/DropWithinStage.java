package io.millrace.streams.operator.timing;

import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepControl;
import io.millrace.streams.engine.segment.StepStage;
import io.millrace.streams.schedule.Durations;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Drops elements for so long from the start; a timer says when that is over. */
public final class DropWithinStage<T> extends StepStage<T, T> {
    public DropWithinStage(Duration within) {
        super("dropWithin", new Body<>(Durations.positive("dropWithin", within)));
    }

    private record Body<T>(Duration within) implements Step<T> {
        @Override
        public boolean isStateful() {
            return true;
        }

        @Override
        public Object newState(StepControl control) {
            return new Gate(control);
        }

        @Override
        public void start(@Nullable Object state) {
            Gate gate = (Gate) Objects.requireNonNull(state, "state");
            gate.control.lookOnce(within, () -> gate.isOpen = true);
        }

        @Override
        public Object apply(T element, @Nullable Object[] states, int at) {
            return ((Gate) Step.state(states, at)).isOpen ? element : NOTHING;
        }
    }

    /** What one run knows; belongs to the island. */
    private static final class Gate {
        private final StepControl control;
        private boolean isOpen;

        Gate(StepControl control) {
            this.control = control;
        }
    }
}
