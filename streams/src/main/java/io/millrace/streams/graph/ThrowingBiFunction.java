package io.millrace.streams.graph;

/** A function of two values that may throw; what it throws fails the stage that calls it. */
@FunctionalInterface
public interface ThrowingBiFunction<A, B, R> {
    R apply(A first, B second) throws Exception;
}
