package io.millrace.streams.graph;

import org.jspecify.annotations.Nullable;

/**
 * Carries what a tracing library keeps with the thread into a stream, from the thread that runs the graph, and along with the elements,
 * where these go to another island: {@code RuntimeSettings.withContextHook}. Called by all threads that run streams or graphs;
 * what it throws around a turn ends the stream, and where a graph is run, {@code run} throws.
 */
public interface ContextHook {
    /** What this thread has at the moment, or null; called where a graph is run, for each element that is handed over, and before a turn. */
    @Nullable
    Object capture();

    /**
     * Gives this thread what was captured; called as a turn begins, with what the thread had that ran the graph, as the island on the other side takes
     * an element, and after a turn.
     */
    void restore(@Nullable Object captured);
}
