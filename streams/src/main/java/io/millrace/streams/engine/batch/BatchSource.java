package io.millrace.streams.engine.batch;

import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Whoever gives the stage below a batch: elements that are there now, taken by calls within one handler instead of by a pull and a push event
 * for each. Implemented by the logic of a stage, and by the edges and boundaries over which stages ask. {@code Interpreter} draws it. Endings,
 * and whatever is not there now, go by events as ever. Belongs to the island, as everything in it.
 *
 * <p><b>Who is to blame</b>: what the batch throws is the failure of whoever gave it, and is handed back to that one in {@link #closeBatch}; what the
 * taker does with an element is the taker's own failure, and none of the batch's.
 */
public interface BatchSource {
    /**
     * The batch for the stage below, on the edge to which nothing is under way; null when it has to pull. It takes from there until it says {@link
     * #closeBatch}, in the same handler, and takes every element that it has looked for. A batch may end early.
     */
    @Nullable
    Iterator<?> openBatch();

    /**
     * The stage below takes no more of the batch.
     *
     * @param count how many elements it has taken
     * @param thrown what the batch has thrown, if it has
     */
    void closeBatch(int count, @Nullable Throwable thrown) throws Throwable;
}
