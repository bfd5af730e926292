package io.millrace.streams.failure;

/** A substream was handed out, but nobody has run it in time. */
public final class SubstreamNotRunException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public SubstreamNotRunException(String message) {
        super(message);
    }
}
