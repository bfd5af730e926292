package io.millrace.streams.engine;

import io.millrace.streams.Shape;
import io.millrace.streams.stage.DownstreamFinished;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * One run of a segment. As long as there is demand, it does the first of these that there is: what steps emit before
 * their first element (the last step first), the next element of the head's iterator, an element from upstream. When
 * there are no more elements, or a step has ended the stream, it flushes the steps that are left, in order.
 *
 * <p>Elements come from an inlet or over a boundary, or from the head alone; an expansion takes them from a segment above
 * by a call, while nothing is under way on the edge between the two; they go to an outlet, over a boundary (the
 * last step writes there), or nowhere. Without an outlet the segment goes on by itself, a chunk at a time, by an edge
 * to itself.
 */
final class SegmentLogic extends SegmentEnding implements InHandler, OutHandler, RunHandler {
    private static final int CHUNK = 1024;

    int taken;

    @Nullable
    SegmentEntry entry;

    private @Nullable Connection in;
    private @Nullable Connection out;
    private @Nullable SegmentLogic above;
    private @Nullable Boundary from;
    private @Nullable Boundary to;
    private @Nullable Iterator<?> rest;
    private @Nullable Connection self;
    private int passedCount;
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
        boundary.setExit(new StageSignal(StageAccess.cell(this), signal -> onExitSignal()));
    }

    /** Elements go over this boundary. */
    void leadTo(Boundary boundary) {
        to = boundary;
        states[states.length - 1] = boundary;
        boundary.setEntry(new StageSignal(StageAccess.cell(this), signal -> onEntrySignal()));
    }

    /** The edge by which it goes on by itself. */
    void setSelf(Connection edge) {
        self = edge;
    }

    // --------------------------------------------------------------------------------------------- signals

    @Override
    public void preStart() throws Exception {
        in = segment.hasInlet() ? StageAccess.cell(this).in(SegmentStage.IN) : null;
        out = segment.hasOutlet() ? StageAccess.cell(this).out(SegmentStage.OUT) : null;
        if (in != null && segment.expansion() != null && in.upstream.logic() instanceof SegmentLogic next) {
            above = next;
        }
        Origin origin = segment.origin();
        if (origin != null) {
            rest = origin.newIterator();
        }
        segment.start(states);
        try {
            begin();
        } catch (Exception e) {
            StageAccess.cell(this).interpreter().handlerFailed(e, "a handler");
        }
    }

    private void begin() throws Exception {
        if (closedAt >= 0) {
            conclude(closedAt + 1);
        } else if (rest != null && !rest.hasNext()) {
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
        Object element = Connection.required(in).grab();
        if (++passedCount >= CHUNK) {
            warm();
        }
        Expansion<Object> expansion = segment.expansion();
        if (expansion != null) {
            expand(expansion, element);
            advance();
            return;
        }
        Object passed = pass(element);
        if (passed != Step.NOTHING) {
            Connection.required(out).push(passed);
        }
        publish();
        if (closedAt >= 0) {
            conclude(closedAt + 1);
        } else if (passed == Step.NOTHING && hasRoom()) {
            Connection.required(in).tryPull();
        }
    }

    @Override
    public boolean takesRuns() {
        return segment.hasResult() && segment.expansion() == null;
    }

    @Override
    public void onPushAll(ElementRun<?> elements) throws Exception {
        while (closedAt < 0 && elements.hasNext()) {
            try {
                segment.body().pull(this, elements, CHUNK);
            } catch (Exception e) {
                supervise(e);
            }
            passedCount += taken;
        }
        if (passedCount >= CHUNK) {
            warm();
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

    private void expand(Expansion<Object> expansion, Object element) throws Exception {
        try {
            rest = expansion.expand(element);
        } catch (Exception e) {
            failedAt = HEAD;
            supervise(e);
        }
    }

    @Override
    public void onUpstreamFinish() throws Exception {
        above = null;
        if (rest == null) {
            conclude(0);
        }
    }

    @Override
    public void onUpstreamFailure(Throwable failure) throws Exception {
        fail(0, failure);
    }

    private void onExitSignal() throws Exception {
        if (!isEnding() && from != null) {
            if (hasDemand()) {
                advance();
            } else if (rest == null && from.isDrained()) {
                starve(from);
            }
        }
    }

    private void onEntrySignal() throws Exception {
        Throwable cancellation = to == null ? null : to.cancellation();
        if (cancellation == null) {
            advance();
        } else {
            onDownstreamFinish(cancellation);
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
        Throwable failure = StageAccess.cell(this).failure();
        if (from != null && !from.isDrained()) {
            from.cancel(failure == null ? new DownstreamFinished() : failure);
        }
        if (to != null) {
            to.end(failure);
        }
        warm();
        stopped = true;
        rest = null;
        letGo();
    }

    private void warm() {
        segment.warm(passedCount);
        passedCount = 0;
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
        int elements = 0;
        do {
            elements += refill();
            taken = 0;
            step();
            elements += taken;
        } while (elements < CHUNK && canGoOn());
        if (canGoOn()) {
            again();
        }
    }

    /** Whether downstream waits, nothing is left of the last element, and the segment above may have another one. */
    private boolean canGoOn() {
        return above != null
                && rest == null
                && !stopped
                && !isEnding()
                && closedAt < 0
                && hasDemand()
                && above.canGive(in);
    }

    /** Expands the next element if one is at hand; how many elements that took above. */
    private int refill() throws Exception {
        Expansion<Object> expansion = segment.expansion();
        if (expansion == null || rest != null) {
            return 1;
        }
        if (from != null && from.hasNext()) {
            expand(expansion, from.next());
        } else if (above != null && above.canGive(in)) {
            SegmentLogic giving = above;
            Object element = StageAccess.cell(this).interpreter().takeFrom(giving);
            if (element != Step.NOTHING) {
                Connection.required(in).elementCount++;
                expand(expansion, element);
            }
            return 1 + giving.taken;
        }
        return 1;
    }

    /** Whether it has elements of its own at hand, and none is on its way over this edge, its only one. */
    private boolean canGive(@Nullable Connection edge) {
        return rest != null && edge != null && edge.state == 0 && closedAt < 0 && !isEnding() && !hasPreludesLeft();
    }

    /** The next element that comes out, or {@link Step#NOTHING}; called by the segment below. */
    Object take() throws Exception {
        taken = 0;
        Iterator<?> source = rest;
        if (source == null || !source.hasNext()) {
            return Step.NOTHING;
        }
        Object passed = Step.NOTHING;
        try {
            passed = segment.body().pull(this, source, CHUNK);
            failedAt = HEAD;
        } catch (Exception e) {
            supervise(e);
        }
        count();
        return passed;
    }

    private void count() {
        passedCount += taken;
        if (passedCount >= CHUNK) {
            StageAccess.cell(this).interpreter().charge(passedCount);
            warm();
        }
    }

    private void step() throws Exception {
        Iterator<?> source = rest;
        if (source != null) {
            drain(source);
        } else if (from == null) {
            Connection.required(in).tryPull();
        } else if (segment.expansion() == null && from.hasNext()) {
            drain(from);
        } else {
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
                fail(0, failure);
            }
        }
    }

    private void drain(Iterator<?> source) throws Exception {
        Object passed = Step.NOTHING;
        boolean more = true;
        int atMost = to == null ? CHUNK : Math.min(CHUNK, to.room());
        try {
            passed = segment.body().pull(this, source, atMost);
            failedAt = HEAD;
            more = closedAt >= 0 || (passed == Step.NOTHING && taken == atMost) || source.hasNext();
        } catch (Exception e) {
            supervise(e);
            more = failedAt != HEAD;
        }
        count();
        if (passed != Step.NOTHING) {
            Connection.required(out).push(passed);
        }
        publish();
        if (closedAt >= 0) {
            conclude(closedAt + 1);
        } else if (!more) {
            exhausted(passed != Step.NOTHING);
        } else if (passed == Step.NOTHING && hasRoom()) {
            again();
        }
    }

    private void exhausted(boolean satisfied) throws Exception {
        rest = null;
        if (segment.origin() != null || (in != null && in.isInClosed())) {
            conclude(0);
        } else if (from != null && (!satisfied || from.isDrained())) {
            starve(from);
        } else if (from == null && !satisfied && !canGoOn()) {
            Connection.required(in).tryPull();
        }
    }

    /** Goes on after the other events of the island have had their turn. */
    private void again() {
        if (self == null) {
            Connection.required(out).again();
        } else {
            self.again();
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
        Connection.required(out).push(element);
    }

    @Override
    void leaveUpstream() {
        rest = null;
        above = null;
        if (in != null) {
            in.cancel(new DownstreamFinished());
        } else if (from != null && !from.isDrained()) {
            from.cancel(new DownstreamFinished());
        }
    }
}
