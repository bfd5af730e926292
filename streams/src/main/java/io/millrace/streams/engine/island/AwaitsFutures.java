package io.millrace.streams.engine.island;

/** A stage that asks for more while it waits for futures of what came before. */
public interface AwaitsFutures {
    /** Whether it waits for one; any thread may ask, so it is as of about now. */
    boolean awaitsFuture();
}
