package io.millrace.streams.stage;

/** What a stage does with the signals of an inlet; called in the stage's island. What it throws fails the stage. */
public interface InHandler {
    /** An element has come: {@code grab} it. */
    void onPush() throws Exception;

    /** Upstream has completed; the inlet is closed. Completes the stage unless overridden. */
    default void onUpstreamFinish() throws Exception {
        ThreadScope.active().completeStage();
    }

    /** Upstream has failed; the inlet is closed. Fails the stage unless overridden. */
    default void onUpstreamFailure(Throwable failure) throws Exception {
        ThreadScope.active().failStage(failure);
    }
}
