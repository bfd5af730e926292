package io.millrace.streams.operator;

import io.millrace.streams.engine.failure.Verdict;
import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Supervision;
import io.millrace.streams.graph.Supervision.Directive;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** What a future failed with, and what becomes of the element. */
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

    /** Whether the supervision of an operator drops the element, instead of failing the stream. */
    public static boolean dropsElement(Attributes inherited, Throwable failure) {
        return directive(inherited, failure) != Directive.STOP;
    }

    /** What the supervision of an operator says about a failure; an error that is no exception stops it. */
    public static Directive directive(Attributes inherited, Throwable failure) {
        return inherited
                .find(Supervision.class)
                .map(supervision -> Verdict.on(failure, supervision))
                .orElse(Directive.STOP);
    }
}
