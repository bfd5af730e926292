package io.millrace.streams.graph;

/**
 * A blueprint with open ports and, once run, a materialized value; immutable, shareable, runnable any number of times.
 *
 * <p>There are two ways to get one: write a stage, or put graphs together. A class of your own that implements this
 * interface otherwise is refused where it is used, as there is nothing in it that could be run.
 *
 * @param <S> its open ports
 * @param <M> what a run of it gives back
 */
public interface Graph<S extends Shape, M> {
    /** The open ports; the same object on every call. */
    S shape();
}
