package io.millrace.streams.stage;

import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.SourceShape;
import java.time.Duration;

/**
 * An outlet that a stage opens while it runs: it is handed out as a {@link #source()}, which anybody may run once, in an
 * island of its own. It has room for some elements, also before it is run, and what is in it can be taken also after the
 * owner has stopped. An owner that stops without ending it fails it. All but the source belongs to the owner's island.
 */
public interface SubSourceOutlet<T> {
    /**
     * Where the elements come out. A second run of it fails with an {@link IllegalStateException}, and a run after it has
     * expired with a {@link io.millrace.streams.failure.SubstreamNotRunException}.
     */
    Graph<SourceShape<T>, NotUsed> source();

    /**
     * Sets what happens on signals, from the next one on: {@code onPull} is called when there is room again after
     * {@link #isAvailable} has said that there is none, and once when the source is run.
     */
    void setHandler(OutHandler newHandler);

    /** Unless the source is run in time, closes this and calls {@code onDownstreamFinish} with a {@link io.millrace.streams.failure.SubstreamNotRunException}. */
    void expireAfter(Duration subscriptionTimeout);

    /** Whether there is room for an element. */
    boolean isAvailable();

    /** Adds an element, for which there must be room. */
    void push(T element);

    /** Adds an element if there is room; whether there was. */
    boolean offer(T element);

    /** Completes it after what was pushed. */
    void complete();

    /** Fails it after what was pushed. */
    void fail(Throwable failure);

    boolean isClosed();

    /** Whether somebody has run the source. */
    boolean isRun();

    /**
     * Whether the source is run, and whoever runs it has taken every element and waits for more, and for no future of
     * {@code mapAsync} and its like.
     */
    boolean isStarved();
}
