package io.millrace.streams.engine;

/** What a stage does with elements that the stage above has at hand; see {@link Edge#takeAtHand}. */
public interface BatchSink {
    /** Whether another one may come now. */
    boolean wantsMore();

    /** Takes an element. */
    void take(Object element) throws Exception;
}
