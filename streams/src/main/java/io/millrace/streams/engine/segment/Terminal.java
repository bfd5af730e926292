package io.millrace.streams.engine.segment;

import io.millrace.streams.engine.batch.ElementBatch;
import org.jspecify.annotations.Nullable;

/** The step that ends a segment: it takes every element, and has a result once upstream has completed. */
public interface Terminal<I> extends Step<I> {
    /** Whether it never ends the stream itself and takes whole batches. */
    default boolean takesBatches() {
        return false;
    }

    /**
     * The same as {@link #apply} for each element of a batch, as the only step of its segment: a loop of its own, which the
     * virtual machine compiles for this operator alone.
     */
    default void applyAll(ElementBatch<?> elements, @Nullable Object[] states) throws Exception {
        throw new IllegalStateException("a step that takes no batches was given one");
    }

    /** The result, when there are no more elements. */
    Object result(@Nullable Object state) throws Exception;
}
