package io.millrace.streams.graph;

/**
 * What becomes of a stream when a function given to an operator throws an exception: attached to a part of a graph by
 * {@link Attributes#supervision}. An error that is no exception always fails the stream.
 */
@FunctionalInterface
public interface Supervision {
    /** What is done. */
    enum Directive {
        /** The stream fails. */
        STOP,
        /** The element is dropped, and the operator goes on with the state it has. */
        RESUME,
        /** The element is dropped, and the operator goes on with a new state. */
        RESTART
    }

    /** What is done about this failure; what it throws fails the stream, and so does null. */
    Directive decide(Throwable failure);

    /** Fails the stream; the default. */
    static Supervision stop() {
        return failure -> Directive.STOP;
    }

    /** Drops the element. */
    static Supervision resume() {
        return failure -> Directive.RESUME;
    }

    /** Drops the element and the operator's state. */
    static Supervision restart() {
        return failure -> Directive.RESTART;
    }
}
