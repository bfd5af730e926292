package io.millrace.streams.failure;

/**
 * A message was sent to a stage that has stopped, or stopped before it handled the message. It has a cause where the stage was
 * stuck in another call when its runtime was closed.
 */
public final class StageStoppedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StageStoppedException(String message) {
        super(message);
    }

    public StageStoppedException(String message, Throwable cause) {
        super(message, cause);
    }
}
