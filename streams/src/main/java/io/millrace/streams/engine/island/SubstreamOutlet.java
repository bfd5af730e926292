package io.millrace.streams.engine.island;

import io.millrace.streams.failure.DownstreamFinished;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.OutHandler;
import io.millrace.streams.stage.SubSourceOutlet;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An outlet that a stage opens while it runs, over a boundary to whoever runs its source. */
final class SubstreamOutlet<T> implements SubSourceOutlet<T> {
    private final String name;
    private final SubstreamOutput<T> outflow;
    private final Graph<SourceShape<T>, NotUsed> source;
    private @Nullable OutHandler handler;
    private boolean closed;

    SubstreamOutlet(StageContext owner, String name, int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("a substream has room for at least 1 element, not " + capacity);
        }
        this.name = Objects.requireNonNull(name, "name");
        outflow = SubstreamOutput.open(owner, name, capacity, signal -> onSignal());
        source = outflow.stage();
    }

    @Override
    public Graph<SourceShape<T>, NotUsed> source() {
        return source;
    }

    @Override
    public void setHandler(OutHandler newHandler) {
        handler = newHandler;
    }

    @Override
    public void expireAfter(Duration subscriptionTimeout) {
        if (!closed) {
            outflow.expireAfter(subscriptionTimeout, this::finished);
        }
    }

    @Override
    public boolean isAvailable() {
        return !closed && outflow.hasRoom();
    }

    @Override
    public void push(T element) {
        if (!offer(element)) {
            throw new IllegalStateException(
                    "cannot push to substream " + name + ": " + (closed ? "it is closed" : "there is no room"));
        }
    }

    @Override
    public boolean offer(T element) {
        boolean hasRoom = isAvailable();
        if (hasRoom) {
            outflow.offer(Objects.requireNonNull(element, "element"));
        }
        return hasRoom;
    }

    @Override
    public void complete() {
        end(null);
    }

    @Override
    public void fail(Throwable failure) {
        end(Objects.requireNonNull(failure, "failure"));
    }

    private void end(@Nullable Throwable failure) {
        if (!closed) {
            closed = true;
            outflow.end(failure);
        }
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public boolean isRun() {
        return outflow.isRun();
    }

    @Override
    public boolean isStarved() {
        return outflow.isStarved();
    }

    private void onSignal() throws Exception {
        if (closed) {
            return;
        }
        Throwable cancellation = outflow.cancellation();
        if (cancellation != null) {
            cancelled(StageContext.active(), cancellation);
            return;
        }
        if (isRun()) {
            outflow.stopWaiting();
        }
        if (outflow.hasRoom() && handler != null) {
            handler.onPull();
        }
    }

    private void cancelled(StageContext owner, Throwable cause) throws Exception {
        if (owner.isEndedByForce()) {
            return;
        }
        if (!(cause instanceof DownstreamFinished)) {
            owner.noteForeign(cause); // the stream that takes the elements has told of it
        }
        end(null);
        finished(cause);
    }

    private void finished(Throwable cause) throws Exception {
        closed = true;
        if (handler != null) {
            handler.onDownstreamFinish(cause);
        }
    }
}
