package io.millrace.streams.engine.segment;

import io.millrace.streams.engine.batch.BatchHandler;
import io.millrace.streams.engine.batch.BatchInput;
import io.millrace.streams.engine.batch.BatchSource;
import io.millrace.streams.engine.batch.ElementBatch;
import io.millrace.streams.engine.island.BatchLease;
import io.millrace.streams.engine.island.BoundarySide;
import io.millrace.streams.engine.island.CompositeLogic;
import io.millrace.streams.engine.island.Later;
import io.millrace.streams.engine.pool.Turn;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Shape;
import io.millrace.streams.stage.InHandler;
import java.util.Iterator;
import java.util.Map;
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
 * upstream is done with; the steps say what is left ({@link SegmentEnd}). {@link #advance} does what is next in
 * each of them as long as there is demand; what comes from outside only notes what has changed, and advances.
 *
 * <p><b>Failures</b>. {@code failedAt} is where the line was when something threw: a step, or the head, which is everything before the first step. A failure of a batch
 * is that of the stage above, which is told; any other is this segment's: supervised, and if the stream is to fail, offered to the steps behind.
 */
public final class SegmentRun extends SegmentLine
        implements InHandler, BatchHandler, BatchSource, BoundarySide, CompositeLogic {
    private enum Phase {
        PRELUDE,
        RUNNING,
        FLUSHING,
        FAILED,
        DONE
    }

    private Phase phase;
    /** How it ends, once it does. */
    private @Nullable SegmentEnd end;

    private @Nullable Later later;
    private @Nullable SegmentBatch batch;

    SegmentRun(Segment segment, Shape shape) {
        super(segment, shape);
        phase = hasPreludes() ? Phase.PRELUDE : Phase.RUNNING;
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

    // ------------------------------------------------------------------------------------ what comes from outside

    @Override
    public void preStart() {
        open();
        segment.start(states);
        try {
            begin();
        } catch (Throwable t) {
            context().handlerFailed(t);
        }
    }

    private void begin() throws Exception {
        Origin origin = segment.origin();
        if (origin != null) {
            input = OriginInput.of(origin);
        }
        if (isClosed()) {
            conclude(closedAt() + 1);
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
            conclude(closedAt() + 1);
        } else if (passed == Step.NOTHING) {
            advance();
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
            conclude(closedAt() + 1);
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
        leaveUpstream(failure);
        if (output != null) {
            output.end(failure);
        }
        reportPassed();
        if (phase != Phase.DONE) {
            phase = Phase.FAILED;
            end = null;
        }
    }

    @Override
    public Map<String, Long> detail() {
        long batches = context().batchCount();
        return batches == 0 ? Map.of() : Map.of("batches", batches);
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
                case FLUSHING -> finish(ending());
                case FAILED, DONE -> {}
            }
        } while (phase != before);
        publish();
    }

    private void emitPreludes() throws Exception {
        emitPreludesFrom(0);
        if (isClosed()) {
            endAt(closedAt() + 1);
        } else if (!hasPreludes()) {
            phase = Phase.RUNNING;
        }
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
            output().push(passed);
        }
        publish(); // before a stage above looks for more, and a failure is judged
        Throwable own = close(taken, failure);
        if (own != null) {
            superviseHere(own);
        }
        if (isClosed()) {
            endAt(closedAt() + 1);
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
            return body.pull(this, source, turn, turn.allowed());
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

    void askLater() {
        if (later == null) {
            later = new Later(this, this::goOnLater);
        }
        later.ask();
    }

    /** Asks the user, now that nothing is under way: whether there are more elements, what is left at the end, or what becomes of a failure. */
    private void goOnLater() throws Exception {
        if (phase == Phase.FLUSHING) {
            ending().setLater(true);
            advance();
            ending().setLater(false);
        } else if (phase == Phase.RUNNING && !isClosed() && !hasMoreOrFails()) {
            endOrAwait(false);
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
            } else if (!context().isEndedByForce()) {
                context().noteForeign(failure);
                fail(0, failure);
            }
        }
    }

    /** Goes on without upstream: only the steps from this one on still have something to say. */
    private void conclude(int step) throws Exception {
        endAt(step);
        advance();
    }

    private void endAt(int step) {
        phase = Phase.FLUSHING;
        ending().goTo(step);
        leaveUpstream(null);
    }

    private SegmentEnd ending() {
        SegmentEnd made = end;
        if (made == null) {
            made = new SegmentEnd(this);
            end = made;
        }
        return made;
    }

    /** Lets the steps say what is left; when all have, the stage is done. */
    private void finish(SegmentEnd ending) throws Exception {
        if (ending.flush()) {
            if (result != null) {
                ending.takeResult();
            }
            phase = Phase.DONE;
            completeStage();
        }
    }

    /**
     * Whether nothing comes to this step any more, which emits nothing at the end itself; asked between events. Steps before it say now what they
     * have to say, if it is only steps behind it that wait for demand.
     */
    boolean isOverAt(int step) throws Exception {
        if (end != null && end.isFailing()) {
            goOnLater(); // what came first goes first
        }
        if (closedAt() >= step || phase == Phase.FAILED) {
            return true;
        }
        return end != null && (phase == Phase.FLUSHING ? end.flushBefore(step) : end.isBehind(step));
    }

    // ------------------------------------------------------------------------------------------------------- failures

    /** Ends with a failure from above the step at this place, unless a step from there on makes something else of it. */
    void fail(int place, Throwable failure) throws Exception {
        if (segment.seesFailures(place)) {
            phase = Phase.FLUSHING;
            ending().failAt(place, failure);
            leaveUpstream(null);
            advance();
        } else {
            failWith(failure);
        }
    }

    /** Ends with a failure of which no step makes something else. */
    void failWith(Throwable failure) {
        phase = Phase.FAILED;
        leaveUpstream(null);
        failStage(failure);
        publish();
    }

    @Override
    public boolean outlives(Throwable thrown) {
        Throwable failing = thrown;
        int told = HEAD;
        while (phase != Phase.FAILED && failedAt >= told && segment.seesFailures(failedAt + 1)) {
            told = failedAt + 1;
            try {
                fail(told, failing);
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

    // ---------------------------------------------------------------------------------------- a batch for the stage
    // below

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
            own = close(batch.close(), batch.thrown() == null ? thrown : batch.thrown());
        } else {
            failedAt = HEAD;
            own = close(count, thrown == null ? null : afterSupervision(thrown));
        }
        if (own != null) {
            context().handlerFailed(own);
        } else if (isClosed()) {
            conclude(closedAt() + 1);
        } else {
            lookForEnd();
        }
    }

    // -------------------------------------------------------------------------------------------------------- result

    @Override
    public void giveResult(@Nullable Throwable failure) {
        if (result == null) {
            return;
        }
        if (phase == Phase.DONE) {
            result.complete(ending().held());
        } else {
            result.completeExceptionally(failure == null ? context().stoppedEarly() : failure);
        }
        end = null;
    }
}
