package io.millrace.streams.graph;

import io.millrace.streams.failure.StreamException;
import io.millrace.streams.schedule.Scheduler;

/** What runs graphs: a runtime, as seen by stages and operators that run graphs of their own. Safe to use from any thread. */
public interface Materializer {
    /**
     * Runs a graph and returns its materialized value.
     *
     * @throws StreamException when a stage cannot be made; what was made before has been released
     * @throws IllegalStateException when the runtime is closed
     */
    <M> M materialize(Graph<ClosedShape, M> graph);

    /** Whether it runs no more graphs. */
    boolean isClosed();

    /** The scheduler that drives the timers of the stages. */
    Scheduler scheduler();
}
