package io.millrace.streams.engine.island;

import io.millrace.streams.engine.failure.Described;
import io.millrace.streams.engine.pool.Postponed;
import io.millrace.streams.engine.pool.Turn;
import io.millrace.streams.failure.AbruptTerminationException;
import io.millrace.streams.failure.DownstreamFinished;
import io.millrace.streams.failure.StreamException;
import io.millrace.streams.graph.Materializer;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.Shape;
import io.millrace.streams.stage.AsyncCallback;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.MailboxLimit;
import io.millrace.streams.stage.StageActorRef;
import io.millrace.streams.stage.StageBinding;
import io.millrace.streams.stage.StageConsumer;
import io.millrace.streams.stage.SubSinkInlet;
import io.millrace.streams.stage.SubSourceOutlet;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The engine's state for one stage of one run. It belongs to the thread that creates the run until the island starts,
 * and to the island from then on.
 */
public final class StageContext extends StagePorts {
    /** The cause where there is no inlet that is cancelled with it. */
    @SuppressWarnings("StaticAssignmentOfThrowable") // it has no trace, nothing can be added to it, and nobody sees it
    private static final Throwable TOLD_NOBODY = new DownstreamFinished();

    private @Nullable GraphStageLogic logic;
    private @Nullable Island island;
    private @Nullable StageTimers timers;
    /** Link of the island's list of stages. */
    @Nullable
    StageContext nextInIsland;

    /** Link of the stack of stages to stop. */
    @Nullable
    StageContext nextStopping;

    boolean isStopQueued;
    private int index = -1;
    private int openPorts;
    private int batchCount;
    private boolean keepGoing;
    private @Nullable StageActor<?> actor;

    public StageContext(GraphStageLogic logic, Shape shape) {
        super(shape);
        this.logic = logic;
        openPorts = inCount + shape.outlets().size();
    }

    /** The engine's state for this stage. */
    public static StageContext of(GraphStageLogic logic) {
        return (StageContext) StageBinding.of(logic);
    }

    /** The stage whose handler runs on this thread. */
    public static StageContext active() {
        return Interpreter.current().active();
    }

    /**
     * Notes, for whoever looks at the stream, that this stage works now within the handler of another, which takes its batch.
     *
     * @return what {@link #endWork} is to be given, when that is over
     */
    public int beginWork() {
        return island().beginWork(index);
    }

    /** Ends what {@link #beginWork} has begun. */
    public void endWork(int before) {
        island().endWork(before);
    }

    /** The turn in which the stage runs. */
    public Turn turn() {
        return island().turn();
    }

    /** Whether no other stage lives in its island. */
    public boolean isAlone() {
        return island().liveStages() == 1;
    }

    /** Notes, for whoever looks at the stream, that elements have passed which no edge counts. */
    public void countBatch() {
        batchCount++;
    }

    /** How many batches have passed, until it begins again after 2^32; asked by any thread. */
    public long batchCount() {
        return Integer.toUnsignedLong(batchCount);
    }

    /** Takes so many events off the island's budget, for work that one event stands for. */
    public void charge(int events) {
        island().charge(events);
    }

    // ------------------------------------------------------------------------------------------------ wiring

    void bind(Island home, int stageIndex) {
        if (island != null) {
            throw new IllegalStateException(
                    "stage " + name() + " gave out the same logic twice; make one for each run");
        }
        island = home;
        index = stageIndex;
    }

    int index() {
        return index;
    }

    @Nullable
    public GraphStageLogic logic() {
        return logic;
    }

    int openPorts() {
        return openPorts;
    }

    @Override
    public String name() {
        Island home = island;
        if (home != null && index >= 0) {
            return home.stream().stageName(index);
        }
        GraphStageLogic current = logic;
        return current == null ? "stopped stage" : current.getClass().getName();
    }

    /** What the stage tells of itself; if it throws, which is asked beside its turns, what was thrown. */
    Map<String, Long> detail() {
        GraphStageLogic current = logic;
        try {
            return current == null ? Map.of() : current.detail();
        } catch (Throwable thrown) {
            return Map.of("detail threw " + Described.of(thrown), 1L);
        }
    }

    /** Fails the stage with what a handler has thrown, unless one of its operators makes something else of it. */
    void threw(Throwable failure) {
        if (!(logic instanceof CompositeLogic operators && operators.outlives(failure))) {
            failStage(failure);
        }
    }

    /** What the running handler does with what is thrown in it, for a handler that does not throw it. */
    public void handlerFailed(Throwable failure) {
        island().handlerFailed(failure, "a handler");
    }

    @Override
    public Throwable abruptEnd() {
        Throwable failure = failure();
        return failure != null
                ? failure
                : new AbruptTerminationException("the stream was ended by force before it could end by itself");
    }

    /** Why a value is not there, if the stage has stopped without a failure before it was. */
    public Throwable stoppedEarly() {
        return Promise.stoppedEarly(this);
    }

    /** Reports what the running handler has thrown, and does no more with it. */
    public void reportFailed(Throwable failure) {
        island().reportFailed(failure, "a handler");
    }

    /** The path of the operator whose handler has thrown. */
    String failedOperator() {
        return logic instanceof CompositeLogic operators ? operators.failedOperator() : name();
    }

    Island island() {
        Island home = island;
        if (home == null) {
            throw new IllegalStateException(name() + " is not running: ports and timers work from preStart on");
        }
        return home;
    }

    /** The stream that it is part of; null before it is. */
    @Nullable
    StreamRun streamIfBound() {
        Island home = island;
        return home == null ? null : home.stream();
    }

    /** Whether the turn of its island has lasted so long that a loop is to end with the element in hand. */
    public boolean isTurnLong() {
        return island().isTurnLong();
    }

    /** Puts something off that the stage does in one of its next events; the monitor does it if this turn gets long before. */
    public void postpone(Postponed late) {
        island().turn().postpone(late);
    }

    /** Ends the loop over elements that runs in its island, if one does; works before the start, too. */
    public void stopTaking() {
        if (island != null) {
            island.stopTaking();
        }
    }

    @Override
    public Materializer materializer() {
        return island().engine().runtime();
    }

    // ------------------------------------------------------------------------------------------------ ending

    @Override
    public void fail(Outlet<?> out, Throwable cause) {
        if (!out(out).isOutClosed()) {
            reportOwn(cause);
        }
        out(out).finish(cause);
    }

    @Override
    public void completeStage() {
        close(inCount == 0 ? TOLD_NOBODY : new DownstreamFinished(), null);
    }

    @Override
    public void cancelStage(Throwable cause) {
        close(cause, null);
    }

    /** Fails with a failure that has come in from outside, and is not this stage's own, so that it is not reported. */
    public void passFailure(Throwable cause) {
        noteForeign(cause);
        failStage(cause);
    }

    /** Notes a failure that has come in from outside: it is not reported, whichever stage fails with it. */
    public void noteForeign(Throwable cause) {
        island().stream().note(cause);
    }

    /** Reports a failure that has come up in this stage, which may go on all the same. */
    public void reportOwn(Throwable failure) {
        island().reportNew(failedOperator(), "failed", failure);
    }

    /** Whether the stream ends by force: then what the stage hears of others is no reason to do anything. */
    public boolean isEndedByForce() {
        return island().stream().isEndedByForce();
    }

    /** What the stage fails with when a stream that it runs is refused: what ends its own by force, if something does. */
    public Throwable reasonFor(RuntimeException refusal) {
        Throwable reason = isEndedByForce() ? island().stream().abortCause() : null;
        if (reason == null) {
            return refusal;
        }
        noteForeign(reason);
        return reason;
    }

    /** Has this done, on any thread, once the whole stream has let go of everything; may be asked once for each stream. */
    public void whenStreamFinished(Runnable action) {
        island().stream().whenFinished(action);
    }

    /** Reports failures of this stage on any thread, also when it has stopped: what may be kept by a future that outlives it. */
    public Consumer<Throwable> lateReports(String what) {
        return island().stream().lateReports(name(), what);
    }

    /** Reports why a stream that this stage runs cannot be made, at its place there; hands back what was thrown. */
    public Throwable reportNotMade(StreamException notMade) {
        Throwable thrown = notMade.getCause();
        if (thrown == null) {
            return notMade;
        }
        noteForeign(thrown);
        island().engine().report(notMade);
        return thrown;
    }

    @Override
    public void failStage(Throwable cause) {
        if (!isStopped()) {
            reportOwn(cause);
            noteFailure(cause);
        }
        close(cause, cause);
    }

    private void close(Throwable cancellation, @Nullable Throwable failing) {
        keepGoing = false;
        closePorts(cancellation, failing);
        stopIfClosed();
    }

    @Override
    public void setKeepGoing(boolean enabled) {
        keepGoing = enabled;
        if (hasStarted()) {
            stopIfClosed();
        }
    }

    void portClosed() {
        openPorts--;
        stopIfClosed();
    }

    private void stopIfClosed() {
        if (isStoppable()) {
            island().enqueueStop(this);
        }
    }

    boolean isStoppable() {
        return openPorts == 0 && !keepGoing && !isStopped();
    }

    void preStart() throws Exception {
        GraphStageLogic current = logic;
        if (current != null) {
            current.preStart();
        }
    }

    void afterStart() {
        noteStart();
        openMailboxes(island(), this);
        stopIfClosed();
    }

    /** Something has happened at a boundary at which it stands. */
    @Override
    void deliver() {
        if (!isStopped() && logic instanceof BoundarySide side) {
            island().invoke(this, side, NotUsed.NOT_USED);
        }
    }

    void onTimer(Object key) throws Exception {
        GraphStageLogic current = logic;
        if (key instanceof TimedAction own) {
            own.action().accept(NotUsed.NOT_USED);
        } else if (current != null) {
            current.onTimer(key);
        }
    }

    /** Runs postStop and lets go of everything; called once. The failure of postStop, if any, is handed back. */
    @Nullable
    Throwable stop() {
        if (isStopped()) {
            throw new IllegalStateException("stage " + name() + " is stopped twice");
        }
        noteStop();
        Throwable thrown = null;
        GraphStageLogic current = logic;
        try {
            if (current != null) {
                current.postStop();
            }
        } catch (Throwable t) {
            thrown = t;
        }
        releaseAll();
        if (current instanceof CompositeLogic operators) {
            operators.giveResult(failure());
        }
        logic = null;
        timers = null;
        forgetHandlers();
        return thrown;
    }

    // --------------------------------------------------------------------------------------------- resources

    /** A mailbox that holds as many messages as the limit says; without one it has room for any number. */
    <T> Mailbox<T> openMailbox(StageConsumer<? super T> handler, @Nullable MailboxLimit limit) {
        Mailbox<T> mailbox = new Mailbox<>(this, handler, limit);
        hold(mailbox.held());
        if (isRunning()) {
            mailbox.open(island(), this);
        }
        return mailbox;
    }

    @Override
    public <T> AsyncCallback<T> asyncCallback(StageConsumer<? super T> handler) {
        return openMailbox(handler, null);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> StageActorRef<T> stageActor(StageConsumer<? super T> handler, @Nullable MailboxLimit limit) {
        StageActor<T> own = (StageActor<T>) actor;
        if (own == null) {
            own = new StageActor<>(openMailbox(handler, limit));
            actor = own;
        } else {
            own.mailbox().become(handler);
        }
        return own;
    }

    @Override
    public <T> SubSinkInlet<T> subSinkInlet(String name) {
        return new SubstreamInlet<>(this, name, false);
    }

    @Override
    public <T> SubSourceOutlet<T> subSourceOutlet(String name, int capacity) {
        return new SubstreamOutlet<>(this, name, capacity);
    }

    @Override
    public <T> CompletableFuture<T> promise() {
        return this.<T>detachablePromise().future();
    }

    /** The same, to be detached once it is complete: for stages that give out any number of them. */
    public <T> Promise<T> detachablePromise() {
        Promise<T> promise = new Promise<>(this);
        hold(promise);
        return promise;
    }

    public Resource whenStopped(Runnable action) {
        Resource resource = new Resource.Action(action);
        hold(resource);
        return resource;
    }

    // ------------------------------------------------------------------------------------------------ timers

    /** The timers of the stage, made when first used. */
    public StageTimers timers() {
        if (isStopped()) {
            throw new IllegalStateException("stage " + name() + " has stopped: it can start no timer");
        }
        StageTimers current = timers;
        if (current == null) {
            current = new StageTimers(this);
            timers = current;
        }
        return current;
    }

    @Override
    public void scheduleOnce(Object key, Duration delay) {
        timers().scheduleOnce(key, delay);
    }

    @Override
    public void schedulePeriodically(Object key, Duration initial, Duration period) {
        timers().schedulePeriodically(key, initial, period);
    }

    @Override
    public void cancelTimer(Object key) {
        if (timers != null) { // also as it stops: there is nothing to start
            timers.cancel(key);
        }
    }

    @Override
    public boolean isTimerActive(Object key) {
        return timers != null && timers.isActive(key);
    }
}
