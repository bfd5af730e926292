package io.millrace.streams.engine.island;

import io.millrace.streams.engine.batch.BatchHandler;
import io.millrace.streams.engine.batch.BatchSource;
import io.millrace.streams.engine.batch.ElementBatch;
import io.millrace.streams.engine.failure.Described;
import io.millrace.streams.engine.failure.NullElementException;
import io.millrace.streams.engine.pool.Cuttable;
import io.millrace.streams.engine.pool.Turn;
import io.millrace.streams.graph.Shape;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.StageBinding;
import io.millrace.streams.stage.StageConsumer;
import io.millrace.streams.stage.StageScope;
import java.util.Iterator;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Runs the stages of one island: takes events off a queue and calls handlers, one at a time. Everything in it belongs
 * to the island, which is its own interpreter to save an object.
 *
 * <p><b>Lifecycle of a stage</b>: created with the run; {@code preStart}; handlers; {@code postStop} as soon as all its
 * ports are closed and it need not keep going. A stage whose last port closes is stopped right after the handler that
 * was running, whoever closed the port; but first those above it are told that it has cancelled them, and stop if that ends them. So what
 * becomes known when a stage stops, as the result of a sink, becomes known when the sources that it leaves have let go.
 *
 * <p><b>An edge</b> ({@link Edge}) is in the event queue at most once. What is to be done when its turn comes stands
 * in its state:
 *
 * <pre>
 *   9     8     7     6     5     4     3     2     1     0
 * +-----+-----+-----+-----+-----+-----+-----+-----+-----+-----+
 * | OUT | IN  |ELE- | DE- |PULL-|CAN- |FIN- |PUSH |PULL | IN  |
 * |CLOSD|CLOSD|MENT |MAND | ED  |CEL  |ISH  |     |     |QUEUE|
 * +-----+-----+-----+-----+-----+-----+-----+-----+-----+-----+
 *   what the two ends know             what is still to be told
 *
 *              inlet pulls              told               outlet pushes            told
 *   (nothing) -------------> PULLED ----------> PULLED ----------------> PULLED ----------> ELEMENT
 *                            PULL               DEMAND                   PUSH               grab: (nothing)
 * </pre>
 *
 * <p>CANCEL goes before everything, PUSH before FINISH, FINISH before PULL; after a PUSH with FINISH behind it the edge
 * is queued again. An end that is closed is told nothing any more, so when both ends close at once, only the first
 * closing counts.
 *
 * <p><b>Chasing</b>: the first event that a handler causes is taken next, before the queue, while the element is in the
 * processor's cache; after {@link #CHASE_LIMIT} in a row the queue has its turn. What a stage would do ahead of demand it does
 * {@link Later}, when the queue is empty, so that it is not in the way of a stage that takes a batch.
 *
 * <p><b>Batches</b>: two events an element are most of what it costs to pass it on. So a stage may take many elements from the one above
 * within one handler, over an edge on which nothing is under way, while nothing else is on its way in the island; and an end of the graph
 * may be given many.
 *
 * <pre>
 *   above           edge          below, in a handler         above, in a handler    edge       below
 *     |  openBatch    |  openBatch  |                                |   pushAll       |  onBatch  |
 *     |<--------------|<------------|                                |----------------->---------->|
 *     |  batch, or null: it has to pull                              |      hasNext, next ...      |
 *     |---------------------------->|                                |<----------------------------|
 *     |      hasNext, next ...      |
 *     |<----------------------------|
 *     |  closeBatch   |  closeBatch(count, thrown)
 *     |<--------------|<------------|
 * </pre>
 *
 * One lease: open, next, close, all in one handler; whoever takes one by one has {@link BatchLease} do it. One quota: {@link
 * BatchLease#MAX_ELEMENTS}, and less when the turn gets long; {@link #MAX_BATCH_DEPTH} stages take from each other at most. One rule for who is to blame: what
 * the batch throws is the failure of the stage above, what the taker makes of an element its own ({@link BatchSource}). While a batch is taken, the stage above works
 * in the handler of the one below, and says so by {@link StageContext#beginWork}. Endings go by events as ever.
 */
public abstract sealed class Interpreter extends EventQueue implements StageScope permits Island {
    private static final int CHASE_LIMIT = 32;
    /** So many stages take batches from each other at most; then an event comes between, which needs no stack. */
    private static final int MAX_BATCH_DEPTH = 16;

    private final StreamRun run;
    private final @Nullable SplittableRandom order;
    private @Nullable StageContext firstStage;
    private @Nullable StageContext lastStage;
    private @Nullable Edge chased;
    private int chaseLeft = CHASE_LIMIT;
    private @Nullable StageContext active;
    private int liveStages;
    private int charged;
    private int batchDepth;
    private @Nullable Turn turn;
    /** The number plus one of the stage that works within the handler of another, which takes its batch; zero if none does. */
    private int working;

    Interpreter(StreamRun run) {
        this.run = run;
        order = run.eventOrder();
    }

    /** The interpreter that runs on this thread. */
    static Interpreter current() {
        if (StageScope.current() instanceof Interpreter current) {
            return current;
        }
        throw new IllegalStateException("no stage is running on this thread: handlers are called by the engine only");
    }

    /** Whether a stage is running on this thread. */
    static boolean isRunningHere() {
        return StageScope.current() instanceof Interpreter;
    }

    @Override
    public final StageBinding bind(GraphStageLogic logic, Shape shape) {
        return new StageContext(logic, shape);
    }

    @Override
    public final StageContext active() {
        StageContext stage = active;
        if (stage == null) {
            throw new IllegalStateException("no handler is running on this thread");
        }
        return stage;
    }

    /** The number of the stage that was called last, or -1; any thread may look. */
    int activeStage() {
        int within = working;
        StageContext stage = active;
        int called = stage == null ? -1 : stage.index();
        return within > 0 ? within - 1 : called;
    }

    final StreamRun stream() {
        return run;
    }

    final Engine engine() {
        return run.engine();
    }

    int liveStages() {
        return liveStages;
    }

    boolean isAtRest() {
        return isQuiet() && !hasEventsForLater();
    }

    /** Whether no event waits but those that are for later: nothing is on its way. */
    boolean isQuiet() {
        return chased == null && !hasEvents();
    }

    void enqueue(Edge connection, int previousState) {
        if ((previousState & Edge.QUEUED) != 0) {
            return;
        }
        if (chased == null && chaseLeft > 0) {
            chased = connection;
        } else {
            enqueueLast(connection);
        }
    }

    /** The turn in which the island runs. */
    final Turn turn() {
        Turn current = turn;
        if (current == null) {
            throw new IllegalStateException("the island has no turn: elements move in its turns only");
        }
        return current;
    }

    /** Ends the loop over elements that runs with the element in hand, if one does. */
    final void stopTaking() {
        if (turn != null) {
            turn.stopTaking();
        }
    }

    final void setTurn(@Nullable Turn current) {
        turn = current;
    }

    /**
     * Handles events until there are none left or the limit is reached, and says how many; in a turn that has become long no more
     * than the least.
     */
    int execute(int limit, int least) {
        if (order != null) {
            return executeShuffled(order, limit, least);
        }
        Turn current = turn();
        int handled = 0;
        while (handled < limit && (handled < least || !current.isLong())) {
            Edge next = chased;
            if (next != null) {
                chased = null;
                chaseLeft--;
            } else {
                chaseLeft = CHASE_LIMIT;
                next = hasEventsForLater() ? nextOfAll() : nextEvent();
                if (next == null) {
                    break;
                }
            }
            handled++;
            dispatch(next);
            if (charged != 0) {
                handled += charged;
                charged = 0;
            }
        }
        return handled;
    }

    /** Takes this much off the budget, for work that one event stands for. */
    void charge(int events) {
        charged += events;
    }

    /** The same in an order drawn at random, without chasing: any two edges may have their turns in any order. */
    private int executeShuffled(SplittableRandom random, int limit, int least) {
        int handled = 0;
        while (handled < limit && (handled < least || !turn().isLong()) && !isAtRest()) {
            if (chased != null) {
                enqueueLast(chased);
                chased = null;
            }
            handled += 1 + charged;
            charged = 0;
            dispatch(Objects.requireNonNull(drawOfAll(random), "an island that is not at rest has an event"));
        }
        return handled;
    }

    private void dispatch(Edge c) {
        int s = c.state & ~Edge.QUEUED;
        try {
            if ((s & Edge.ENDING) != 0) {
                dispatchEnding(c, s);
            } else if ((s & Edge.PUSH_PENDING) != 0) {
                tellPushed(c, s);
            } else {
                tellPulled(c, s);
            }
        } catch (Throwable t) {
            handlerFailed(t, "a handler");
        }
        afterHandler();
    }

    private void dispatchEnding(Edge c, int s) throws Exception {
        if (run.isEndedByForce()) {
            return; // both stages are about to be stopped
        }
        if ((s & Edge.CANCEL_PENDING) != 0) {
            tellCancelled(c, s);
        } else if ((s & Edge.PUSH_PENDING) != 0) {
            enqueueLast(c);
            tellPushed(c, s | Edge.QUEUED);
        } else {
            tellFinished(c, s);
        }
    }

    private void tellPushed(Edge c, int s) throws Exception {
        c.state = (s | Edge.ELEMENT) & ~(Edge.PUSH_PENDING | Edge.PULLED);
        active = c.downstream;
        c.inHandler.onPush();
    }

    /** Calls the end of the graph from within the handler of the stage above. */
    void tellPushedAll(Edge c, BatchHandler handler, ElementBatch<?> elements) {
        StageContext caller = active;
        active = c.downstream;
        Turn current = turn();
        Cuttable before = current.deliver(elements);
        try {
            handler.onBatch(elements);
        } catch (Throwable t) {
            handlerFailed(t, "a handler");
        } finally {
            current.deliver(before);
            active = caller;
        }
    }

    /** Asks a stage from within the handler of the one below for its batch. */
    @Nullable
    Iterator<?> openBatch(StageContext context, BatchSource above) {
        if (batchDepth == MAX_BATCH_DEPTH) {
            return null;
        }
        StageContext caller = active;
        active = context;
        batchDepth++;
        try {
            return above.openBatch();
        } catch (Throwable t) {
            handlerFailed(t, "a handler");
            return null;
        } finally {
            batchDepth--;
            active = caller;
        }
    }

    /** Tells a stage from within the handler of the one below what was taken, and thrown. */
    void closeBatch(StageContext context, BatchSource above, int count, @Nullable Throwable thrown) {
        StageContext caller = active;
        active = context;
        try {
            above.closeBatch(count, thrown);
        } catch (Throwable t) {
            handlerFailed(t, "a handler");
        } finally {
            active = caller;
        }
    }

    /** Notes that a stage works now within the handler of another, which takes its batch; what stood there before. */
    int beginWork(int stage) {
        int before = working;
        working = stage + 1;
        return before;
    }

    void endWork(int before) {
        working = before;
    }

    private void tellPulled(Edge c, int s) throws Exception {
        if ((s & Edge.PULL_PENDING) == 0) {
            c.state = s;
            return;
        }
        c.state = (s | Edge.DEMAND) & ~Edge.PULL_PENDING;
        active = c.upstream;
        c.outHandler.onPull();
    }

    private void tellCancelled(Edge c, int s) throws Exception {
        c.state = (s | Edge.OUT_CLOSED) & ~(Edge.CANCEL_PENDING | Edge.DEMAND);
        Throwable cause = c.cause;
        c.cause = null;
        active = c.upstream;
        c.upstream.portClosed();
        if (cause != null) {
            c.outHandler.onDownstreamFinish(cause);
        }
    }

    private void tellFinished(Edge c, int s) throws Exception {
        c.state = (s | Edge.IN_CLOSED) & ~(Edge.FINISH_PENDING | Edge.PULLED);
        Throwable cause = c.cause;
        c.cause = null;
        active = c.downstream;
        c.downstream.portClosed();
        if (cause != null) {
            run.note(cause);
        }
        if (cause == null) {
            c.inHandler.onUpstreamFinish();
        } else {
            c.inHandler.onUpstreamFailure(cause);
        }
    }

    /** Calls a stage from outside its ports; hands back what it threw. */
    <T> @Nullable Throwable invoke(StageContext context, StageConsumer<? super T> handler, T message) {
        Throwable failure = null;
        active = context;
        try {
            handler.accept(message);
        } catch (Throwable t) {
            failure = t;
            handlerFailed(t, "the handler of a message");
        }
        afterHandler();
        return failure;
    }

    void fire(StageContext context, Object timerKey) {
        active = context;
        try {
            context.onTimer(timerKey);
        } catch (Throwable t) {
            handlerFailed(t, "the handler of timer " + Described.of(timerKey));
        }
        afterHandler();
    }

    /** Adds a stage, before the start. */
    final void add(StageContext context) {
        StageContext last = lastStage;
        if (last == null) {
            firstStage = context;
        } else {
            last.nextInIsland = context;
        }
        lastStage = context;
        liveStages++;
    }

    /** The stage that was added first, the others by their links; null once all have stopped and are forgotten. */
    final @Nullable StageContext firstStage() {
        return firstStage;
    }

    /** Starts the stages in order; the first failure ends the whole stream. Those that are done by then stop when all have started. */
    final void start() {
        for (StageContext context = firstStage; context != null; context = context.nextInIsland) {
            active = context;
            try {
                context.preStart();
            } catch (Throwable t) {
                run.startFailed(context, t);
                active = null;
                return;
            }
            context.afterStart();
        }
        if (!run.isAborted()) {
            afterHandler();
        }
    }

    /** Reports what the running stage has thrown, and fails the stage unless it outlives that. */
    void handlerFailed(Throwable failure, String where) {
        reportFailed(failure, where);
        active().threw(failure);
    }

    /** Reports what the running stage has thrown. */
    void reportFailed(Throwable failure, String where) {
        reportNew(active().failedOperator(), where + " failed", failure);
    }

    /** Reports a failure that was not reported yet and came up here. */
    void reportNew(String operator, String what, Throwable failure) {
        NullElementException.locate(failure, operator);
        if (!run.note(failure)) {
            run.report(operator, what, failure);
        }
    }

    /** Stops those that are done; of a stream that ends by force none is told of another. */
    private void afterHandler() {
        if (firstToStop() != null) {
            stopClosed(run.isEndedByForce());
        }
    }

    private void stopClosed(boolean isByForce) {
        StageContext next;
        while ((next = firstToStop()) != null) {
            boolean stoppable = next.isStoppable();
            if (!stoppable || isByForce || !tellAbove(next)) {
                pollStop(next);
                if (stoppable) {
                    stop(next);
                }
            }
        }
    }

    /** Tells those above a stage that it has cancelled them; whether there were any, and then they stop before it. */
    private boolean tellAbove(StageContext context) {
        boolean told = false;
        for (int place = 0; place < context.inCount; place++) {
            Edge edge = context.in(place);
            if ((edge.state & Edge.CANCEL_PENDING) != 0) {
                told = true;
                tellCancelled(edge);
            }
        }
        return told;
    }

    /** Does what the edge's event is for, which then finds nothing to do. */
    private void tellCancelled(Edge edge) {
        try {
            tellCancelled(edge, edge.state);
        } catch (Throwable t) {
            handlerFailed(t, "a handler");
        }
    }

    private void stop(StageContext context) {
        liveStages--;
        active = context;
        Throwable thrown = context.stop();
        active = null;
        if (thrown != null) {
            run.report(context.name(), "postStop failed", thrown);
        }
    }

    /** Stops every stage that still lives, because the stream ends by force. */
    final void abort(Throwable cause) {
        for (StageContext context = firstStage; context != null; context = context.nextInIsland) {
            if (!context.isStopped()) {
                context.noteFailure(cause);
                stop(context);
            }
        }
        liveStages = 0;
        dropEvents();
    }

    private void dropEvents() {
        forgetEvents();
        chased = null;
    }

    /** Keeps nothing of its stages, and none of the others' by one of them, once all have stopped. */
    final void forgetStages() {
        StageContext context = firstStage;
        firstStage = null;
        lastStage = null;
        active = null;
        dropEvents();
        while (context != null) {
            StageContext next = context.nextInIsland;
            context.nextInIsland = null;
            context.forEachOut(Edge::clear);
            context = next;
        }
    }
}
