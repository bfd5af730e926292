package io.millrace.streams.schedule;

import java.util.concurrent.RejectedExecutionException;

/** A task that goes back to the timers after each run; what it shares is said in {@link Task}. */
final class PeriodicTask extends Task {
    private final long periodNanos;

    PeriodicTask(Lane lane, Runnable action, long deadlineNanos, long periodNanos) {
        super(lane, action, deadlineNanos);
        this.periodNanos = periodNanos;
    }

    @Override
    void ran(Runnable action) {
        long now = lane.nowNanos();
        deadlineNanos = following(deadlineNanos, periodNanos, now);
        boolean waits = deadlineNanos - now > 0;
        sequence = waits ? NOT_ARMED : 0;
        if (!rearm(action)) {
            return;
        }
        try {
            if (waits) {
                lane.runAtDeadline(this);
            } else {
                lane.runSoon(this);
            }
        } catch (RuntimeException | Error refused) {
            boolean isShutdown = refused instanceof RejectedExecutionException && lane.isDisposed();
            discard();
            lane.dropped(this);
            if (!isShutdown) {
                Uncaught.report(refused);
            }
        }
    }

    /** The first multiple of the period after the deadline that is not over yet, so a clock jump makes no burst. */
    static long following(long deadlineNanos, long periodNanos, long nowNanos) {
        if (periodNanos == 0) {
            return nonZero(nowNanos);
        }
        long late = Math.max(0, nowNanos - deadlineNanos);
        long missed = late == 0 ? 0 : (late - 1) / periodNanos;
        return nonZero(deadlineNanos + Math.max(1, missed + 1) * periodNanos);
    }
}
