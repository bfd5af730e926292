package io.millrace.streams.operator;

import java.time.Duration;

/** Durations given to operators. */
final class Durations {
    private static final long LONGEST_NANOS = Long.MAX_VALUE / 4;

    private Durations() {}

    /** The duration, which must be longer than zero. */
    static Duration positive(String operator, Duration duration) {
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException(operator + ": the duration must be longer than zero, not " + duration);
        }
        return duration;
    }

    /** The duration, which must not be negative. */
    static Duration notNegative(String operator, Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException(operator + ": the duration must not be negative, not " + duration);
        }
        return duration;
    }

    /** Its nanoseconds, up to some 73 years, so that sums with times on a clock do not overflow. */
    static long nanos(Duration duration) {
        return duration.compareTo(Duration.ofNanos(LONGEST_NANOS)) < 0 ? duration.toNanos() : LONGEST_NANOS;
    }
}
