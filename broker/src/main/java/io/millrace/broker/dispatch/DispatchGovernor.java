package io.millrace.broker.dispatch;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Holds what a subscription sends to its own rate and to that which it shares with others, and wakes it when it may go on. Owned by
 * the dispatcher's island.
 */
final class DispatchGovernor {
    private final Throttle throttle;
    private final Rate shared;
    private final Leases leases;
    private final DispatcherContext context;
    private boolean isWaking;
    private boolean isAsking;
    private boolean hasLease;
    private long messages;
    private long bytes;

    private DispatchGovernor(DispatchPolicy policy, Leases leases, DispatcherContext context) {
        this.leases = leases;
        this.context = context;
        shared = policy.topicRate();
        throttle = new Throttle(policy.rate(), context.nanoTime());
    }

    /** Null where there is nothing to hold. */
    static @Nullable DispatchGovernor of(DispatchPolicy policy, Leases leases, DispatcherContext context) {
        return policy.rate().isNone() && policy.topicRate().isNone()
                ? null
                : new DispatchGovernor(policy, leases, context);
    }

    /** Whether it may send an entry now; if not, a turn comes when it may. */
    boolean maySend() {
        long waitNanos = throttle.waitNanos(context.nanoTime());
        if (waitNanos > 0 && !isWaking) {
            isWaking = true;
            context.later(this::wake, Duration.ofNanos(waitNanos));
        }
        return waitNanos == 0 && (shared.isNone() || mayOfShared());
    }

    private boolean mayOfShared() {
        hasLease = hasLease && isWithin(messages, shared.messages()) && isWithin(bytes, shared.bytes());
        if (!hasLease && !isAsking) {
            isAsking = true;
            context.whenDone(leases.sent(messages, bytes), (granted, closing) -> leased(closing));
            messages = 0;
            bytes = 0;
        }
        return hasLease;
    }

    private static boolean isWithin(long sent, long most) {
        return most == 0 || sent < Math.max(1, most / Leases.PARTS);
    }

    /** A topic that is closing gives none, and its subscriptions end. */
    private void leased(@Nullable Throwable closing) {
        if (closing == null) {
            isAsking = false;
            hasLease = true;
            context.requestTurn();
        }
    }

    private void wake() {
        isWaking = false;
        context.requestTurn();
    }

    void sent(int messageCount, int byteCount) {
        throttle.passed(messageCount, byteCount);
        messages += messageCount;
        bytes += byteCount;
    }
}
