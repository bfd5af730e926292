package io.millrace.streams.graph;

/** An action on a value that may throw; what it throws fails the stage that calls it. */
@FunctionalInterface
public interface ThrowingConsumer<T> {
    void accept(T value) throws Exception;
}
