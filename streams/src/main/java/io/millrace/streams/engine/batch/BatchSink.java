package io.millrace.streams.engine.batch;

/** What a stage does with the elements of a batch, one by one; see {@code BatchLease}. */
public interface BatchSink {
    /** Whether another one may come now. */
    boolean wantsMore();

    /** Takes an element. */
    void take(Object element) throws Exception;
}
