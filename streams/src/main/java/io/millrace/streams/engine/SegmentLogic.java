package io.millrace.streams.engine;

import io.millrace.streams.Shape;
import io.millrace.streams.stage.DownstreamFinished;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One run of a segment. As long as there is demand, it does the first of these that there is: what steps emit before
 * their first element (the last step first), the next element of the head's iterator, an element from upstream. When
 * there are no more elements, or a step has ended the stream, it flushes the steps that are left, in order.
 *
 * <p>Elements come from an inlet or over a boundary, or from the head alone; they go to an outlet, over a boundary (the
 * last step writes there), or nowhere. Without an outlet the segment goes on by itself, a chunk at a time, by an edge
 * to itself.
 */
final class SegmentLogic extends GraphStageLogic implements InHandler, OutHandler, RunHandler {
    /** Stands for the head where the place of a step is expected. */
    static final int HEAD = -1;

    private static final int CHUNK = 1024;
    private static final @Nullable Object[] STATELESS = {};

    final @Nullable Object[] states;
    int closedAt = -1;
    int failedAt = HEAD;
    int taken;

    @Nullable
    SegmentEntry entry;

    private final Segment segment;
    private final @Nullable CompletableFuture<Object> result;
    private @Nullable Connection in;
    private @Nullable Connection out;
    private @Nullable Boundary from;
    private @Nullable Boundary to;
    private @Nullable Iterator<?> rest;
    private @Nullable Connection self;
    private @Nullable Object held;
    private int heldAt;
    private int preludesLeft;
    private int flushing = -1;
    private int passedCount;
    private boolean stopped;

    SegmentLogic(Segment segment, Shape shape) {
        super(shape);
        this.segment = segment;
        states = segment.isStateful() ? new Object[segment.steps().length] : STATELESS;
        preludesLeft = segment.preludeEnd();
        result = segment.hasResult() ? promise() : null;
        if (segment.hasInlet()) {
            setHandler(SegmentStage.IN, this);
        }
        if (segment.hasOutlet()) {
            setHandler(SegmentStage.OUT, this);
        }
        setKeepGoing(!segment.hasOutlet());
        for (int i = 0; i < states.length; i++) {
            renewState(i);
        }
    }

    private void renewState(int step) {
        if (segment.steps()[step].isStateful()) {
            states[step] = segment.steps()[step].newState(new StepControl(this, step));
        }
    }

    /** The terminal's result, if there is a terminal. */
    @Nullable
    CompletableFuture<Object> result() {
        return result;
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

    void closeAt(int step) {
        closedAt = Math.max(closedAt, step);
    }

    /** The path of the operator that threw last. */
    String failedOperator() {
        return segment.operatorName(failedAt);
    }

    // --------------------------------------------------------------------------------------------- signals

    @Override
    public void preStart() throws Exception {
        in = segment.hasInlet() ? StageAccess.cell(this).in(SegmentStage.IN) : null;
        out = segment.hasOutlet() ? StageAccess.cell(this).out(SegmentStage.OUT) : null;
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
            end(closedAt + 1);
        } else if (rest != null && !rest.hasNext()) {
            end(0);
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
            end(closedAt + 1);
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
            end(closedAt + 1);
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
        if (rest == null) {
            end(0);
        }
    }

    private void onExitSignal() throws Exception {
        if (flushing < 0 && from != null) {
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
        held = null;
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
        if (flushing >= 0) {
            flush();
        } else if (closedAt >= 0) {
            end(closedAt + 1);
        } else if (!satisfied && hasRoom()) {
            proceed();
        }
        publish();
    }

    private void proceed() throws Exception {
        if (rest == null && from != null && segment.expansion() != null && from.hasNext()) {
            expand(segment.expansion(), from.next());
        }
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
                end(0);
            } else {
                failStage(failure);
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
        passedCount += taken;
        if (passedCount >= CHUNK) {
            StageAccess.cell(this).interpreter().charge(passedCount);
            warm();
        }
        if (passed != Step.NOTHING) {
            Connection.required(out).push(passed);
        }
        publish();
        if (closedAt >= 0) {
            end(closedAt + 1);
        } else if (!more) {
            exhausted(passed != Step.NOTHING);
        } else if (passed == Step.NOTHING && hasRoom()) {
            again();
        }
    }

    private void exhausted(boolean satisfied) throws Exception {
        rest = null;
        if (segment.origin() != null || (in != null && in.isInClosed())) {
            end(0);
        } else if (from != null && (!satisfied || from.isDrained())) {
            starve(from);
        } else if (from == null && !satisfied) {
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

    /** Lets steps emit what comes before their first element; whether downstream is satisfied by that. */
    private boolean preludesSatisfy() throws Exception {
        boolean satisfied = false;
        while (!satisfied && preludesLeft > Math.max(flushing, 0)) {
            preludesLeft--;
            Step<Object> step = segment.steps()[preludesLeft];
            if (step.hasPrelude()) {
                satisfied = pass(step.prelude(states[preludesLeft]), preludesLeft + 1) || !hasRoom();
            }
        }
        return satisfied;
    }

    /** Passes an element through the steps from this one on; whether it came out at the outlet. */
    private boolean pass(Object element, int step) throws Exception {
        Object passed;
        try {
            passed = SegmentChain.pass(segment.steps(), step, this, element);
        } catch (Exception e) {
            supervise(e);
            return false;
        }
        if (passed == Step.NOTHING) {
            return false;
        }
        Connection.required(out).push(passed);
        return true;
    }

    /** Throws the exception again, or drops the element, as the operator's attributes say. */
    private void supervise(Exception failure) throws Exception {
        if (segment.restartsAfter(failedAt, failure) && failedAt != HEAD) {
            renewState(failedAt);
        }
    }

    // ----------------------------------------------------------------------------------------------- ending

    /** Goes on without upstream: only the steps from this one on still have something to say. */
    private void end(int step) throws Exception {
        flushing = step;
        rest = null;
        if (in != null) {
            in.cancel(new DownstreamFinished());
        } else if (from != null && !from.isDrained()) {
            from.cancel(new DownstreamFinished());
        }
        flush();
    }

    private void flush() throws Exception {
        while (true) {
            flushing = Math.max(flushing, closedAt + 1);
            if (hasPendingOutput()) {
                if (!hasDemand()) {
                    return;
                }
                emitPending();
            } else if (flushing >= segment.steps().length) {
                finish();
                return;
            } else {
                failedAt = flushing;
                Object last = segment.steps()[flushing].flush(states.length == 0 ? null : states[flushing]);
                flushing++;
                if (last != Step.NOTHING) {
                    held = last;
                    heldAt = flushing;
                }
            }
        }
    }

    private boolean hasPendingOutput() {
        while (preludesLeft > flushing && !segment.steps()[preludesLeft - 1].hasPrelude()) {
            preludesLeft--;
        }
        return held != null || preludesLeft > flushing;
    }

    private void emitPending() throws Exception {
        Object element = held;
        if (preludesLeft > flushing) {
            preludesSatisfy();
        } else if (element != null) {
            held = null;
            pass(element, heldAt);
        }
    }

    private void publish() {
        if (to != null) {
            to.publish();
        }
    }

    boolean hasDemand() {
        return out == null ? hasRoom() : out.isDemandAvailable();
    }

    /** Whether the boundary behind takes one more element; if not, this is signalled once it does. */
    private boolean hasRoom() {
        return to == null || to.hasRoomOrPark();
    }

    private void finish() throws Exception {
        if (result != null) {
            int last = segment.steps().length - 1;
            failedAt = last;
            result.complete(
                    ((Terminal<Object>) segment.steps()[last]).result(states.length == 0 ? null : states[last]));
        }
        completeStage();
    }
}
