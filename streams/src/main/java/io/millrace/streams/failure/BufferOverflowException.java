package io.millrace.streams.failure;

/** A buffer was full and its strategy is to fail. */
public final class BufferOverflowException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public BufferOverflowException(String message) {
        super(message);
    }
}
