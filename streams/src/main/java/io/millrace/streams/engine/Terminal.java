package io.millrace.streams.engine;

import org.jspecify.annotations.Nullable;

/** The step that ends a segment: it takes every element, and has a result once upstream has completed. */
public interface Terminal<I> extends Step<I> {
    /** The result, when there are no more elements. */
    Object result(@Nullable Object state) throws Exception;
}
