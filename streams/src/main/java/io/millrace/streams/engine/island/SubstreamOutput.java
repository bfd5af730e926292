package io.millrace.streams.engine.island;

import io.millrace.streams.failure.AbruptTerminationException;
import io.millrace.streams.failure.DownstreamFinished;
import io.millrace.streams.failure.SubstreamNotRunException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.OutHandler;
import io.millrace.streams.stage.StageConsumer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The boundary from a stage to a stream that is run while the stage is: the stage is its entry, and the exit is attached
 * when somebody runs {@link #stage()}. What is in it can be taken also when the stage has stopped, and when nobody runs it,
 * nothing holds it.
 *
 * <p><b>Threads</b>: the owner's island calls everything; any thread runs the stage; the island of that run is the exit.<br>
 * <b>Owned</b>: {@code timer}, by the owner.<br>
 * <b>Shared</b>: {@code claim}: set by compare-and-set by who runs the stage, declines to, or by the owner who gives up; the boundary.<br>
 * <b>States</b>: FREE -> RUN by the first that runs it or declines to; FREE -> EXPIRED by the owner, once nobody has run it in time.<br>
 * <b>Proved by</b>: SubstreamStressTest.
 */
public final class SubstreamOutput<T> extends Resource {
    private enum Claim {
        FREE,
        RUN,
        EXPIRED
    }

    private final StageContext owner;
    private final String name;
    private final Boundary boundary;
    private final AtomicReference<Claim> claim = new AtomicReference<>(Claim.FREE);
    private @Nullable Object timer;

    private SubstreamOutput(StageContext owner, String name, int capacity, StageConsumer<NotUsed> onSignal) {
        this.owner = owner;
        this.name = name;
        boundary = new Boundary(owner.island(), null, capacity);
        boundary.setEntry(new StageWakeUp(owner, onSignal));
    }

    /**
     * Opens one in the owner's island, from its start on. The handler is called when there may be room again, when it is
     * run, and when it is cancelled.
     */
    public static <T> SubstreamOutput<T> open(
            StageContext owner, String name, int capacity, StageConsumer<NotUsed> onSignal) {
        SubstreamOutput<T> opened = new SubstreamOutput<>(owner, name, capacity, onSignal);
        owner.add(opened);
        return opened;
    }

    /** Where the stream begins that takes the elements; it can be run once, by any thread. */
    @SuppressWarnings("unchecked")
    public GraphStage<SourceShape<T>> stage() {
        return (GraphStage<SourceShape<T>>) (GraphStage<?>) new Start();
    }

    /** What this is a stage of, if it is the first stage behind one. */
    public static @Nullable SubstreamOutput<?> before(GraphStageWithMaterializedValue<?, ?> stage) {
        return stage instanceof SubstreamOutput<?>.Start start ? start.outflow() : null;
    }

    /**
     * Lets a stage that runs take the elements itself, instead of a run of {@link #stage()}, in its island; the handler is
     * called as that of an {@link SubstreamInput}. Called after {@link #claim}.
     */
    public SubstreamInput<T> into(GraphStageLogic taker, StageConsumer<NotUsed> onSignal) {
        return SubstreamInput.over(boundary, taker, name, onSignal);
    }

    /** Makes the caller the one who takes the elements; why that cannot be, if it cannot. */
    public @Nullable RuntimeException claim() {
        if (claim.compareAndSet(Claim.FREE, Claim.RUN)) {
            return null;
        }
        return claim.get() == Claim.RUN
                ? new IllegalStateException("the source of " + name + " was run before; it can be run once")
                : new SubstreamNotRunException("the source of " + name + " was run too late");
    }

    /** Cancels it in place of a run that will not come; nothing happens if it is run already. Called by any thread. */
    public void decline() {
        if (claim.compareAndSet(Claim.FREE, Claim.RUN)) {
            boundary.cancel(new DownstreamFinished());
        }
    }

    /** Whether there is room for one more; if not, the handler will be called when there is. */
    public boolean hasRoom() {
        return boundary.hasRoomOrPark();
    }

    /** Adds an element, for which there must be room. */
    public void offer(T element) {
        boundary.push(element);
        boundary.publish();
    }

    /** Ends it after what was added; null for completion. */
    public void end(@Nullable Throwable failure) {
        stopWaiting();
        detach();
        boundary.end(failure);
    }

    /** What the stream has cancelled with, if it has. */
    @Nullable
    public Throwable cancellation() {
        return boundary.cancellation();
    }

    /** Whether somebody has run it. */
    public boolean isRun() {
        return claim.get() == Claim.RUN;
    }

    /** Whether the stream has taken everything and waits for more, and for no future. */
    public boolean isStarved() {
        return boundary.isExitStarved() && !awaitsFuture();
    }

    /** Whether the stream waits for a future, if it is another than the owner's, whose futures are those of others, too. */
    private boolean awaitsFuture() {
        Island exit = boundary.exitIsland();
        StreamRun own = owner.island().stream();
        return exit != null && exit.stream() != own && exit.stream().awaitsFuture();
    }

    /** Runs the action in the owner's island unless somebody runs this in time; nobody can run it any more then. */
    public void expireAfter(Duration patience, StageConsumer<SubstreamNotRunException> onExpired) {
        TimedAction expiry = new TimedAction(nothing -> expire(patience, onExpired));
        timer = expiry;
        owner.timers().scheduleOnce(expiry, patience);
    }

    private void expire(Duration patience, StageConsumer<SubstreamNotRunException> onExpired) throws Exception {
        if (claim.compareAndSet(Claim.FREE, Claim.EXPIRED)) {
            SubstreamNotRunException why = new SubstreamNotRunException("nobody has run the source of " + name
                    + " within " + patience + "; run it earlier, or raise Attributes.subscriptionTimeout");
            end(why);
            onExpired.accept(why);
        }
    }

    /** Ends the waiting for somebody who runs it. */
    public void stopWaiting() {
        if (timer != null && !owner.isStopped()) {
            owner.timers().cancel(timer);
        }
        timer = null;
    }

    @Override
    void release(@Nullable Throwable failure) {
        boundary.end(
                failure != null
                        ? failure
                        : new AbruptTerminationException(
                                "stage " + owner.name() + " stopped before it had ended its substream " + name));
    }

    /** The first stage of the stream that takes the elements. */
    private final class Start extends GraphStage<SourceShape<Object>> {
        @Override
        public SourceShape<Object> shape() {
            return BoundaryExit.SHAPE;
        }

        @Override
        public String name() {
            return "substream:" + name;
        }

        @Override
        public GraphStageLogic createLogic(Attributes inherited) {
            RuntimeException why = claim();
            return why == null ? new Exit(boundary) : new Refused(why);
        }

        SubstreamOutput<T> outflow() {
            return SubstreamOutput.this;
        }
    }

    /** The exit in an island of another stream. */
    private static final class Exit extends BoundaryExit {
        private final Boundary boundary;

        Exit(Boundary boundary) {
            super(boundary);
            this.boundary = boundary;
        }

        @Override
        public void preStart() {
            boundary.attachExit(StageContext.of(this).island());
            endIfDrained();
        }
    }

    /** Fails at once. */
    private static final class Refused extends GraphStageLogic implements OutHandler {
        private final Throwable why;

        Refused(Throwable why) {
            super(BoundaryExit.SHAPE);
            this.why = why;
            setHandler(BoundaryExit.OUT, this);
        }

        @Override
        public void preStart() {
            failStage(why);
        }

        @Override
        public void onPull() {
            throw new IllegalStateException("this source has ended before it was asked for an element");
        }
    }
}
