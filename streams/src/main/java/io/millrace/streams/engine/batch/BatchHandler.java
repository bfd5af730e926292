package io.millrace.streams.engine.batch;

/**
 * The inlet handler of an end of a graph that asks for everything: it takes a batch of elements in one call, instead of a
 * push and a pull event for each, and still asks for more when it returns.
 */
public interface BatchHandler {
    /** Whether it takes batches: it must not have to wait for anything behind it. */
    default boolean takesBatches() {
        return true;
    }

    /** Takes elements until there are none left or the inlet is closed. */
    void onBatch(ElementBatch<?> elements) throws Exception;
}
