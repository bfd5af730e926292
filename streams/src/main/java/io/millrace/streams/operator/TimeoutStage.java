package io.millrace.streams.operator;

import io.millrace.streams.Attributes;
import io.millrace.streams.stage.GraphStageLogic;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * Fails when upstream takes longer than so long for an element that was asked for. Asking is only counted; a timer
 * that looks a few times per timeout moves the deadline if the count has changed, so nothing is scheduled and no clock
 * is read per element. The failure never comes early, and late by one look at most.
 */
public final class TimeoutStage<T> extends LinearStage<T, T> {
    private static final String TIMER = "timeout";
    private static final int LOOKS_PER_TIMEOUT = 16;

    private final Duration timeout;
    private final Duration betweenLooks;

    public TimeoutStage(Duration timeout) {
        super("timeout");
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("timeout must be longer than zero, not " + timeout);
        }
        this.timeout = timeout;
        betweenLooks = timeout.dividedBy(LOOKS_PER_TIMEOUT).plusNanos(1);
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new TimeoutLogic();
    }

    private final class TimeoutLogic extends Logic<T, T> {
        private long pulls;
        private long pullsAtLastLook;
        private long waitingSinceNanos;

        TimeoutLogic() {
            super(TimeoutStage.this);
        }

        @Override
        public void preStart() {
            waitingSinceNanos = runtime().scheduler().nowNanos();
            schedulePeriodically(TIMER, betweenLooks, betweenLooks);
        }

        @Override
        public void onPull() {
            pulls++;
            pull(in);
        }

        @Override
        public void onPush() {
            push(out, grab(in));
        }

        @Override
        public void onTimer(Object key) {
            long nowNanos = runtime().scheduler().nowNanos();
            if (pulls != pullsAtLastLook) {
                pullsAtLastLook = pulls;
                waitingSinceNanos = nowNanos;
            } else if (hasBeenPulled(in)
                    && timeout.minusNanos(nowNanos - waitingSinceNanos).isNegative()) {
                failStage(new TimeoutException("no element within " + timeout));
            }
        }
    }
}
