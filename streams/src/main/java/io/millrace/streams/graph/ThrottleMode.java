package io.millrace.streams.graph;

import io.millrace.streams.failure.RateExceededException;

/** What a throttle does with elements that come faster than its rate. */
public enum ThrottleMode {
    /** Makes them wait, and upstream with them. */
    SHAPING,
    /** Fails the stream with a {@link RateExceededException}. */
    ENFORCING
}
