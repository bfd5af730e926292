package io.millrace.streams.failure;

/** An element needs one more substream than the limit allows. */
public final class TooManySubstreamsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TooManySubstreamsException(String message) {
        super(message);
    }
}
