package io.millrace.streams.graph;

/**
 * An element and when it came.
 *
 * @param atNanos on the clock of the runtime's scheduler, whose origin is arbitrary: only differences say something
 */
public record Timestamped<T>(T element, long atNanos) {}
