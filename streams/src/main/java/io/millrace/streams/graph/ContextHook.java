package io.millrace.streams.graph;

import org.jspecify.annotations.Nullable;

/**
 * Carries what a tracing library keeps with the thread along with the elements, where these go to another island:
 * {@code RuntimeSettings.withContextHook}. Called by all threads that run streams;
 * what it throws around a turn ends the stream.
 */
public interface ContextHook {
    /** What this thread has at the moment, or null; called for each element that is handed over, and before a turn. */
    @Nullable
    Object capture();

    /** Gives this thread what was captured; called as the island on the other side takes the element, and after a turn. */
    void restore(@Nullable Object captured);
}
