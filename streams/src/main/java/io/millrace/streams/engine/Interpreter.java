package io.millrace.streams.engine;

import io.millrace.streams.stage.StageConsumer;
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
 * <p><b>An edge</b> ({@link Connection}) is in the event queue at most once. What is to be done when its turn comes stands
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
 * {@link Later}, when the queue is empty, so that it is not in the way of a stage that takes elements by calls.
 */
abstract sealed class Interpreter extends EventQueue permits Island {
    private static final ThreadLocal<@Nullable Interpreter> CURRENT = new ThreadLocal<>();
    private static final int CHASE_LIMIT = 32;
    /** So many stages take from each other at most; then an event comes between, which needs no stack. */
    private static final int MOST_FEEDING = 16;

    private final StreamRun run;
    private final @Nullable SplittableRandom order;
    private @Nullable StageCell firstStage;
    private @Nullable StageCell lastStage;
    private @Nullable Connection chased;
    private int chaseLeft = CHASE_LIMIT;
    private @Nullable StageCell active;
    private int liveStages;
    private int charged;
    private int feedDepth;
    private @Nullable Turn turn;
    /** The number plus one of the stage that works within the handler of the one that it feeds; zero if none does. */
    private int lent;

    Interpreter(StreamRun run) {
        this.run = run;
        order = run.eventOrder();
    }

    /** The interpreter that runs on this thread. */
    static Interpreter current() {
        Interpreter current = CURRENT.get();
        if (current == null) {
            throw new IllegalStateException(
                    "no stage is running on this thread: handlers are called by the engine only");
        }
        return current;
    }

    /** Whether a stage is running on this thread. */
    static boolean isRunningHere() {
        return CURRENT.get() != null;
    }

    /** Makes this the thread's interpreter, and hands back the one that was. */
    @Nullable
    Interpreter enter() {
        Interpreter previous = CURRENT.get();
        CURRENT.set(this);
        return previous;
    }

    static void leave(@Nullable Interpreter previous) {
        if (previous == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(previous);
        }
    }

    StageCell active() {
        StageCell stage = active;
        if (stage == null) {
            throw new IllegalStateException("no handler is running on this thread");
        }
        return stage;
    }

    /** The number of the stage that was called last, or -1; any thread may look. */
    int activeStage() {
        int within = lent;
        StageCell stage = active;
        int called = stage == null ? -1 : stage.index();
        return within > 0 ? within - 1 : called;
    }

    final StreamRun stream() {
        return run;
    }

    final Engine engine() {
        return run.engine();
    }

    String stageName(int index) {
        return run.stageName(index);
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

    void enqueue(Connection connection, int previousState) {
        if ((previousState & Connection.QUEUED) != 0) {
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
            Connection next = chased;
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

    private void dispatch(Connection c) {
        int s = c.state & ~Connection.QUEUED;
        try {
            if ((s & Connection.ENDING) != 0) {
                dispatchEnding(c, s);
            } else if ((s & Connection.PUSH_PENDING) != 0) {
                tellPushed(c, s);
            } else {
                tellPulled(c, s);
            }
        } catch (Throwable t) {
            handlerFailed(t, "a handler");
        }
        afterHandler();
    }

    private void dispatchEnding(Connection c, int s) throws Exception {
        if ((s & Connection.CANCEL_PENDING) != 0) {
            tellCancelled(c, s);
        } else if ((s & Connection.PUSH_PENDING) != 0) {
            enqueueLast(c);
            tellPushed(c, s | Connection.QUEUED);
        } else {
            tellFinished(c, s);
        }
    }

    private void tellPushed(Connection c, int s) throws Exception {
        c.state = (s | Connection.ELEMENT) & ~(Connection.PUSH_PENDING | Connection.PULLED);
        active = c.downstream;
        c.inHandler.onPush();
    }

    /** Calls the end of the graph from within the handler of the stage above. */
    void tellPushedAll(Connection c, RunHandler handler, ElementRun<?> elements) {
        StageCell caller = active;
        active = c.downstream;
        Turn current = turn();
        ElementRun<?> before = current.deliver(elements);
        try {
            handler.onPushAll(elements);
        } catch (Throwable t) {
            handlerFailed(t, "a handler");
        } finally {
            current.deliver(before);
            active = caller;
        }
    }

    /** Asks a stage from within the handler of the one below for what it has at hand. */
    @Nullable
    Iterator<?> feed(StageCell cell, Feeding above) {
        if (feedDepth == MOST_FEEDING) {
            return null;
        }
        StageCell caller = active;
        active = cell;
        feedDepth++;
        try {
            return above.feed();
        } catch (Throwable t) {
            handlerFailed(t, "a handler");
            return null;
        } finally {
            feedDepth--;
            active = caller;
        }
    }

    /** Tells a stage from within the handler of the one below what was taken, and thrown. */
    void fed(StageCell cell, Feeding above, int count, @Nullable Throwable thrown) {
        StageCell caller = active;
        active = cell;
        try {
            above.fed(count, thrown);
        } catch (Throwable t) {
            handlerFailed(t, "a handler");
        } finally {
            active = caller;
        }
    }

    /** Notes that a stage works now within the handler of the one that it feeds; what stood there before. */
    int lend(int stage) {
        int before = lent;
        lent = stage + 1;
        return before;
    }

    void takeBack(int before) {
        lent = before;
    }

    private void tellPulled(Connection c, int s) throws Exception {
        if ((s & Connection.PULL_PENDING) == 0) {
            c.state = s;
            return;
        }
        c.state = (s | Connection.DEMAND) & ~Connection.PULL_PENDING;
        active = c.upstream;
        c.outHandler.onPull();
    }

    private void tellCancelled(Connection c, int s) throws Exception {
        c.state = (s | Connection.OUT_CLOSED) & ~(Connection.CANCEL_PENDING | Connection.DEMAND);
        Throwable cause = c.cause;
        c.cause = null;
        active = c.upstream;
        c.upstream.portClosed();
        if (cause != null) {
            c.outHandler.onDownstreamFinish(cause);
        }
    }

    private void tellFinished(Connection c, int s) throws Exception {
        c.state = (s | Connection.IN_CLOSED) & ~(Connection.FINISH_PENDING | Connection.PULLED);
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
    <T> @Nullable Throwable invoke(StageCell cell, StageConsumer<? super T> handler, T message) {
        Throwable failure = null;
        active = cell;
        try {
            handler.accept(message);
        } catch (Throwable t) {
            failure = t;
            handlerFailed(t, "the handler of a message");
        }
        afterHandler();
        return failure;
    }

    void fire(StageCell cell, Object timerKey) {
        active = cell;
        try {
            cell.onTimer(timerKey);
        } catch (Throwable t) {
            handlerFailed(t, "the handler of timer " + Described.of(timerKey));
        }
        afterHandler();
    }

    /** Adds a stage, before the start. */
    final void add(StageCell cell) {
        StageCell last = lastStage;
        if (last == null) {
            firstStage = cell;
        } else {
            last.nextInIsland = cell;
        }
        lastStage = cell;
        liveStages++;
    }

    /** The stage that was added first, the others by their links; null once all have stopped and are forgotten. */
    final @Nullable StageCell firstStage() {
        return firstStage;
    }

    /** Starts the stages in order; the first failure ends the whole stream. Those that are done by then stop when all have started. */
    final void start() {
        for (StageCell cell = firstStage; cell != null; cell = cell.nextInIsland) {
            active = cell;
            try {
                cell.preStart();
            } catch (Throwable t) {
                run.startFailed(cell, t);
                active = null;
                return;
            }
            cell.afterStart();
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

    private void afterHandler() {
        if (firstToStop() != null) {
            stopClosed();
        }
    }

    private void stopClosed() {
        StageCell next;
        while ((next = firstToStop()) != null) {
            boolean stoppable = next.isStoppable();
            if (!stoppable || !tellAbove(next)) {
                pollStop(next);
                if (stoppable) {
                    stop(next);
                }
            }
        }
    }

    /** Tells those above a stage that it has cancelled them; whether there were any, and then they stop before it. */
    private boolean tellAbove(StageCell cell) {
        boolean told = false;
        for (int place = 0; place < cell.inCount; place++) {
            Connection edge = cell.in(place);
            if ((edge.state & Connection.CANCEL_PENDING) != 0) {
                told = true;
                tellCancelled(edge);
            }
        }
        return told;
    }

    /** Does what the edge's event is for, which then finds nothing to do. */
    private void tellCancelled(Connection edge) {
        try {
            tellCancelled(edge, edge.state);
        } catch (Throwable t) {
            handlerFailed(t, "a handler");
        }
    }

    private void stop(StageCell cell) {
        liveStages--;
        active = cell;
        Throwable thrown = cell.stop();
        active = null;
        if (thrown != null) {
            run.report(cell.name(), "postStop failed", thrown);
        }
    }

    /** Stops every stage that still lives, because the stream ends by force. */
    final void abort(Throwable cause) {
        for (StageCell cell = firstStage; cell != null; cell = cell.nextInIsland) {
            if (!cell.isStopped()) {
                cell.noteFailure(cause);
                stop(cell);
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
        StageCell cell = firstStage;
        firstStage = null;
        lastStage = null;
        active = null;
        dropEvents();
        while (cell != null) {
            StageCell next = cell.nextInIsland;
            cell.nextInIsland = null;
            cell.forEachOut(Connection::clear);
            cell = next;
        }
    }
}
