package io.millrace.streams.engine.batch;

import io.millrace.streams.engine.pool.Turn;
import org.jspecify.annotations.Nullable;

/** Where a stage sends what has become of a batch: the upper end of an edge, or the entry of a boundary. Belongs to the stage's island. */
public interface BatchOutput {
    /** Whether it takes an element now; if not, the stage is called when it does. */
    boolean hasDemand();

    /** For how many elements of a batch there is room: so many at most. */
    default int room(int most) {
        return most;
    }

    /** A batch begins, in this turn, which may get long before {@link #publish}. */
    default void beginBatch(Turn turn) {}

    /** Sends an element, for which there must be demand. */
    void push(Object element);

    /** Shows downstream what was sent. */
    default void publish() {}

    /** What downstream has cancelled with, if nobody tells the stage. */
    default @Nullable Throwable cancellation() {
        return null;
    }

    /** The stage has stopped, with this failure or none, and nobody else tells downstream. */
    default void end(@Nullable Throwable failure) {}
}
