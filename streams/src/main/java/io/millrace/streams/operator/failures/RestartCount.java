package io.millrace.streams.operator.failures;

import io.millrace.streams.graph.RestartSettings;
import io.millrace.streams.schedule.Durations;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Counts the restarts of one run, and says how long the next one waits; belongs to the island. */
final class RestartCount {
    private final RestartSettings settings;
    private final RandomGenerator random;
    private int restarts;
    private long startedAtNanos;

    RestartCount(RestartSettings settings) {
        this.settings = settings;
        this.random = settings.backoff().newRandom();
    }

    void started(long nowNanos) {
        startedAtNanos = nowNanos;
    }

    /** The wait before the next run, after completion (null) or a failure; empty if there is to be none. */
    Optional<Duration> afterEnd(@Nullable Throwable failure, long nowNanos) {
        if (nowNanos - startedAtNanos >= Durations.nanos(settings.resetAfter())) {
            restarts = 0;
        }
        boolean wanted =
                failure == null ? settings.onCompletion() : settings.restartOn().test(failure);
        if (!wanted || restarts == settings.maxRestarts()) {
            return Optional.empty();
        }
        Duration wait = settings.backoff().after(restarts, random);
        restarts++;
        return Optional.of(wait);
    }
}
