package io.millrace.streams.failure;

/** More came than a limit allows. */
public final class StreamLimitReachedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The limit, in elements. */
    public StreamLimitReachedException(long most) {
        this("more than " + most + " elements came, which is the limit");
    }

    public StreamLimitReachedException(String message) {
        super(message);
    }
}
