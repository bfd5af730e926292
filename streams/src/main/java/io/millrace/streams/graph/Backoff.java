package io.millrace.streams.graph;

import io.millrace.streams.schedule.Durations;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * How long to wait before something is tried again: twice as long each time, shortened at random so that those that failed
 * together do not come back together; immutable.
 *
 * @param min the first wait, zero or more
 * @param max the longest wait, not less than the first
 * @param jitter the share of a wait that chance may take off, 0 to 1
 * @param seed makes each run draw the same waits: for tests
 */
public record Backoff(Duration min, Duration max, double jitter, OptionalLong seed) {
    /** Tries again at once. */
    public static final Backoff NONE = new Backoff(Duration.ZERO, Duration.ZERO, 0, OptionalLong.empty());

    private static final int MOST_DOUBLINGS = 62;

    public Backoff {
        Objects.requireNonNull(seed, "seed");
        if (min.isNegative()) {
            throw new IllegalArgumentException("the first wait must be zero or more, not " + min);
        }
        if (max.compareTo(min) < 0) {
            throw new IllegalArgumentException("the longest wait must be at least the first, " + min + ", not " + max);
        }
        if (!(jitter >= 0 && jitter <= 1)) {
            throw new IllegalArgumentException("jitter must be between 0 and 1, not " + jitter);
        }
    }

    /** Waits this long at first, and twice as long each time up to so long; chance takes off up to a fifth. */
    public static Backoff exponential(Duration min, Duration max) {
        return new Backoff(min, max, 0.2, OptionalLong.empty());
    }

    public Backoff withJitter(double share) {
        return new Backoff(min, max, share, seed);
    }

    public Backoff withSeed(long value) {
        return new Backoff(min, max, jitter, OptionalLong.of(value));
    }

    /** What a run draws its waits from. */
    public RandomGenerator newRandom() {
        return seed.isPresent() ? new SplittableRandom(seed.getAsLong()) : new SplittableRandom();
    }

    /** The wait after so many waits before it. */
    public Duration after(int waits, RandomGenerator random) {
        double longest = Durations.nanos(max);
        double doubled = Math.min(longest, Durations.nanos(min) * (double) (1L << Math.min(waits, MOST_DOUBLINGS)));
        return Duration.ofNanos(Math.round(doubled * (1 - jitter * random.nextDouble())));
    }
}
