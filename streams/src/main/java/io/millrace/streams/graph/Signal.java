package io.millrace.streams.graph;

import java.util.Objects;

/** What comes down a stream, as a value: an element, or how the stream ends. */
public sealed interface Signal<T> {
    /** An element. */
    record Next<T>(T element) implements Signal<T> {
        public Next {
            Objects.requireNonNull(element, "element");
        }
    }

    /** The stream has failed. */
    record Failed<T>(Throwable failure) implements Signal<T> {
        public Failed {
            Objects.requireNonNull(failure, "failure");
        }
    }

    /** The stream has completed. */
    record Completed<T>() implements Signal<T> {}
}
