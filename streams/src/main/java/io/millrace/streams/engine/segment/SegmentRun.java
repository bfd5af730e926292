package io.millrace.streams.engine.segment;

import io.millrace.streams.engine.batch.BatchHandler;
import io.millrace.streams.engine.batch.BatchInput;
import io.millrace.streams.engine.batch.BatchOutput;
import io.millrace.streams.engine.batch.BatchSource;
import io.millrace.streams.engine.batch.ElementBatch;
import io.millrace.streams.engine.island.BatchLease;
import io.millrace.streams.engine.island.Boundary;
import io.millrace.streams.engine.island.BoundarySide;
import io.millrace.streams.engine.island.CompositeLogic;
import io.millrace.streams.engine.island.Edge;
import io.millrace.streams.engine.island.Later;
import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.engine.pool.SpinThenParkFuture;
import io.millrace.streams.engine.pool.Turn;
import io.millrace.streams.failure.DownstreamFinished;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Shape;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;
import java.util.Iterator;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One run of a segment: a stage that passes elements from its input through its steps to its output, in whatever phase it is. Belongs to the
 * stage's island.
 *
 * <pre>
 *              all preludes are out            a step or upstream has ended              all steps have spoken
 *   PRELUDE --------------------> RUNNING ------------------------------> FLUSHING -----------------------> DONE
 *      |                            |                                     ^      |
 *      +----------------------------+----- a step makes it an ending -----+      |
 *      |                            |                                            |
 *      +----------------------------+-------- a failure, or a stop --------------+---> FAILED
 * </pre>
 *
 * <p><b>Phases</b>. PRELUDE: steps say what comes before their first element, the last step first. RUNNING: elements pass, a batch at a time. FLUSHING:
 * upstream is done with; the steps from {@code flushAt} on say what is left, in order, after preludes that are still to come. {@link #advance} does what is next in
 * each of them as long as there is demand; what comes from outside only notes what has changed, and advances.
 *
 * <p><b>The input</b> is the iterator of an origin, or an edge or a boundary; perhaps seen through an expansion. <b>The output</b> is an edge, a boundary, to
 * which the last step writes, or nothing. A segment without an outlet goes on by itself, a batch at a time: by an edge to itself, or by its input.
 *
 * <p><b>Failures</b>. {@code failedAt} is where the line was when something threw: a step, or the head, which is everything before the first step. A failure of a batch
 * is that of the stage above, which is told; any other is this segment's: supervised, and if the stream is to fail, offered to the steps behind.
 */
public final class SegmentRun extends GraphStageLogic
        implements InHandler, OutHandler, BatchHandler, BatchSource, BoundarySide, CompositeLogic {
    /** Stands for the head where the place of a step is expected. */
    static final int HEAD = -1;

    private static final @Nullable Object[] STATELESS = {};

    private enum Phase {
        PRELUDE,
        RUNNING,
        FLUSHING,
        FAILED,
        DONE
    }

    final Segment segment;
    final @Nullable Object[] states;
    /** Where it was when something threw. */
    int failedAt = HEAD;
    /** How many elements the steps took from where they come from when they were called last. */
    int taken;

    @Nullable
    SegmentEntry entry;

    private Phase phase;
    private int preludesLeft;
    /** The last step that has ended the stream itself: it takes no more elements, nor does one before it. */
    private int closedAt = -1;
    /** When flushing, the step that is next. */
    private int flushAt;
    /** When flushing, an element that is to be passed on from a step on; when done, the result. */
    private @Nullable Object held;

    private int heldAt;
    private final @Nullable CompletableFuture<Object> result;
    /** Where elements come from. */
    private @Nullable BatchInput input;
    /** How many elements have passed since they were last counted. */
    private int passedCount;
    /** Where elements go; null if they end here. */
    private @Nullable BatchOutput output;
    /** By whose demand it is called again after other events: that at its outlet, or one to itself; its input does it if there is none. */
    private @Nullable Edge demand;

    private @Nullable Later later;
    /** Whether it is called in an event of its own, with nothing that it has emitted still under way. */
    private boolean isLater;

    private @Nullable SegmentBatch batch;

    SegmentRun(Segment segment, Shape shape) {
        super(shape);
        this.segment = segment;
        states = segment.isStateful() ? new Object[segment.steps().length] : STATELESS;
        result = segment.hasResult() ? new SpinThenParkFuture<>() : null;
        preludesLeft = segment.preludeEnd();
        phase = preludesLeft > 0 ? Phase.PRELUDE : Phase.RUNNING;
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

    /** Elements come over this boundary. */
    public void comeFrom(Boundary boundary) {
        input = expanded(boundary);
        boundary.setExit(context());
    }

    /** Elements go over this boundary. */
    public void leadTo(Boundary boundary) {
        output = boundary;
        states[states.length - 1] = boundary;
        boundary.setEntry(context());
    }

    private BatchInput expanded(BatchInput above) {
        Expansion<Object> expansion = segment.expansion();
        return expansion == null ? above : new Expanding(expansion, above, context());
    }

    StageContext context() {
        return StageContext.of(this);
    }

    // ------------------------------------------------------------------------------------ what comes from outside

    @Override
    public void preStart() {
        StageContext context = context();
        if (segment.hasInlet()) {
            input = expanded(context.in(0));
        }
        if (segment.hasOutlet()) {
            demand = context.out(0);
            output = demand;
        }
        segment.start(states);
        try {
            begin();
        } catch (Throwable t) {
            context.handlerFailed(t);
        }
    }

    private void begin() throws Exception {
        Origin origin = segment.origin();
        if (origin != null) {
            input = OriginInput.of(origin);
        }
        if (isClosed()) {
            conclude(closedAt + 1);
        } else if (origin != null && !input().isElementAvailable()) {
            conclude(0);
        } else if (segment.drivesItself() && !context().isAlone()) {
            callAgain(); // once the others have started
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
        countPassed(1);
        if (input instanceof Expanding head) {
            expand(head);
            advance();
            return;
        }
        Object passed = pass(input().grab());
        if (passed != Step.NOTHING) {
            output().push(passed);
        }
        publish();
        if (isClosed()) {
            conclude(closedAt + 1);
        } else if (passed == Step.NOTHING) {
            advance();
        }
    }

    private void expand(Expanding head) throws Exception {
        try {
            head.expandElement();
        } catch (Throwable t) {
            failedAt = HEAD;
            superviseHere(t);
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
    public boolean takesBatches() {
        return segment.hasResult() && segment.expansion() == null;
    }

    @Override
    public void onBatch(ElementBatch<?> elements) throws Exception {
        while (!isClosed() && elements.hasNext()) { // which ends, too, when the turn is long
            try {
                pull(segment.body(), elements, BatchLease.MAX_ELEMENTS);
            } catch (Exception e) {
                supervise(e);
            }
            if (!segment.isBatchTerminal()) {
                countPassed(taken);
            }
        }
        if (isClosed()) {
            conclude(closedAt + 1);
        }
    }

    @Override
    public void onUpstreamFinish() throws Exception {
        if (input().isOver()) {
            conclude(0);
        } else if (input().asksUser()) {
            lookForEnd();
        }
    }

    @Override
    public void onUpstreamFailure(Throwable failure) throws Exception {
        fail(0, failure);
    }

    /** Something has happened at a boundary, above or below. */
    @Override
    public void accept(NotUsed nothing) throws Exception {
        Throwable cancellation = output == null ? null : output.cancellation();
        if (cancellation != null) {
            onDownstreamFinish(cancellation);
        } else if (hasDemand()) {
            advance();
        } else if (phase != Phase.FLUSHING && segment.isAfterBoundary()) {
            lookForEnd();
        }
    }

    @Override
    public void onDownstreamFinish(Throwable cause) {
        if (input != null) {
            input.cancel(cause);
        }
        cancelStage(cause);
    }

    @Override
    public void postStop() {
        Throwable failure = context().failure();
        if (input != null && !input.isOver()) {
            input.cancel(failure == null ? new DownstreamFinished() : failure);
        }
        if (output != null) {
            output.end(failure);
        }
        reportPassed();
        if (phase != Phase.DONE) {
            phase = Phase.FAILED;
            held = null;
        }
    }

    // ----------------------------------------------------------------------------------------------------- the phases

    /** Does what is next, as long as there is demand. */
    private void advance() throws Exception {
        Phase before;
        do {
            before = phase;
            switch (before) {
                case PRELUDE -> emitPreludes();
                case RUNNING -> takeBatch();
                case FLUSHING -> flush();
                case FAILED, DONE -> {}
            }
        } while (phase != before);
        publish();
    }

    private void emitPreludes() throws Exception {
        emitPreludesFrom(0);
        if (isClosed()) {
            end(closedAt + 1);
        } else if (preludesLeft == 0) {
            phase = Phase.RUNNING;
        }
    }

    /** Lets steps from this one on that are still open emit what comes before their first element. */
    private void emitPreludesFrom(int first) throws Exception {
        while (preludesLeft > Math.max(first, closedAt + 1) && hasDemand()) {
            preludesLeft--;
            Step<Object> step = segment.steps()[preludesLeft];
            if (step.hasPrelude()) {
                pass(step.prelude(states[preludesLeft]), preludesLeft + 1);
            }
        }
    }

    /** Passes an element through the steps from this one on. */
    private void pass(Object element, int step) throws Exception {
        Object passed;
        try {
            passed = SegmentChain.pass(segment.steps(), step, this, element);
        } catch (Exception e) {
            supervise(e);
            return;
        }
        if (passed != Step.NOTHING) {
            output().push(passed);
        }
        publish(); // whatever is called next
    }

    /** Takes elements until one comes out, there are no more, or it is time for others. */
    private void takeBatch() throws Exception {
        if (!hasDemand()) {
            return;
        }
        Iterator<?> source = input().openBatch();
        if (source == null) {
            awaitMore();
            return;
        }
        Object passed;
        Throwable failure = null;
        taken = 0;
        int atMost = output == null ? BatchLease.MAX_ELEMENTS : output.room(BatchLease.MAX_ELEMENTS);
        try {
            passed = pull(segment.body(), source, atMost);
            failedAt = HEAD;
        } catch (Throwable t) {
            failure = t;
            passed = failedAt == HEAD ? SegmentBody.EXHAUSTED : Step.NOTHING;
        }
        boolean isOut = passed != Step.NOTHING && passed != SegmentBody.EXHAUSTED;
        if (isOut) {
            output().push(passed); // before a stage above looks for more
        }
        Throwable own = close(taken, failure);
        if (own != null) {
            superviseHere(own);
        }
        publish();
        if (isClosed()) {
            end(closedAt + 1);
        } else if (isOut) {
            lookForEnd();
        } else if (passed == SegmentBody.EXHAUSTED) {
            endOrAwait(!segment.hasInlet() || hasDemand()); // an edge is asked only for what there is room for
        } else if (hasDemand()) {
            callAgain();
        }
    }

    /** Passes elements through the steps, as many as the turn allows. */
    Object pull(SegmentBody body, Iterator<?> source, int atMost) throws Exception {
        Turn turn = context().turn();
        if (output != null) {
            output.beginBatch(turn);
        }
        int before = turn.open(isClosed() ? 0 : atMost);
        try {
            return body.pull(this, source, turn);
        } finally {
            turn.close(before);
        }
    }

    /** Ends, if the element that has just been passed on was the last; a user's function is asked only once that is on its way. */
    private void lookForEnd() throws Exception {
        if (input().asksUser()) {
            askLater();
        } else {
            endOrAwait(false);
        }
    }

    private void askLater() {
        if (later == null) {
            later = new Later(this, this::goOnLater);
        }
        later.ask();
    }

    /** Asks the user, now that nothing is under way: whether there are more elements, or what is left at the end. */
    private void goOnLater() throws Exception {
        if (phase == Phase.FLUSHING) {
            isLater = true;
            advance();
            isLater = false;
        } else if (phase == Phase.RUNNING && !isClosed() && !hasMoreOrFails()) {
            endOrAwait(false);
        }
    }

    /** An iterator that fails here gives nothing more, if its supervision lets the stream go on at all. */
    private boolean hasMoreOrFails() throws Exception {
        failedAt = HEAD;
        try {
            return input().isElementAvailable();
        } catch (Throwable t) {
            superviseHere(t);
            return false;
        }
    }

    /** Ends if there is nothing left, or else asks for more if somebody waits for it. */
    private void endOrAwait(boolean isAwaited) throws Exception {
        if (isAwaited || input().isOver()) {
            awaitMore();
        }
    }

    /** Asks for more, or ends because none will come any more. */
    private void awaitMore() throws Exception {
        BatchInput above = input();
        if (above.isElementAvailableOrAsk()) {
            callAgain();
        } else if (above.isOver()) {
            Throwable failure = above.failure();
            if (failure == null) {
                conclude(0);
            } else {
                context().noteForeign(failure);
                fail(0, failure);
            }
        }
    }

    /** Goes on after the other events of the island have had their turn. */
    private void callAgain() {
        if (demand != null) {
            demand.again();
        } else if (segment.drivesItself()) {
            demand = Edge.toSelf(context(), this);
            demand.pull();
        } else {
            input().callAgain();
        }
    }

    /** Goes on without upstream: only the steps from this one on still have something to say. */
    private void conclude(int step) throws Exception {
        end(step);
        advance();
    }

    private void end(int step) {
        phase = Phase.FLUSHING;
        flushAt = step;
        leaveUpstream();
    }

    private void leaveUpstream() {
        if (input != null && !input.isOver()) {
            input.cancel(new DownstreamFinished());
        }
    }

    /** Lets steps say, as there is demand, what they have to say at the end. */
    private void flush() throws Exception {
        while (phase == Phase.FLUSHING) {
            skipClosed();
            if (hasPendingOutput()) {
                if (!hasDemand()) {
                    return;
                }
                emitPending();
            } else if (flushAt == segment.steps().length) {
                finish();
            } else if (output != null && !isLater && segment.steps()[flushAt].asksUserAtEnd()) {
                askLater();
                return;
            } else {
                isLater = false;
                flushStep();
            }
        }
    }

    /** Steps up to one that has ended the stream itself say nothing, nor do they take what is held for them. */
    private void skipClosed() {
        flushAt = Math.max(flushAt, closedAt + 1);
        if (closedAt >= heldAt) {
            held = null;
        }
    }

    private boolean hasPendingOutput() {
        while (preludesLeft > flushAt && !segment.steps()[preludesLeft - 1].hasPrelude()) {
            preludesLeft--;
        }
        return held != null || preludesLeft > flushAt;
    }

    private void emitPending() throws Exception {
        Object element = held;
        if (preludesLeft > flushAt) {
            emitPreludesFrom(flushAt);
        } else if (element != null) {
            held = null;
            pass(element, heldAt);
        }
    }

    private void flushStep() throws Exception {
        failedAt = flushAt;
        Object last = segment.steps()[flushAt].flush(states.length == 0 ? null : states[flushAt]);
        flushAt++;
        if (last != Step.NOTHING) {
            held = last;
            heldAt = flushAt;
        }
    }

    private void finish() throws Exception {
        if (result != null) {
            int last = segment.steps().length - 1;
            failedAt = last;
            held = ((Terminal<Object>) segment.steps()[last]).result(states.length == 0 ? null : states[last]);
        }
        phase = Phase.DONE;
        completeStage();
    }

    /**
     * Whether nothing comes to this step any more, which emits nothing at the end itself; asked between events. Steps before it say now what they
     * have to say, if it is only steps behind it that wait for demand.
     */
    boolean isOverAt(int step) throws Exception {
        if (closedAt < step && phase == Phase.FLUSHING) {
            skipClosed();
            while (held == null && flushAt <= step && !hasPrelude(flushAt, step)) {
                flushStep();
            }
        }
        return closedAt >= step || flushAt > step;
    }

    /** Whether one of these steps still has to say what comes before its first element. */
    private boolean hasPrelude(int from, int to) {
        for (int i = from; i < Math.min(to, preludesLeft); i++) {
            if (segment.steps()[i].hasPrelude()) {
                return true;
            }
        }
        return false;
    }

    // ------------------------------------------------------------------------------------------------------- failures

    /** Throws the exception again, or drops the element, as the operator's attributes say; an error is thrown again. */
    private void supervise(Throwable failure) throws Exception {
        if (segment.restartsAfter(failedAt, failure) && failedAt != HEAD) {
            renewState(failedAt);
        }
    }

    /** As {@link #supervise}; an element that could not be expanded is given up. */
    private void superviseHere(Throwable failure) throws Exception {
        if (failedAt == HEAD) {
            input().drop();
        }
        supervise(failure);
    }

    /** What is left of a failure after supervision: nothing, or what ends the stream. */
    @Nullable
    Throwable afterSupervision(Throwable failure) {
        if (isFailureAbove()) {
            return failure;
        }
        try {
            superviseHere(failure);
            return null;
        } catch (Throwable left) {
            return left;
        }
    }

    /** Ends with a failure from above the step at this place, unless a step from there on makes something else of it. */
    void fail(int place, Throwable failure) throws Exception {
        Throwable failing = failure;
        for (int at = place; segment.seesFailures(at); at++) {
            failedAt = at;
            Object instead = segment.steps()[at].afterFailure(failing);
            if (!(instead instanceof Step.Failing next)) {
                held = instead == Step.NOTHING ? null : instead;
                heldAt = at + 1;
                publish();
                conclude(at + 1);
                return;
            }
            failing = next.failure();
            context().noteForeign(failing);
        }
        phase = Phase.FAILED;
        leaveUpstream();
        failStage(failing);
        publish();
    }

    @Override
    public boolean outlives(Throwable thrown) {
        Throwable failing = thrown;
        while (phase != Phase.FAILED && segment.seesFailures(failedAt + 1)) {
            try {
                fail(failedAt + 1, failing);
                return true;
            } catch (Throwable next) {
                context().reportFailed(next);
                failing = next;
            }
        }
        if (failing != thrown) {
            failStage(failing);
        }
        return failing != thrown;
    }

    @Override
    public String failedOperator() {
        return segment.operatorName(failedAt);
    }

    // --------------------------------------------------------------------------------------------------------- input

    private BatchInput input() {
        return Objects.requireNonNull(input, "elements came to a segment that has no input");
    }

    /**
     * Closes the batch that the input has opened, of which so many were taken. What was thrown goes back to the stage above if that has thrown it;
     * what is left is the failure of this segment.
     */
    private @Nullable Throwable close(int count, @Nullable Throwable thrown) {
        BatchInput above = input();
        Throwable failureAbove = thrown != null && isFailureAbove() ? thrown : null;
        above.closeBatch(count, failureAbove);
        if (countPassed(above.work(count))) {
            context().charge(BatchLease.MAX_ELEMENTS);
        }
        return failureAbove == null ? thrown : null;
    }

    private boolean isFailureAbove() {
        return failedAt == HEAD && input().isFailureAbove();
    }

    /** Counts elements; whether that made another batch of them. */
    private boolean countPassed(int count) {
        passedCount += count;
        if (passedCount < BatchLease.MAX_ELEMENTS) {
            return false;
        }
        reportPassed();
        return true;
    }

    private void reportPassed() {
        segment.warm(passedCount);
        passedCount = 0;
    }

    /** Whether a step has ended the stream itself. */
    boolean isClosed() {
        return closedAt >= 0;
    }

    /** This step takes no more elements, nor does one before it. */
    void closeAt(int step) {
        closedAt = Math.max(closedAt, step);
        context().stopTaking();
    }

    // -------------------------------------------------------------------------------------------------------- output

    private BatchOutput output() {
        return Objects.requireNonNull(output, "an element came out of a segment that has no output");
    }

    /** Whether there is somebody to take an element; if not, this stage is called once there is. */
    boolean hasDemand() {
        return output == null || output.hasDemand();
    }

    private void publish() {
        if (output != null) {
            output.publish();
        }
    }

    @Override
    public @Nullable Iterator<?> openBatch() {
        if (phase != Phase.RUNNING || isClosed()) {
            return null;
        }
        Iterator<?> source = input().openBatch();
        if (source == null || segment.steps().length == 0) {
            return source;
        }
        if (batch == null) {
            batch = new SegmentBatch(this);
        }
        return batch.open(source);
    }

    @Override
    public void closeBatch(int count, @Nullable Throwable thrown) throws Exception {
        Throwable own;
        if (batch != null) {
            own = close(batch.close(), batch.thrown());
        } else {
            failedAt = HEAD;
            own = close(count, thrown == null ? null : afterSupervision(thrown));
        }
        if (own != null) {
            context().handlerFailed(own);
        } else if (isClosed()) {
            conclude(closedAt + 1);
        } else {
            lookForEnd();
        }
    }

    // -------------------------------------------------------------------------------------------------------- result

    /** The materialized value: the future of the terminal's result, if there is a terminal. */
    public Object value() {
        return result == null ? NotUsed.NOT_USED : result;
    }

    @Override
    public void giveResult(@Nullable Throwable failure) {
        if (result == null) {
            return;
        }
        if (phase == Phase.DONE) {
            result.complete(held);
        } else {
            result.completeExceptionally(failure == null ? context().stoppedEarly() : failure);
        }
        held = null;
    }

    @Override
    public void abandonResult(Throwable cause) {
        if (result != null) {
            result.completeExceptionally(cause);
        }
    }
}
