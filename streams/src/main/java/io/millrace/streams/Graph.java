package io.millrace.streams;

import io.millrace.streams.stage.GraphStageWithMaterializedValue;

/**
 * A blueprint with open ports and, once run, a materialized value; immutable, shareable, runnable any number of times.
 *
 * <p>There are two ways to get one: write a stage, or put graphs together.
 *
 * @param <S> its open ports
 * @param <M> what a run of it gives back
 */
public sealed interface Graph<S extends Shape, M>
        permits Source, Flow, Sink, BidiFlow, RunnableGraph, CompositeGraph, GraphStageWithMaterializedValue {
    /** The open ports; the same object on every call. */
    S shape();
}
