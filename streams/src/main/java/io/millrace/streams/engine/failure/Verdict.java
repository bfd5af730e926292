package io.millrace.streams.engine.failure;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Supervision;
import io.millrace.streams.graph.Supervision.Directive;
import java.util.Objects;

/** What is to become of a stream after a failure of one of its operators. */
public final class Verdict {
    private Verdict() {}

    /** Whether the supervision of an operator, if it has one, drops the element at which it failed, instead of failing the stream. */
    public static boolean dropsElement(Attributes inherited, Throwable failure) {
        return of(inherited, failure) != Directive.STOP;
    }

    /** What the supervision of an operator says of its failure; without any it stops. */
    public static Directive of(Attributes inherited, Throwable failure) {
        return inherited
                .find(Supervision.class)
                .map(supervision -> on(failure, supervision))
                .orElse(Directive.STOP);
    }

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
