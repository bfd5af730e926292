package io.millrace.streams.schedule;

/** A timer that took its own time when it was scheduled; what it shares is said in {@link Task}. */
final class SelfTimedTask extends Task {
    private final long startNanos;

    SelfTimedTask(Lane lane, Runnable action, long waitNanos, long startNanos) {
        super(lane, action, nonZero(startNanos + waitNanos));
        this.startNanos = startNanos;
    }

    @Override
    void startNotBefore(long nanos) {
        long early = nanos - startNanos;
        if (early > 0) {
            startAt(early);
        }
    }
}
