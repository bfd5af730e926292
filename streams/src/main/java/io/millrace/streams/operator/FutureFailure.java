package io.millrace.streams.operator;

import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** What a future failed with. */
public final class FutureFailure {
    private FutureFailure() {}

    /**
     * Whether this, if it is not null, may be the failure of another stream that ended by force together with that of this stage, as all
     * do whose runtime is closed: then it is no reason to do anything.
     */
    public static boolean mayBeForced(GraphStageLogic stage, @Nullable Throwable failure) {
        return failure != null && StageContext.of(stage).isEndedByForce();
    }

    /** The failure without the wrapping that dependent futures add. */
    public static Throwable causeOf(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }
}
