package io.millrace.streams.stage;

import io.millrace.streams.engine.Mailbox;
import io.millrace.streams.graph.Done;
import java.util.concurrent.CompletionStage;

/**
 * Brings values from any thread to a handler that runs in the stage's island, one at a time, in the order invoked.
 * Values sent before the stage has started wait for it; values sent after it has stopped are dropped.
 */
public final class AsyncCallback<T> {
    private final Mailbox<T> channel;

    AsyncCallback(Mailbox<T> channel) {
        this.channel = channel;
    }

    /** Hands over a value; never blocks. */
    public void invoke(T value) {
        channel.send(value);
    }

    /**
     * Hands over a value; the future completes once the handler has run, and fails when the handler throws or the
     * stage has stopped ({@link io.millrace.streams.graph.StageStoppedException}).
     */
    public CompletionStage<Done> invokeWithFeedback(T value) {
        return channel.sendWithFeedback(value);
    }

    void close() {
        channel.dispose();
    }
}
