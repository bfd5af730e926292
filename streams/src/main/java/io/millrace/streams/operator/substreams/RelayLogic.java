package io.millrace.streams.operator.substreams;

import io.millrace.streams.engine.island.Later;
import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.engine.island.StageWakeUp;
import io.millrace.streams.engine.island.StreamRun;
import io.millrace.streams.engine.island.SubstreamInlet;
import io.millrace.streams.engine.plan.ClosedGraph;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.Shape;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.graph.ThrowingSupplier;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Emits what other sources emit, which it runs one after the other under its own attributes. */
public abstract class RelayLogic<T> extends GraphStageLogic implements OutHandler {
    private enum Timer {
        NEXT,
        RELEASE
    }

    private final Outlet<T> out;
    private final Attributes inherited;
    private @Nullable SubstreamInlet<T> current;
    /** Where the source that ran last ran into, which may not have let go of everything yet. */
    private @Nullable SubstreamInlet<T> last;
    /** The same, while something waits for that. */
    private @Nullable SubstreamInlet<T> awaited;

    private Later.@Nullable Work held;

    private @Nullable ThrowingSupplier<? extends Graph<SourceShape<T>, ?>> waiting;
    private @Nullable StageWakeUp again;
    private @Nullable End end;
    private final Later later = new Later(this, this::tellEnd);
    private boolean isMaking;

    /** How the source that is running has ended, which nobody has been told yet. */
    private record End(@Nullable Throwable failure) {}

    protected RelayLogic(Shape shape, Outlet<T> out, Attributes inherited) {
        super(shape);
        this.out = out;
        this.inherited = inherited;
    }

    /** The source that was running has completed, and what it has emitted has arrived. */
    protected abstract void onRelayFinish() throws Exception;

    /** The source that was running has failed, and what it has emitted has arrived; or it could not be made. */
    protected abstract void onRelayFailure(Throwable failure) throws Exception;

    /**
     * Makes a source after this delay, by a timer if it is not zero, and runs it. After one that could not be made other
     * events of the island come first, so that what can never be made can be ended.
     */
    protected final void relayAfter(Duration delay, ThrowingSupplier<? extends Graph<SourceShape<T>, ?>> source)
            throws Exception {
        if (delay.isZero() && !isMaking) {
            onceReleased(() -> relay(source));
            return;
        }
        waiting = source;
        if (delay.isZero()) {
            relaySoon();
        } else {
            scheduleOnce(Timer.NEXT, delay);
        }
    }

    private void relaySoon() {
        if (again == null) {
            again = StageWakeUp.of(this, nothing -> relayWaiting());
        }
        again.run();
    }

    /**
     * Does this once all islands of the source that ran last have finished, so that nothing of it is held any more, or five seconds
     * are over; at once if they have. Of two things only the last is done.
     */
    protected final void onceReleased(Later.Work work) throws Exception {
        SubstreamInlet<T> ran = last;
        last = null;
        if (awaited != null) {
            held = work;
        } else if (ran == null || ran.isReleased()) {
            work.run();
        } else {
            held = work;
            awaited = ran;
            scheduleOnce(Timer.RELEASE, StreamRun.LONGEST_RELEASE);
            ran.whenReleased(StageWakeUp.of(this, nothing -> goOnWithout(ran)));
        }
    }

    private void goOnWithout(@Nullable SubstreamInlet<T> ran) throws Exception {
        Later.Work work = held;
        if (work == null || awaited != ran) {
            return;
        }
        held = null;
        awaited = null;
        cancelTimer(Timer.RELEASE);
        work.run();
    }

    /** Makes a source and runs it. */
    protected final void relay(ThrowingSupplier<? extends Graph<SourceShape<T>, ?>> source) throws Exception {
        SubstreamInlet<T> inlet = SubstreamInlet.whoseStreamIsKept(this, "relay");
        inlet.setHandler(new Relayed(inlet));
        current = inlet;
        if (isAvailable(out)) {
            inlet.pull();
        }
        isMaking = true;
        try {
            Graph<SourceShape<T>, ?> made = Step.required(source.make(), "");
            ClosedGraph.ofSource(made, inherited, inlet.sink()).runInside(this);
        } catch (Throwable failure) {
            StageContext.of(this).reportOwn(failure);
            cancelRelayed(failure);
            if (!StageContext.of(this).isEndedByForce()) {
                onRelayFailure(failure);
            }
        } finally {
            isMaking = false;
        }
    }

    @Override
    public void onPull() throws Exception {
        if (current != null && end == null) {
            current.pull();
        }
    }

    @Override
    public void onDownstreamFinish(Throwable cause) throws Exception {
        cancelRelayed(cause);
        cancelStage(cause);
    }

    /** Whether a source is running, or its end is still to be told. */
    protected final boolean isRelaying() {
        return current != null;
    }

    protected final void cancelRelayed(Throwable cause) {
        end = null;
        if (current != null) {
            current.cancel(cause);
            last = current;
            current = null;
        }
    }

    @Override
    public final void onTimer(Object key) throws Exception {
        if (key == Timer.RELEASE) {
            goOnWithout(awaited);
        } else if (key == Timer.NEXT) {
            relayWaiting();
        } else {
            onOwnTimer();
        }
    }

    /** The timer has fired that a subclass has set. */
    protected void onOwnTimer() throws Exception {}

    private void relayWaiting() throws Exception {
        onceReleased(() -> {
            ThrowingSupplier<? extends Graph<SourceShape<T>, ?>> next = waiting;
            waiting = null;
            if (next != null) {
                relay(next);
            }
        });
    }

    private void tellEnd() throws Exception {
        End told = end;
        if (told == null) {
            return;
        }
        end = null;
        last = current;
        current = null;
        if (told.failure == null) {
            onRelayFinish();
        } else {
            onRelayFailure(told.failure);
        }
    }

    private final class Relayed implements InHandler {
        private final SubstreamInlet<T> inlet;

        Relayed(SubstreamInlet<T> inlet) {
            this.inlet = inlet;
        }

        @Override
        public void onPush() {
            push(out, inlet.grab());
        }

        @Override
        public void onUpstreamFinish() {
            onEnd(null);
        }

        @Override
        public void onUpstreamFailure(Throwable failure) {
            onEnd(failure);
        }

        /** A function of the user's hears of it, and may take its time. */
        private void onEnd(@Nullable Throwable failure) {
            end = new End(failure);
            later.ask();
        }
    }
}
