package io.millrace.streams.operator.timing;

import io.millrace.streams.schedule.Durations;
import java.time.Duration;

/**
 * Whether a wait has lasted for so long. Elements are only counted; a timer that looks a few times per timeout moves the
 * deadline if the count has changed, so nothing is scheduled and no clock is read per element. The end never comes
 * early, however far apart looks are, and late by two looks at most. Belongs to an island.
 */
public final class IdleTimer {
    private static final int LOOKS_PER_TIMEOUT = 32;

    private final long limitNanos;
    private long count;
    private long countAtLastLook;
    private boolean wasWaiting;
    private long waitingSinceNanos;

    /** A wait that begins now; if {@code beginsUnseen}, not before a look has seen that it is waited. */
    public IdleTimer(Duration timeout, boolean beginsUnseen, long nowNanos) {
        limitNanos = Durations.nanos(timeout);
        wasWaiting = !beginsUnseen;
        waitingSinceNanos = nowNanos;
    }

    public static Duration betweenLooks(Duration timeout) {
        return Duration.ofNanos(Durations.nanos(timeout) / LOOKS_PER_TIMEOUT + 1);
    }

    /** How long to wait for the next look, so that an end that has been seen to come near comes in time. */
    public Duration untilNextLook(long nowNanos) {
        long leftNanos = limitNanos - (nowNanos - waitingSinceNanos);
        return Duration.ofNanos(
                Math.min(betweenLooks(Duration.ofNanos(limitNanos)).toNanos(), leftNanos));
    }

    public void countElement() {
        count++;
    }

    /** To be called at each look: whether it is waited, and that for too long. */
    public boolean isOver(boolean isWaiting, long nowNanos) {
        if (count != countAtLastLook || !isWaiting || !wasWaiting) {
            countAtLastLook = count;
            wasWaiting = isWaiting;
            waitingSinceNanos = nowNanos;
            return false;
        }
        return nowNanos - waitingSinceNanos >= limitNanos;
    }
}
