package io.millrace.streams.graph;

/** A condition that may throw; what it throws fails the stage that calls it. */
@FunctionalInterface
public interface ThrowingPredicate<T> {
    boolean test(T value) throws Exception;

    /** Holds where this one does not. */
    default ThrowingPredicate<T> negate() {
        return value -> !test(value);
    }
}
