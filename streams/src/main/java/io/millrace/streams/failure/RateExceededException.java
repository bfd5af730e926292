package io.millrace.streams.failure;

/** Elements came faster than an enforcing throttle allows. */
public final class RateExceededException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RateExceededException(String message) {
        super(message);
    }
}
