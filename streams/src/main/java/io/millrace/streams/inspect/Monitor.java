package io.millrace.streams.inspect;

import java.util.Optional;

/** Shows what has gone through one place of a stream; safe to ask from any thread, as of about now. */
public interface Monitor<T> {
    /** How the stream stands here. */
    enum State {
        RUNNING,
        COMPLETED,
        FAILED,
        CANCELLED
    }

    /** How the stream stands here. */
    State state();

    /** How many elements have gone through. */
    long count();

    /** The last element that has gone through. */
    Optional<T> lastElement();

    /** What the stream failed with, or why it was cancelled. */
    Optional<Throwable> cause();
}
