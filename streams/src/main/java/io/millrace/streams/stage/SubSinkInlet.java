package io.millrace.streams.stage;

import io.millrace.streams.Sink;
import io.millrace.streams.engine.Resource;
import io.millrace.streams.engine.StageContext;
import io.millrace.streams.graph.NotUsed;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * An inlet that a stage opens while it runs: another stream is run into its {@link #sink()}, in an island of its own,
 * and its signals arrive in the island of the stage that owns it. When the owner stops, the stream is cancelled.
 */
public final class SubSinkInlet<T> {
    private final String name;
    private final Sink<T, NotUsed> sink;
    private final AsyncCallback<SubSignal<T>> toOwner;
    private final Resource ownerStop;
    private final Queue<T> element = new ArrayDeque<>(1);
    private @Nullable InHandler handler;
    private @Nullable AsyncCallback<SubDemand> toSub;
    private boolean pulled;
    private boolean closed;

    SubSinkInlet(GraphStageLogic owner, String name) {
        this.name = Objects.requireNonNull(name, "name");
        this.toOwner = owner.asyncCallback(this::onSignal);
        this.ownerStop = owner.whenStopped(this::cancel);
        this.sink = Sink.fromGraph(new SubSinkStage<>(name, toOwner));
    }

    /** Where to run the stream into; it can be run into once. */
    public Sink<T, NotUsed> sink() {
        return sink;
    }

    /** Sets what happens on the stream's signals, from the next one on. */
    public void setHandler(InHandler newHandler) {
        handler = newHandler;
    }

    /** Asks for one element; may be called before the stream runs. */
    public void pull() {
        if (pulled) {
            throw new IllegalStateException("cannot pull sub-sink " + name + " twice");
        }
        if (closed) {
            throw new IllegalStateException("cannot pull closed sub-sink " + name);
        }
        pulled = true;
        element.clear();
        if (toSub != null) {
            toSub.invoke(SubDemand.PULL);
        }
    }

    /** Takes the element that has come; it can be taken once. */
    public T grab() {
        T grabbed = element.poll();
        if (grabbed == null) {
            throw new IllegalStateException("cannot grab from sub-sink " + name + ": there is no element");
        }
        return grabbed;
    }

    public boolean isAvailable() {
        return !element.isEmpty();
    }

    public boolean hasBeenPulled() {
        return pulled && !closed;
    }

    public boolean isClosed() {
        return closed;
    }

    /** Cancels the stream. */
    public void cancel() {
        cancel(new DownstreamFinished());
    }

    /** Cancels the stream with this cause. */
    public void cancel(Throwable cause) {
        if (closed) {
            return;
        }
        end();
        element.clear();
        if (toSub != null) {
            toSub.invoke(new SubDemand(cause));
        }
    }

    private void end() {
        closed = true;
        toOwner.close();
        ownerStop.detach();
    }

    private void onSignal(SubSignal<T> signal) throws Exception {
        if (signal instanceof SubSignal.Attached<T> attached) {
            attach(attached.demand());
        } else if (!closed) {
            handle(signal);
        }
    }

    private void attach(AsyncCallback<SubDemand> demand) {
        if (toSub != null) {
            demand.invoke(new SubDemand(new IllegalStateException("sub-sink " + name + " was run into twice")));
            return;
        }
        toSub = demand;
        if (pulled) {
            demand.invoke(SubDemand.PULL);
        }
    }

    private void handle(SubSignal<T> signal) throws Exception {
        InHandler current = handler;
        if (current == null) {
            throw new IllegalStateException("sub-sink " + name + " has no handler");
        }
        if (signal instanceof SubSignal.Element<T> pushed) {
            pulled = false;
            element.add(pushed.value());
            current.onPush();
        } else if (signal instanceof SubSignal.Ended<T> ended) {
            end();
            if (ended.failure() == null) {
                current.onUpstreamFinish();
            } else {
                StageContext.active().noteForeign(ended.failure());
                current.onUpstreamFailure(ended.failure());
            }
        }
    }
}
