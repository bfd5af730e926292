package io.millrace.streams.failure;

/**
 * A failure with its place: the message names the stream and the path of the operator, the cause is what was thrown.
 *
 * <p>It is what failure reports carry, and what {@code run} throws when a stream cannot be made. Downstream stages and
 * futures see the thrown exception itself, so that they can match on its type.
 */
public final class StreamException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StreamException(String message, Throwable cause) {
        super(message, cause);
    }
}
