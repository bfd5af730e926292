package io.millrace.streams;

/** Two values. */
public record Pair<A, B>(A first, B second) {}
