package io.millrace.streams.failure;

/** A message was sent to a stage that has stopped, or stopped before it handled the message. */
public final class StageStoppedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StageStoppedException(String message) {
        super(message);
    }
}
