package io.millrace.streams.graph;

/** A number of a value, perhaps its cost or weight; what it throws fails the stage that calls it. */
@FunctionalInterface
public interface ThrowingToLongFunction<T> {
    long applyAsLong(T value) throws Exception;
}
