package io.millrace.streams.graph;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * How something that is to run for ever is started again when it ends; immutable.
 *
 * @param backoff how long each restart waits
 * @param maxRestarts how many restarts there may be in a row, 0 or more
 * @param resetAfter a run that has lasted this long begins the count of restarts and the waits anew
 * @param onCompletion whether it is restarted when it completes, too
 * @param restartOn which failures it is restarted after; others go through
 */
public record RestartSettings(
        Backoff backoff,
        int maxRestarts,
        Duration resetAfter,
        boolean onCompletion,
        Predicate<? super Throwable> restartOn) {
    public RestartSettings {
        Objects.requireNonNull(restartOn, "restartOn");
        if (backoff.min().isZero()) {
            throw new IllegalArgumentException("the first wait of a restart must be longer than zero");
        }
        if (maxRestarts < 0) {
            throw new IllegalArgumentException("maxRestarts must be 0 or more, not " + maxRestarts);
        }
        if (resetAfter.isNegative()) {
            throw new IllegalArgumentException("resetAfter must be zero or more, not " + resetAfter);
        }
    }

    /** Any number of restarts, after completion and any failure; a run longer than the longest wait begins anew. */
    public static RestartSettings of(Backoff backoff) {
        return new RestartSettings(backoff, Integer.MAX_VALUE, backoff.max(), true, failure -> true);
    }

    /** Only so many restarts in a row; a run that has lasted so long begins the count anew. */
    public RestartSettings withMaxRestarts(int count, Duration longEnough) {
        return new RestartSettings(backoff, count, longEnough, onCompletion, restartOn);
    }

    /** Completes when what is run completes. */
    public RestartSettings onFailuresOnly() {
        return new RestartSettings(backoff, maxRestarts, resetAfter, false, restartOn);
    }

    public RestartSettings withRestartOn(Predicate<? super Throwable> value) {
        return new RestartSettings(backoff, maxRestarts, resetAfter, onCompletion, value);
    }
}
