package io.millrace.streams.engine.failure;

import io.millrace.streams.graph.Supervision;
import io.millrace.streams.graph.Supervision.Directive;
import java.util.Objects;

/** What is to become of a stream after a failure of one of its operators. */
public final class Verdict {
    private Verdict() {}

    /**
     * What supervision says of it; an error that is no exception stops the stream unasked. What supervision itself throws
     * fails the stream in place of the failure, which is suppressed in it; so does a null.
     */
    public static Directive on(Throwable failure, Supervision supervision) {
        if (!(failure instanceof Exception)) {
            return Directive.STOP;
        }
        try {
            return Objects.requireNonNull(supervision.decide(failure), "the supervision decided on null");
        } catch (Throwable ofSupervision) {
            Suppressed.add(failure, ofSupervision);
            throw ofSupervision;
        }
    }
}
