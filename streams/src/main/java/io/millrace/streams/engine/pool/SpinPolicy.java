package io.millrace.streams.engine.pool;

import io.millrace.streams.schedule.Durations;
import java.time.Duration;

/**
 * For how long a worker searches before it parks. It searches for longer if that has paid lately: if a search found a task, or a
 * park was so short that a search would have. At a low rate of tasks it hardly searches, as each search would end in a park
 * all the same and only take the processor from others.
 */
record SpinPolicy(int minRounds, int maxRounds, long shortParkNanos) {
    private static final int MIN_ROUNDS = 8;
    /** What one round takes, about. */
    private static final int ROUND_NANOS = 50;

    /** For searches of this length at most. */
    static SpinPolicy of(Duration longestSearch) {
        long nanos = Durations.nanos(longestSearch);
        int maxRounds = (int) (nanos / ROUND_NANOS);
        return new SpinPolicy(Math.min(MIN_ROUNDS, maxRounds), maxRounds, nanos);
    }

    int afterSuccess(int rounds) {
        return Math.min(maxRounds, rounds * 2);
    }

    int afterPark(int rounds, long parkedNanos) {
        return parkedNanos < shortParkNanos ? afterSuccess(rounds) : Math.max(minRounds, rounds / 2);
    }
}
