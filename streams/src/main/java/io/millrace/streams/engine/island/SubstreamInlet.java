package io.millrace.streams.engine.island;

import io.millrace.streams.failure.DownstreamFinished;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.stage.AsyncCallback;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.SubSinkInlet;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** An inlet that a stage opens while it runs, by callbacks between its island and that of the stream. */
public final class SubstreamInlet<T> implements SubSinkInlet<T> {
    private final String name;
    private final SubSinkStage<T> sink;
    private final Mailbox<SubSignal<T>> toOwner;
    private final Resource ownerStop;
    private final Queue<T> element = new ArrayDeque<>(1);
    private @Nullable InHandler handler;
    private @Nullable AsyncCallback<SubDemand> toSub;
    private boolean pulled;
    private boolean closed;
    /** The stream that ran into it, once it is closed, if that is kept. */
    private @Nullable StreamRun stream;

    SubstreamInlet(StageContext owner, String name, boolean keepsStream) {
        this.name = Objects.requireNonNull(name, "name");
        this.toOwner = owner.openMailbox(this::onSignal, null);
        this.ownerStop = owner.whenStopped(this::cancel);
        this.sink = new SubSinkStage<>(name, toOwner, keepsStream);
    }

    /** One that knows when the stream that ran into it has let go of everything, and keeps that stream until then. */
    public static <T> SubstreamInlet<T> whoseStreamIsKept(GraphStageLogic owner, String name) {
        return new SubstreamInlet<>(StageContext.of(owner), name, true);
    }

    @Override
    public Graph<SinkShape<T>, NotUsed> sink() {
        return sink;
    }

    @Override
    public void setHandler(InHandler newHandler) {
        handler = newHandler;
    }

    @Override
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

    @Override
    public T grab() {
        T grabbed = element.poll();
        if (grabbed == null) {
            throw new IllegalStateException("cannot grab from sub-sink " + name + ": there is no element");
        }
        return grabbed;
    }

    @Override
    public boolean isAvailable() {
        return !element.isEmpty();
    }

    @Override
    public boolean hasBeenPulled() {
        return pulled && !closed;
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public void cancel() {
        cancel(new DownstreamFinished());
    }

    @Override
    public void cancel(Throwable cause) {
        Objects.requireNonNull(cause, "cause");
        if (closed) {
            return;
        }
        sink.cancelledWith(cause);
        end();
        element.clear();
        if (toSub != null) {
            toSub.invoke(new SubDemand(cause));
        }
    }

    private void end() {
        closed = true;
        stream = sink.takeStream();
        toOwner.dispose();
        ownerStop.detach();
    }

    /** Whether all islands of the stream that ran into it have finished, of one that is closed. */
    public boolean isReleased() {
        if (stream != null && stream.isFinished()) {
            stream = null;
        }
        return stream == null;
    }

    /** Has this done, on any thread, once that is so; may be asked once, of one that is closed. */
    public void whenReleased(Runnable action) {
        StreamRun ran = stream;
        if (ran == null) {
            action.run();
        } else {
            ran.whenFinished(action);
        }
    }

    private void onSignal(SubSignal<T> signal) throws Exception {
        if (signal instanceof SubSignal.Attached<T> attached) {
            attach(attached.demand());
        } else if (!closed) {
            handle(signal);
        }
    }

    private void attach(AsyncCallback<SubDemand> demand) {
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
        } else if (signal instanceof SubSignal.Ended<T> ended
                && !StageContext.active().isEndedByForce()) {
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
