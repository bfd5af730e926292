package io.millrace.streams.engine.segment;

import io.millrace.streams.engine.pool.Turn;
import java.util.Iterator;

/** How the steps of a segment are called. */
abstract class SegmentBody {
    /** What {@link #pull} returns when the iterator has no more. */
    static final Object EXHAUSTED = new Object();

    /**
     * Takes elements and passes them through all steps until one comes out, which is returned; until the iterator has no more,
     * which is {@link #EXHAUSTED}; or so many at most, fewer where a step ends the stream or the turn gets long, and then the answer is {@link
     * Step#NOTHING}. {@code taken} of the run says how many were taken. When something throws, {@code failedAt} of the run says
     * which step; the head if it was the iterator.
     */
    abstract Object pull(SegmentRun run, Iterator<?> source, Turn turn, int atMost) throws Exception;

    /** Whether it is that one, or passes elements to it. */
    boolean calls(SegmentBody other) {
        return this == other;
    }

    /** The body of the same class for these steps. */
    SegmentBody of(Step<?>[] steps) {
        return this;
    }

    /** Passes one element through all steps; the rest as with {@link #pull}. */
    Object pass(SegmentRun run, Object element) throws Exception {
        run.entry = SegmentEntry.of(element, run.entry);
        Object passed = Step.NOTHING;
        while (passed == Step.NOTHING && run.entry.hasNext()) { // a turn that gets long may end it before it began
            passed = run.pull(this, run.entry, 1);
        }
        return passed;
    }
}
