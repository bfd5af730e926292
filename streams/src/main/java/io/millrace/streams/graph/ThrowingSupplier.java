package io.millrace.streams.graph;

/** Makes a value and may throw; what it throws fails the stage that calls it. */
@FunctionalInterface
public interface ThrowingSupplier<T> {
    T make() throws Exception;
}
