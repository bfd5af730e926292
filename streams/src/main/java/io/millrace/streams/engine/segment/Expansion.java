package io.millrace.streams.engine.segment;

import java.util.Iterator;

/** A synchronous operator that makes many elements of one; it may begin a segment, as it must be able to pause. */
public interface Expansion<I> extends StepPart {
    /** What becomes of an element. */
    Iterator<?> expand(I element) throws Exception;

    /** The function of the user's that it calls for each element. */
    Object function();
}
