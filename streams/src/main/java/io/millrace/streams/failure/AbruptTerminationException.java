package io.millrace.streams.failure;

/** The runtime was closed, or a stage ended, before the stream could end by itself. */
public final class AbruptTerminationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public AbruptTerminationException(String message) {
        super(message);
    }
}
