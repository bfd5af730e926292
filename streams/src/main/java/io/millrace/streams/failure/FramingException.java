package io.millrace.streams.failure;

/** Bytes that cannot be cut into frames: one is too long, incomplete at the end, or begins with what none begins with. */
public final class FramingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public FramingException(String message) {
        super(message);
    }
}
