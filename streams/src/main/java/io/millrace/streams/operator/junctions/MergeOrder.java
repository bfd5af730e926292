package io.millrace.streams.operator.junctions;

import io.millrace.streams.operator.WaitingElements;

/** Which of the elements that wait at a junction goes next. One object for each run, as it may have a state. */
interface MergeOrder<T> {
    /** None of those that wait may go before more has come. */
    int WAIT = -1;

    /** The input whose element goes next, or {@link #WAIT}; asked only when an element can go. */
    int next(WaitingElements<T> waiting) throws Exception;

    /** An element has come at this input, and waits. */
    default void arrived(int input) {}

    /** Nothing waits at this input, and nothing will come. */
    default void over(int input) {}

    /** Whether nothing goes any more. */
    default boolean isOver(WaitingElements<T> waiting) {
        return waiting.areAllOver();
    }
}
