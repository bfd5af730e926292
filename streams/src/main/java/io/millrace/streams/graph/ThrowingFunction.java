package io.millrace.streams.graph;

/** A function that may throw; what it throws fails the stage that calls it. */
@FunctionalInterface
public interface ThrowingFunction<T, R> {
    R apply(T value) throws Exception;
}
