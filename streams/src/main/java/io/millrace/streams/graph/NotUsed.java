package io.millrace.streams.graph;

/** The materialized value of a graph that has nothing to give back. */
public enum NotUsed {
    NOT_USED
}
