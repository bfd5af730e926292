package io.millrace.streams.hub;

/** What a broadcast hub does with elements while nobody consumes. */
public enum WithoutConsumers {
    /** It fills its buffer for the next consumer and then waits. */
    BACKPRESSURE,
    /** It takes them and drops them, those included that the last consumer left unread. */
    DROP
}
