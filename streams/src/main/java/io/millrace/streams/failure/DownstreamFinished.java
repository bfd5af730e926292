package io.millrace.streams.failure;

/** The cause of a cancellation that has no other cause: downstream wants no more. It has no stack trace. */
public final class DownstreamFinished extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DownstreamFinished() {
        super("downstream wants no more", null, false, false);
    }
}
