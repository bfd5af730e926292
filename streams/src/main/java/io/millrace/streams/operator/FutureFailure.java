package io.millrace.streams.operator;

import io.millrace.streams.engine.failure.Verdict;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Supervision;
import io.millrace.streams.graph.Supervision.Directive;
import java.util.concurrent.CompletionException;

/** What a future failed with, and what becomes of the element. */
public final class FutureFailure {
    private FutureFailure() {}

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
