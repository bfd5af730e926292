package io.millrace.streams.engine.segment;

import java.util.Iterator;

/** A source that is a loop over an iterator of its own; it may begin a segment. */
@FunctionalInterface
public interface Origin extends StepPart {
    /** What one run emits; it is asked whether there is more right after each element. */
    Iterator<?> newIterator() throws Exception;

    /** Whether a run calls nothing of the user's, so that it takes hardly any time on whichever thread it is. */
    default boolean isPlain() {
        return false;
    }

    /** Whether each element is an object that is made for it. */
    default boolean makesElements() {
        return false;
    }
}
