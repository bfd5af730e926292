package io.millrace.streams.operator.junctions;

import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.failure.DownstreamFinished;

/** What an eager junction does when one of its outputs cancels. */
final class EagerCancel {
    private EagerCancel() {}

    /** The other outputs complete, or fail with the cause if that is a failure. */
    static void end(StageContext stage, Throwable cause) {
        if (cause instanceof DownstreamFinished) {
            stage.cancelStage(cause);
        } else {
            stage.passFailure(cause);
        }
    }
}
