package io.millrace.streams;

/** More elements came than a limit allows. */
public final class StreamLimitReachedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The limit, in elements. */
    public StreamLimitReachedException(long most) {
        super("more than " + most + " elements came, which is the limit");
    }
}
