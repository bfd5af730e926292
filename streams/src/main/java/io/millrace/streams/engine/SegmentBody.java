package io.millrace.streams.engine;

import java.util.Iterator;

/** How the steps of a segment are called. */
abstract class SegmentBody {
    /**
     * Takes elements and passes them through all steps until one comes out, the iterator is exhausted, a step ends the
     * stream, or so many were taken; {@code taken} of the run says how many. When something throws, {@code failedAt} of
     * the run says which step.
     */
    abstract Object pull(SegmentLogic run, Iterator<?> source, int atMost) throws Exception;

    /** Passes one element through all steps; the rest as with {@link #pull}. */
    Object pass(SegmentLogic run, Object element) throws Exception {
        run.entry = SegmentEntry.of(element, run.entry);
        return pull(run, run.entry, 1);
    }
}
