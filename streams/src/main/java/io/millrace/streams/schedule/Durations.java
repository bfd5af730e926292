package io.millrace.streams.schedule;

import java.time.Duration;

/** Durations as nanoseconds, and as arguments: whoever means "for ever" by a very long one gets that, not an overflow. */
public final class Durations {
    /** Some 73 years: sums of a few of them with times on a clock do not overflow. */
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE / 4);

    private static final Duration SHORTEST = Duration.ofNanos(-(Long.MAX_VALUE / 4));

    private Durations() {}

    /** The duration, which must be longer than zero. */
    public static Duration positive(String operator, Duration duration) {
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException(operator + ": the duration must be longer than zero, not " + duration);
        }
        return duration;
    }

    /** The duration, which must not be negative. */
    public static Duration notNegative(String operator, Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException(operator + ": the duration must not be negative, not " + duration);
        }
        return duration;
    }

    /** Its nanoseconds, of a longer one those of some 73 years. */
    public static long nanos(Duration duration) {
        if (duration.compareTo(LONGEST) > 0) {
            return LONGEST.toNanos();
        }
        return duration.compareTo(SHORTEST) < 0 ? SHORTEST.toNanos() : duration.toNanos();
    }
}
