package io.millrace.streams.stage;

import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.SinkShape;

/**
 * An inlet that a stage opens while it runs: another stream is run into its {@link #sink()}, in an island of its own,
 * and its signals arrive in the island of the stage that owns it. When the owner stops, the stream is cancelled.
 */
public interface SubSinkInlet<T> {
    /** Where to run the stream into, once: a second run is refused with an {@link IllegalStateException}. */
    Graph<SinkShape<T>, NotUsed> sink();

    /** Sets what happens on the stream's signals, from the next one on. */
    void setHandler(InHandler newHandler);

    /** Asks for one element; may be called before the stream runs. */
    void pull();

    /** Takes the element that has come; it can be taken once. */
    T grab();

    boolean isAvailable();

    boolean hasBeenPulled();

    boolean isClosed();

    /** Cancels the stream. */
    void cancel();

    /** Cancels the stream with this cause. */
    void cancel(Throwable cause);
}
