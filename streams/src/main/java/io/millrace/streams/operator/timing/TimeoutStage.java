package io.millrace.streams.operator.timing;

import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepControl;
import io.millrace.streams.engine.segment.StepStage;
import io.millrace.streams.schedule.Durations;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Fails when it is waited for longer than so long, by its {@link IdleTimer}. */
public final class TimeoutStage<T> extends StepStage<T, T> {
    /** What is waited for. */
    public enum Wait {
        /** For an element that downstream has asked for. */
        FOR_ELEMENT("timeout", "no element within "),
        /** For an element to pass, whoever is slow. */
        FOR_PASSAGE("idleTimeout", "no element has passed for "),
        /** For downstream to ask. */
        FOR_DEMAND("backpressureTimeout", "downstream has asked for nothing for ");

        private final String operator;
        private final String complaint;

        Wait(String operator, String complaint) {
            this.operator = operator;
            this.complaint = complaint;
        }
    }

    public TimeoutStage(Wait kind, Duration timeout) {
        super(kind.operator, new Body<>(kind, Durations.positive(kind.operator, timeout)));
    }

    private record Body<T>(Wait kind, Duration timeout) implements Step<T> {
        @Override
        public boolean isStateful() {
            return true;
        }

        @Override
        public Object newState(StepControl control) {
            return new Watch(control, kind, timeout);
        }

        @Override
        public void start(@Nullable Object state) {
            ((Watch) Objects.requireNonNull(state, "state")).start();
        }

        @Override
        public Object apply(T element, @Nullable Object[] states, int at) {
            ((Watch) Step.state(states, at)).countElement();
            return element;
        }
    }

    /** What one run knows; belongs to the island. */
    private static final class Watch {
        private final StepControl control;
        private final Wait kind;
        private final Duration timeout;
        private @Nullable IdleTimer patience;

        Watch(StepControl control, Wait kind, Duration timeout) {
            this.control = control;
            this.kind = kind;
            this.timeout = timeout;
        }

        void start() {
            patience = new IdleTimer(timeout, kind != Wait.FOR_PASSAGE, control.nowNanos());
            control.lookEvery(IdleTimer.betweenLooks(timeout), this::look);
        }

        void countElement() {
            Objects.requireNonNull(patience).countElement();
        }

        private void look() {
            boolean isWaiting = kind == Wait.FOR_PASSAGE || control.isAwaited() == (kind == Wait.FOR_ELEMENT);
            if (Objects.requireNonNull(patience).isOver(isWaiting, control.nowNanos())) {
                control.fail(new TimeoutException(kind.complaint + timeout));
            }
        }
    }
}
