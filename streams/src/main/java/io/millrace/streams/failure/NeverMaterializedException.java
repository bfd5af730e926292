package io.millrace.streams.failure;

/** A nested graph was never run, so its materialized value does not exist. */
public final class NeverMaterializedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public NeverMaterializedException(String message) {
        super(message);
    }

    public NeverMaterializedException(String message, Throwable cause) {
        super(message, cause);
    }
}
