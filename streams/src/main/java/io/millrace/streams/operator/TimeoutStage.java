package io.millrace.streams.operator;

import io.millrace.streams.engine.Step;
import io.millrace.streams.engine.StepControl;
import io.millrace.streams.engine.StepStage;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Fails when an element that is waited for takes longer than so long. Elements are only counted; a timer that looks a few
 * times per timeout moves the deadline if the count has changed, so nothing is scheduled and no clock is read per
 * element. The failure never comes early, and late by two looks at most.
 */
public final class TimeoutStage<T> extends StepStage<T, T> {
    private static final int LOOKS_PER_TIMEOUT = 32;

    public TimeoutStage(Duration timeout) {
        super(
                "timeout",
                new Body<>(timeout, timeout.dividedBy(LOOKS_PER_TIMEOUT).plusNanos(1)));
    }

    private record Body<T>(Duration timeout, Duration betweenLooks) implements Step<T> {
        private Body {
            if (timeout.isNegative() || timeout.isZero()) {
                throw new IllegalArgumentException("timeout must be longer than zero, not " + timeout);
            }
        }

        @Override
        public boolean isStateful() {
            return true;
        }

        @Override
        public Object newState(StepControl control) {
            return new Watch(control, timeout, betweenLooks);
        }

        @Override
        public void start(@Nullable Object state) {
            ((Watch) Objects.requireNonNull(state, "state")).start();
        }

        @Override
        public Object apply(T element, @Nullable Object[] states, int at) {
            ((Watch) Step.state(states, at)).count++;
            return element;
        }
    }

    /** What one run knows; belongs to the island. */
    private static final class Watch {
        private final StepControl control;
        private final Duration timeout;
        private final Duration betweenLooks;
        private long count;
        private long countAtLastLook;
        private long waitingSinceNanos;

        Watch(StepControl control, Duration timeout, Duration betweenLooks) {
            this.control = control;
            this.timeout = timeout;
            this.betweenLooks = betweenLooks;
        }

        void start() {
            waitingSinceNanos = control.nowNanos();
            control.lookEvery(betweenLooks, this::look);
        }

        private void look() {
            long nowNanos = control.nowNanos();
            if (count != countAtLastLook || !control.isAwaited()) {
                countAtLastLook = count;
                waitingSinceNanos = nowNanos;
                return;
            }
            Duration waiting = Duration.ofNanos(nowNanos - waitingSinceNanos);
            // The wait may have begun just before the next look after the one that is noted.
            if (waiting.compareTo(timeout.plus(betweenLooks)) >= 0) {
                control.fail(new TimeoutException("no element within " + timeout));
            }
        }
    }
}
