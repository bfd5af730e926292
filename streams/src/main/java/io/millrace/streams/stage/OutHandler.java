package io.millrace.streams.stage;

/** What a stage does with the signals of an outlet; called in the stage's island. What it throws fails the stage. */
public interface OutHandler {
    /** Downstream asks for an element: {@code push} one now or later. */
    void onPull() throws Exception;

    /** Downstream has cancelled; the outlet is closed. Cancels the stage with the same cause unless overridden. */
    default void onDownstreamFinish(Throwable cause) throws Exception {
        ThreadScope.active().cancelStage(cause);
    }
}
