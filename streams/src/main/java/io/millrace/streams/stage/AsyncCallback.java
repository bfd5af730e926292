package io.millrace.streams.stage;

import io.millrace.streams.graph.Done;
import java.util.concurrent.CompletionStage;

/**
 * Brings values from any thread to a handler that runs in the stage's island, one at a time, in the order invoked.
 * Values sent before the stage has started wait for it; values sent after it has stopped are dropped.
 */
public interface AsyncCallback<T> {
    /** Hands over a value; never blocks. */
    void invoke(T value);

    /**
     * Hands over a value; the future completes once the handler has run, and fails when the handler throws or the
     * stage has stopped ({@link io.millrace.streams.failure.StageStoppedException}).
     */
    CompletionStage<Done> invokeWithFeedback(T value);
}
