package io.millrace.streams.engine.failure;

import io.millrace.streams.graph.Supervision;
import io.millrace.streams.graph.Supervision.Directive;

/** What is to become of a stream after a failure of one of its operators. */
public final class Verdict {
    private Verdict() {}

    /**
     * What supervision says of it; an error that is no exception stops the stream unasked. What supervision itself throws
     * fails the stream in place of the failure, which is suppressed in it.
     */
    public static Directive on(Throwable failure, Supervision supervision) {
        if (!(failure instanceof Exception)) {
            return Directive.STOP;
        }
        try {
            return supervision.decide(failure);
        } catch (Throwable ofSupervision) {
            Suppressed.add(failure, ofSupervision);
            throw ofSupervision;
        }
    }
}
