package io.millrace.streams.stage;

import io.millrace.streams.Source;
import io.millrace.streams.engine.SubstreamOutput;
import io.millrace.streams.graph.NotUsed;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An outlet that a stage opens while it runs: it is handed out as a {@link #source()}, which anybody may run once, in an
 * island of its own. It has room for some elements, also before it is run, and what is in it can be taken also after the
 * owner has stopped. An owner that stops without ending it fails it. All but the source belongs to the owner's island.
 */
public final class SubSourceOutlet<T> {
    private final String name;
    private final SubstreamOutput<T> outflow;
    private final Source<T, NotUsed> source;
    private @Nullable OutHandler handler;
    private boolean closed;

    SubSourceOutlet(GraphStageLogic owner, String name, int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("a substream has room for at least 1 element, not " + capacity);
        }
        this.name = Objects.requireNonNull(name, "name");
        outflow = SubstreamOutput.open(owner, name, capacity, signal -> onSignal());
        source = Source.fromGraph(outflow.stage());
    }

    /**
     * Where the elements come out. A second run of it fails with an {@link IllegalStateException}, and a run after it has
     * expired with a {@link io.millrace.streams.graph.SubstreamNotRunException}.
     */
    public Source<T, NotUsed> source() {
        return source;
    }

    /**
     * Sets what happens on signals, from the next one on: {@code onPull} is called when there is room again after
     * {@link #isAvailable} has said that there is none, and once when the source is run.
     */
    public void setHandler(OutHandler newHandler) {
        handler = newHandler;
    }

    /** Unless the source is run in time, closes this and calls {@code onDownstreamFinish} with a {@link io.millrace.streams.graph.SubstreamNotRunException}. */
    public void expireAfter(Duration subscriptionTimeout) {
        if (!closed) {
            outflow.expireAfter(subscriptionTimeout, this::finished);
        }
    }

    /** Whether there is room for an element. */
    public boolean isAvailable() {
        return !closed && outflow.hasRoom();
    }

    /** Adds an element, for which there must be room. */
    public void push(T element) {
        if (!offer(element)) {
            throw new IllegalStateException(
                    "cannot push to substream " + name + ": " + (closed ? "it is closed" : "there is no room"));
        }
    }

    /** Adds an element if there is room; whether there was. */
    public boolean offer(T element) {
        boolean hasRoom = isAvailable();
        if (hasRoom) {
            outflow.offer(Objects.requireNonNull(element, "element"));
        }
        return hasRoom;
    }

    /** Completes it after what was pushed. */
    public void complete() {
        end(null);
    }

    /** Fails it after what was pushed. */
    public void fail(Throwable failure) {
        end(Objects.requireNonNull(failure, "failure"));
    }

    private void end(@Nullable Throwable failure) {
        if (!closed) {
            closed = true;
            outflow.end(failure);
        }
    }

    public boolean isClosed() {
        return closed;
    }

    /** Whether somebody has run the source. */
    public boolean isRun() {
        return outflow.isRun();
    }

    /** Whether the source is run, and whoever runs it has taken every element and waits for more. */
    public boolean isStarved() {
        return outflow.isStarved();
    }

    private void onSignal() throws Exception {
        if (closed) {
            return;
        }
        Throwable cancellation = outflow.cancellation();
        if (cancellation != null) {
            end(null);
            finished(cancellation);
            return;
        }
        if (isRun()) {
            outflow.stopWaiting();
        }
        if (outflow.hasRoom() && handler != null) {
            handler.onPull();
        }
    }

    private void finished(Throwable cause) throws Exception {
        closed = true;
        if (handler != null) {
            handler.onDownstreamFinish(cause);
        }
    }
}
