package io.millrace.streams.graph;

/** Two values. */
public record Pair<A, B>(A first, B second) {}
