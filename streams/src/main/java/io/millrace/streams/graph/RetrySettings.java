package io.millrace.streams.graph;

import java.util.Objects;
import java.util.function.Predicate;

/**
 * How a source that fails is run again; immutable.
 *
 * @param maxRetries how often it is run again at most, 1 or more
 * @param backoff how long each run again waits
 * @param retryOn which failures it is run again after; others go through
 */
public record RetrySettings(int maxRetries, Backoff backoff, Predicate<? super Throwable> retryOn) {
    public RetrySettings {
        Objects.requireNonNull(backoff, "backoff");
        Objects.requireNonNull(retryOn, "retryOn");
        if (maxRetries < 1) {
            throw new IllegalArgumentException("maxRetries must be at least 1, not " + maxRetries);
        }
    }

    /** So many retries, at once, after any failure. */
    public static RetrySettings times(int maxRetries) {
        return new RetrySettings(maxRetries, Backoff.NONE, failure -> true);
    }

    public RetrySettings withBackoff(Backoff value) {
        return new RetrySettings(maxRetries, value, retryOn);
    }

    public RetrySettings withRetryOn(Predicate<? super Throwable> value) {
        return new RetrySettings(maxRetries, backoff, value);
    }
}
