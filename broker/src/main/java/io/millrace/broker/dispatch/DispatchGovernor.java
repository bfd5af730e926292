package io.millrace.broker.dispatch;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Holds what a subscription sends to a rate, and wakes it when it may go on. Owned by the dispatcher's island. */
final class DispatchGovernor {
    private final Throttle throttle;
    private final DispatcherContext context;
    private boolean isWaking;

    private DispatchGovernor(Rate rate, DispatcherContext context) {
        this.context = context;
        throttle = new Throttle(rate, context.nanoTime());
    }

    /** Null where there is nothing to hold. */
    static @Nullable DispatchGovernor of(Rate rate, DispatcherContext context) {
        return rate.isNone() ? null : new DispatchGovernor(rate, context);
    }

    /** Whether it may send an entry now; if not, a turn comes when it may. */
    boolean maySend() {
        long waitNanos = throttle.waitNanos(context.nanoTime());
        if (waitNanos > 0 && !isWaking) {
            isWaking = true;
            context.later(this::wake, Duration.ofNanos(waitNanos));
        }
        return waitNanos == 0;
    }

    private void wake() {
        isWaking = false;
        context.requestTurn();
    }

    void sent(int messages, int bytes) {
        throttle.passed(messages, bytes);
    }
}
