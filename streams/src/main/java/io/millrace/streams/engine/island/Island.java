package io.millrace.streams.engine.island;

import io.millrace.streams.engine.pool.Deferrable;
import io.millrace.streams.engine.pool.DeferredTask;
import io.millrace.streams.engine.pool.Dispatcher;
import io.millrace.streams.engine.pool.TaskExecutor;
import io.millrace.streams.engine.pool.Turn;
import io.millrace.streams.graph.ContextHook;
import io.millrace.streams.inspect.EdgeSnapshot;
import io.millrace.streams.inspect.IslandSnapshot;
import io.millrace.streams.inspect.StageSnapshot;
import io.millrace.streams.schedule.DroppableTask;
import io.millrace.streams.stage.StageScope;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The stages between asynchronous boundaries: run by one thread at a time, woken by signals in its mailbox.
 *
 * <p>A turn alternates: the graph comes to rest or uses one event budget, then one outside event is delivered, so that
 * the next one sees its effects. When the island budget is used up, the island goes back to the executor.
 *
 * <p><b>Threads</b>: any thread posts; the executor's threads run it, one at a time.<br>
 * <b>Owned</b>: everything but {@code state} and the mailbox, by the thread that runs it; handed on by the writes of
 * {@code state} and by the executor.<br>
 * <b>Shared</b>: {@code state}: whoever posts reads it after adding the signal; the island looks at the mailbox again
 * after writing IDLE; both volatile, so that one of the two sees the other.<br>
 * <b>States</b>: SCHEDULED at first; IDLE -> SCHEDULED by who posts; SCHEDULED -> RUNNING by the executor, or by whoever
 * learns that the turn is refused or dropped, and then it is the last one; RUNNING -> SCHEDULED when the budget is used up;
 * RUNNING -> IDLE at rest; RUNNING -> FINISHED when the last stage has stopped.<br>
 * <b>Proved by</b>: WakeUpStressTest, LostTurnsTest.
 */
public final class Island extends Interpreter implements DroppableTask, Deferrable {
    private static final VarHandle STATE;
    private static final int SCHEDULED = 0; // as at first: a volatile write in the constructor would be a fence
    private static final int IDLE = 1;
    private static final int RUNNING = 2;
    private static final int FINISHED = 3;
    /** How many events come between two messages at least, unless the graph rests before, when the turn is long. */
    private static final int MIN_EVENTS_BETWEEN_MESSAGES = 16;

    private static final List<String> STATE_NAMES = List.of("scheduled", "idle", "running", "finished");

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Island.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final TaskExecutor executor;
    private int budgetLeft;
    /** Whether it has one neighbour on each side at most: where many come together, it is better to let all come first. */
    private final boolean inLine;

    private boolean started;
    private boolean wasLong;
    private volatile int state;
    /** Link of the stream's list of islands, set before the launch. */
    @Nullable
    Island nextInStream;

    public Island(StreamRun run, TaskExecutor executor, boolean inLine) {
        super(run);
        this.executor = executor;
        this.inLine = inLine;
    }

    public void add(StageContext context, int stageIndex) {
        context.bind(this, stageIndex);
        add(context);
    }

    /** Hands the island to its executor for the first time. */
    void launch() {
        submit();
    }

    /** The same, where the calling thread may be about to wait for what comes of it. */
    void launch(DeferredTask deferred) {
        try {
            executor.defer(deferred, this);
        } catch (RuntimeException | Error e) {
            refused(e);
        }
    }

    @Override
    public void noLongerDeferred() {
        stream().register();
    }

    /** Adds the signal unless it is there already, and makes sure that the island will look. */
    void post(Signal signal) {
        if (signal.casPosted()) {
            add(signal);
            wake();
        }
    }

    /** The same over a boundary, as part of a line: what it is for is done best right after the turn that posts it. */
    void postNext(Signal signal) {
        if (signal.casPosted()) {
            add(signal);
            if (state == IDLE && STATE.compareAndSet(this, IDLE, SCHEDULED)) {
                if (inLine) {
                    submitNext();
                } else {
                    submit();
                }
            }
        }
    }

    private void submitNext() {
        if (executor.mightRunOnMonitor()) {
            submitElsewhere();
            return;
        }
        try {
            executor.runNext(this);
        } catch (RuntimeException | Error e) {
            refused(e);
        }
    }

    /** Puts a signal that has just been taken behind the others; called in the island. */
    void postAgain(Signal signal) {
        add(signal);
    }

    /** Makes sure that the island will have a turn after this. */
    void wake() {
        if (state == IDLE && STATE.compareAndSet(this, IDLE, SCHEDULED)) {
            submit();
        }
    }

    boolean mightRunInPlace() {
        return executor.mightRunInPlace();
    }

    private void submit() {
        if (executor.mightRunOnMonitor()) {
            submitElsewhere();
        } else {
            submitHere();
        }
    }

    /** A thread that watches others must not run what an executor may run on the calling thread. */
    private void submitElsewhere() {
        try {
            engine().runBlocking(new HandOver());
        } catch (RejectedExecutionException closed) {
            submitHere();
        } catch (RuntimeException | Error e) { // no thread could be made
            refused(e);
        }
    }

    /** Submits it on whatever thread this runs or hears that it will not. */
    private final class HandOver implements DroppableTask {
        @Override
        public void run() {
            submitHere();
        }

        @Override
        public void dropped() {
            submitHere();
        }
    }

    private void submitHere() {
        try {
            executor.execute(this);
        } catch (RuntimeException | Error e) {
            refused(e);
        }
    }

    /** The last thing the executor's thread does with it this time. */
    private void submitAgain() {
        try {
            executor.requeue(this);
        } catch (RuntimeException | Error e) {
            refused(e);
        }
    }

    @Override
    public void dropped() {
        refused(new RejectedExecutionException("the scheduler was shut down before the turn that was due"));
    }

    /** Takes the turn here, as the last one; unless the executor has taken it all the same. */
    @Override
    public void refused(Throwable refusal) {
        engine().abortIfClosed(stream()); // which says more
        stream()
                .abort(new RejectedExecutionException(
                        "the executor of stream " + stream().name() + " takes no more work: the stream ends here",
                        refusal));
        run();
    }

    @Override
    public void run() {
        if (!STATE.compareAndSet(this, SCHEDULED, RUNNING)) {
            return;
        }
        boolean more = takeTurn();
        if (firstStage() == null) {
            forgetSignals();
            STATE.setRelease(this, FINISHED); // nobody has to see it at once: nothing wakes it any more
            executor.release();
            stream().islandFinished();
            return;
        }
        stream().register();
        if (more) {
            state = SCHEDULED;
            submitAgain();
        } else {
            state = IDLE;
            if (!hasNoSignals() || stream().isAborted()) {
                wake();
            }
        }
    }

    /** One turn, in the scope of the island and a turn of the thread, for which memory may be short; whether there is more to do at once. */
    private boolean takeTurn() {
        Dispatcher dispatcher = engine().dispatcher();
        StageScope previous = null;
        boolean isInScope = false;
        Turn current = null;
        try {
            previous = StageScope.enter(this);
            isInScope = true;
            current = dispatcher.enterTurn(this);
            setTurn(current);
            ContextHook hook = engine().contextHook();
            return hook == null ? runTurn() : runTurn(hook);
        } catch (Throwable t) {
            return brokenOff(t);
        } finally {
            setTurn(null);
            if (current != null) {
                dispatcher.leaveTurn(current);
            }
            if (isInScope) {
                StageScope.enter(previous);
            }
        }
    }

    /** Ends the stream for a failure outside of all stages, as of a context hook. */
    private boolean brokenOff(Throwable failure) {
        stream().turnFailed(failure);
        abort(failure);
        forgetStages();
        return false;
    }

    /** One turn, which begins with the context of the run and leaves the thread with the context it had. */
    private boolean runTurn(ContextHook contexts) {
        Object before = contexts.capture();
        try {
            contexts.restore(stream().context());
            return runTurn();
        } finally {
            contexts.restore(before);
        }
    }

    /** One turn; whether there is more to do at once. */
    private boolean runTurn() {
        budgetLeft = engine().settings().islandBudget();
        if (!started) {
            started = true;
            if (!stream().isAborted()) {
                start();
            }
            if (!stream().isAborted()) {
                settle(liveStages() - 1); // demand has one edge after the other to go, before the first message
            }
        }
        while (true) {
            Throwable abortCause = stream().abortCause();
            if (abortCause != null) {
                abort(abortCause);
            }
            if (liveStages() == 0) {
                forgetStages();
                return false;
            }
            if (!settle(0)) {
                return liveStages() == 0 || !isAtRest() || !hasNoSignals();
            }
            if (isTurnLong()) {
                endLongTurn();
                return true;
            }
            wasLong = false;
            if (stream().isEndedByForce()) {
                continue; // what comes may be that others were ended by force
            }
            if (!isAtRest()) {
                takeSignals();
                continue;
            }
            Signal signal = poll();
            if (signal != null) {
                budgetLeft--;
                signal.taken();
            } else if (liveStages() != 0) {
                return !hasNoSignals();
            }
        }
    }

    /**
     * Takes in, where the graph does not rest, what has come of signals by now, and one message: one signal at a time would let them grow
     * without a bound where each event makes one, as by a substream that is dropped.
     */
    private void takeSignals() {
        Signal newest = newest();
        Signal signal = newest == this ? null : poll();
        Signal message = null;
        while (signal != null) {
            if (!signal.waitsForRest()) {
                budgetLeft--;
                signal.taken();
            } else if (message == null) {
                message = signal;
            } else {
                postAgain(signal);
            }
            signal = signal == newest || stream().isAborted() ? null : poll();
        }
        if (message != null) {
            budgetLeft--;
            message.taken(); // now that the others are before it, should it come again
        }
    }

    /**
     * Takes in what is there of other events before the island goes behind the others. Of messages, which want the graph at rest, the
     * first; the next ones wait for a turn that is not long, and where one long turn follows the other, get some events instead.
     */
    private void endLongTurn() {
        Signal newest = newest();
        Signal signal = newest == this ? null : poll();
        Signal message = null;
        while (signal != null) {
            if (!signal.waitsForRest()) {
                signal.taken();
            } else if (message == null) {
                message = signal;
            } else if (isAtRest() || wasLong) {
                message.taken();
                settle(MIN_EVENTS_BETWEEN_MESSAGES);
                message = signal;
            } else {
                postAgain(signal);
            }
            signal = signal == newest || stream().isAborted() ? null : poll();
        }
        if (message != null) {
            message.taken();
        }
        wasLong = true;
    }

    /** Whether the turn has lasted so long that others are to have theirs. */
    boolean isTurnLong() {
        return turn().isLong();
    }

    /** Between two messages: lets the graph come to rest or use one event budget; whether the island's own budget lasts. */
    boolean settle() {
        return settle(MIN_EVENTS_BETWEEN_MESSAGES);
    }

    private boolean settle(int leastEvents) {
        if (isAtRest()) {
            budgetLeft--;
        } else {
            budgetLeft -= 1 + execute(engine().settings().eventBudget(), leastEvents);
        }
        return budgetLeft > 0;
    }

    /** Stops every stage made so far, on the thread that failed to put the stream together. */
    void discard(Throwable cause) {
        StageScope previous = StageScope.enter(this);
        try {
            abort(cause);
        } finally {
            StageScope.enter(previous);
        }
        forgetStages();
        state = FINISHED;
        executor.release();
    }

    /** Has the futures of its stages fail, as one of them is stuck; called by another thread. */
    void abandon(Throwable cause) {
        if (state != FINISHED) { // also makes what was written before its turn began visible
            for (StageContext context = firstStage(); context != null; context = context.nextInIsland) {
                context.abandonAll(cause);
                if (context.logic() instanceof CompositeLogic operators) {
                    operators.abandonResult(cause);
                }
            }
        }
    }

    /** What it looks like from outside, racily but safely. */
    IslandSnapshot snapshot() {
        List<StageSnapshot> stages = new ArrayList<>();
        List<EdgeSnapshot> edges = new ArrayList<>();
        for (StageContext context = firstStage(); context != null; context = context.nextInIsland) {
            if (!context.isStopped()) {
                stages.add(new StageSnapshot(context.index(), context.name(), context.openPorts(), context.detail()));
            }
            context.forEachOut(edge -> edges.add(edge.snapshot()));
        }
        return new IslandSnapshot(STATE_NAMES.get(state), activeStage(), stages, edges);
    }
}
