package io.millrace.streams.fuzz;

import io.millrace.streams.graph.Supervision.Directive;
import org.jspecify.annotations.Nullable;

/**
 * Where an operator stands in the interpreter.
 *
 * @param step its name in the graph
 * @param directive what becomes of an exception of its functions
 */
record Place(String step, Directive directive, Interpretation run) {
    Place with(Directive other) {
        return new Place(step, other, run);
    }

    /** Fails the stream unless supervision drops the element; says whether the state goes with it. */
    boolean losesState(Throwable thrown) {
        if (!(thrown instanceof Exception) || directive == Directive.STOP) {
            throw failed(thrown);
        }
        return directive == Directive.RESTART;
    }

    /** The failure that this operator is blamed for. */
    Failed failed(Throwable thrown) {
        Failed failed = new Failed(thrown, step);
        run.failures.add(failed);
        return failed;
    }

    /** What a function has made, which must not be null. */
    Object present(@Nullable Object value) {
        if (value == null) {
            throw new NullPointerException(step);
        }
        return value;
    }
}
