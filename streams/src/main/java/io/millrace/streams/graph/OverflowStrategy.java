package io.millrace.streams.graph;

import io.millrace.streams.failure.BufferOverflowException;

/** What a full buffer does with the next element. */
public enum OverflowStrategy {
    /** Asks for no more until there is room. */
    BACKPRESSURE,
    /** Drops the oldest element. */
    DROP_HEAD,
    /** Drops the youngest element in the buffer. */
    DROP_TAIL,
    /** Drops the element that has just come. */
    DROP_NEW,
    /** Drops everything in the buffer. */
    DROP_BUFFER,
    /** Fails the stream with a {@link BufferOverflowException}. */
    FAIL
}
