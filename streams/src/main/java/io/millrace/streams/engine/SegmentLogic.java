package io.millrace.streams.engine;

import io.millrace.streams.engine.pool.Turn;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Shape;
import io.millrace.streams.stage.DownstreamFinished;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * One run of a segment. As long as there is demand, it does the first of these that there is: what steps emit before
 * their first element (the last step first), elements at hand, an element from upstream. When there are no more elements,
 * or a step has ended the stream, it flushes the steps that are left, in order.
 *
 * <p>Elements come as {@link SegmentSupply} says; they go to an outlet, over a boundary (the last step writes there), or
 * nowhere; the stage behind the outlet may take them by calls. Without an outlet the segment goes on by itself, a chunk
 * at a time, by an edge to itself or by pulling.
 */
final class SegmentLogic extends SegmentSupply
        implements InHandler, OutHandler, BatchHandler, BatchSource, BoundarySide {
    private @Nullable Edge out;
    private @Nullable Boundary to;
    private @Nullable Edge self;
    private @Nullable Later endLook;
    private @Nullable SegmentFeed feed;
    private boolean stopped;

    SegmentLogic(Segment segment, Shape shape) {
        super(segment, shape);
        if (segment.hasInlet()) {
            setHandler(SegmentStage.IN, this);
        }
        if (segment.hasOutlet()) {
            setHandler(SegmentStage.OUT, this);
        }
        setKeepGoing(!segment.hasOutlet());
        makeStates(this);
    }

    @Override
    SegmentLogic run() {
        return this;
    }

    /** Elements come over this boundary. */
    void comeFrom(Boundary boundary) {
        from = boundary;
        boundary.setExit(StageAccess.context(this));
    }

    /** Elements go over this boundary. */
    void leadTo(Boundary boundary) {
        to = boundary;
        states[states.length - 1] = boundary;
        boundary.setEntry(StageAccess.context(this));
    }

    // --------------------------------------------------------------------------------------------- signals

    @Override
    public void preStart() {
        out = segment.hasOutlet() ? StageAccess.context(this).out(SegmentStage.OUT) : null;
        startSupply();
        if (from == null && segment.drivesItself()) {
            self = new Edge(StageAccess.context(this).island(), StageAccess.context(this), this);
        }
        segment.start(states);
        try {
            startOrigin();
            begin();
        } catch (Throwable t) {
            StageAccess.context(this).island().handlerFailed(t, "a handler");
        }
    }

    private void begin() throws Exception {
        if (closedAt >= 0) {
            conclude(closedAt + 1);
        } else if (segment.origin() != null && !hasMore()) {
            conclude(0);
        } else if (self != null) {
            self.pull();
        } else if (!segment.hasOutlet()) {
            advance();
        }
    }

    @Override
    public void onPull() throws Exception {
        advance();
    }

    @Override
    public void onPush() throws Exception {
        Object element = Edge.required(in).grab();
        passed(1);
        if (isExpansion()) {
            expand(element);
            advance();
            return;
        }
        Object passed = pass(element);
        if (passed != Step.NOTHING) {
            Edge.required(out).push(passed);
        }
        publish();
        if (closedAt >= 0) {
            conclude(closedAt + 1);
        } else if (passed == Step.NOTHING && hasRoom()) {
            proceed();
        }
    }

    @Override
    public boolean takesRuns() {
        return segment.hasResult() && !isExpansion();
    }

    @Override
    public void onPushAll(ElementBatch<?> elements) throws Exception {
        while (closedAt < 0 && elements.hasNext()) { // which ends, too, when the turn is long
            try {
                pull(segment.body(), elements, CHUNK);
            } catch (Exception e) {
                supervise(e);
            }
            if (!segment.takesRunsAlone()) {
                passed(taken);
            }
        }
        if (closedAt >= 0) {
            conclude(closedAt + 1);
        }
    }

    private Object pass(Object element) throws Exception {
        try {
            return segment.body().pass(this, element);
        } catch (Exception e) {
            supervise(e);
            return Step.NOTHING;
        }
    }

    @Override
    public void onUpstreamFinish() throws Exception {
        if (!isExpanding()) {
            conclude(0);
        }
    }

    @Override
    public void onUpstreamFailure(Throwable failure) throws Exception {
        fail(0, failure);
    }

    /** Something has happened at a boundary, above or below. */
    @Override
    public void accept(NotUsed nothing) throws Exception {
        Throwable cancellation = to == null ? null : to.cancellation();
        if (cancellation != null) {
            onDownstreamFinish(cancellation);
        } else if (hasDemand()) {
            advance();
        } else if (from != null && from.isDrained() && !isEnding() && !isExpanding()) {
            starve(from);
        }
    }

    @Override
    public void onDownstreamFinish(Throwable cause) {
        if (from != null) {
            from.cancel(cause);
        }
        cancelStage(cause);
    }

    @Override
    public void postStop() {
        Throwable failure = StageAccess.context(this).failure();
        if (from != null && !from.isDrained()) {
            from.cancel(failure == null ? new DownstreamFinished() : failure);
        }
        if (to != null) {
            to.end(failure);
        }
        warm();
        stopped = true;
        forget();
        letGo();
    }

    // --------------------------------------------------------------------------------------------- progress

    /** Does what is next, as there is demand. */
    private void advance() throws Exception {
        if (stopped || !hasRoom()) {
            return;
        }
        boolean satisfied = preludesSatisfy();
        if (isEnding()) {
            flush();
        } else if (closedAt >= 0) {
            conclude(closedAt + 1);
        } else if (!satisfied && hasRoom()) {
            proceed();
        }
        publish();
    }

    private void proceed() throws Exception {
        Iterator<?> source = open();
        if (source != null) {
            drain(source);
        } else {
            exhausted(false);
        }
    }

    private void drain(Iterator<?> source) throws Exception {
        Object passed;
        Throwable failure = null;
        int atMost = to == null ? CHUNK : Math.min(CHUNK, to.room());
        taken = 0;
        try {
            passed = pull(segment.body(), source, atMost);
            failedAt = HEAD;
        } catch (Throwable t) {
            failure = t;
            passed = failedAt == HEAD ? SegmentBody.EXHAUSTED : Step.NOTHING;
        }
        boolean isOut = passed != Step.NOTHING && passed != SegmentBody.EXHAUSTED;
        if (isOut) {
            Edge.required(out).push(passed); // before a stage above looks for more
        }
        boolean isFailureAbove = failure != null && isFailureAbove();
        close(taken, isFailureAbove ? failure : null);
        if (failure != null && !isFailureAbove) {
            superviseHere(failure);
        }
        publish();
        if (closedAt >= 0) {
            conclude(closedAt + 1);
        } else if (isOut) {
            lookForEnd();
        } else if (passed == SegmentBody.EXHAUSTED) {
            exhausted(false);
        } else if (hasRoom()) {
            again();
        }
    }

    /** Passes elements through the steps, as many as the turn allows. */
    Object pull(SegmentBody body, Iterator<?> source, int atMost) throws Exception {
        Turn turn = StageAccess.context(this).island().turn();
        if (to != null) {
            turn.postpone(to);
        }
        int before = turn.open(closedAt < 0 ? atMost : 0);
        try {
            return body.pull(this, source, turn);
        } finally {
            turn.close(before);
        }
    }

    @Override
    void stopTaking() {
        StageAccess.context(this).stopTaking();
    }

    /** Ends, if the element that has just been passed on was the last; a user's function is asked only once that is on its way. */
    private void lookForEnd() throws Exception {
        if (isUnknownWhetherOver()) {
            if (endLook == null) {
                endLook = new Later(this, this::lookAgain);
            }
            endLook.ask();
        } else if (!isExpanding() && !hasMore()) {
            exhausted(true);
        }
    }

    /** Looks, now that nothing is under way, whether there are more elements. */
    private void lookAgain() throws Exception {
        if (!stopped && !isEnding() && closedAt < 0 && !hasMoreOrFails()) {
            exhausted(true);
        }
    }

    /** An iterator that fails here gives nothing more, if its supervision lets the stream go on at all. */
    private boolean hasMoreOrFails() throws Exception {
        failedAt = HEAD;
        try {
            return hasMore();
        } catch (Throwable t) {
            superviseHere(t);
            return false;
        }
    }

    /** Nothing is at hand: ends, or asks for more if downstream still waits. */
    private void exhausted(boolean satisfied) throws Exception {
        if (isOver()) {
            conclude(0);
        } else if (from == null) {
            if (!satisfied && hasRoom()) {
                Edge.required(in).tryPull();
            }
        } else if (!satisfied || from.isDrained()) {
            starve(from);
        }
    }

    /** Waits for the boundary, or ends because nothing will come over it any more. */
    private void starve(Boundary boundary) throws Exception {
        if (boundary.hasNextOrPark()) {
            again();
        } else if (boundary.isDrained()) {
            Throwable failure = boundary.failure();
            if (failure == null) {
                conclude(0);
            } else {
                StageAccess.context(this).noteForeign(failure);
                fail(0, failure);
            }
        }
    }

    /** Goes on after the other events of the island have had their turn. */
    private void again() {
        if (out != null) {
            out.again();
        } else if (from != null) {
            from.wakeExit();
        } else if (self != null) {
            self.again();
        } else {
            Edge.required(in).tryPull();
        }
    }

    // ------------------------------------------------------------------------------------------- the stage below

    @Override
    public @Nullable Iterator<?> feed() {
        if (stopped || closedAt >= 0 || isEnding() || hasPreludesLeft()) {
            return null;
        }
        Iterator<?> source = open();
        if (source == null || segment.steps().length == 0) {
            return source;
        }
        if (feed == null) {
            feed = new SegmentFeed(this);
        }
        return feed.open(source, CHUNK);
    }

    @Override
    public void fed(int count, @Nullable Throwable thrown) throws Exception {
        if (feed != null) {
            endFeed(feed.close(), feed.thrown());
        } else {
            failedAt = HEAD;
            endFeed(count, thrown == null ? null : afterSupervision(thrown));
        }
    }

    private void endFeed(int counted, @Nullable Throwable failure) throws Exception {
        boolean isFailureAbove = failure != null && isFailureAbove();
        close(counted, isFailureAbove ? failure : null);
        if (failure != null && !isFailureAbove) {
            StageAccess.context(this).island().handlerFailed(failure, "a handler");
        } else if (closedAt >= 0) {
            conclude(closedAt + 1);
        } else {
            lookForEnd();
        }
    }

    @Override
    void publish() {
        if (to != null) {
            to.publish();
        }
    }

    @Override
    boolean hasDemand() {
        return out == null ? hasRoom() : out.isDemandAvailable();
    }

    @Override
    boolean hasRoom() {
        return to == null || to.hasRoomOrPark();
    }

    @Override
    void emit(Object element) {
        Edge.required(out).push(element);
    }
}
