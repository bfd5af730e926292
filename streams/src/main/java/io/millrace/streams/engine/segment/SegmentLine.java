package io.millrace.streams.engine.segment;

import io.millrace.streams.engine.batch.BatchInput;
import io.millrace.streams.engine.batch.BatchOutput;
import io.millrace.streams.engine.island.BatchLease;
import io.millrace.streams.engine.island.Boundary;
import io.millrace.streams.engine.island.Edge;
import io.millrace.streams.engine.island.Outside;
import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.engine.pool.SpinThenParkFuture;
import io.millrace.streams.failure.DownstreamFinished;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Shape;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.OutHandler;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The line of one run of a segment: its input, its steps with their states, what comes before their first elements and what becomes of what they throw, and its output. It does nothing of its own
 * accord: the run does, with which it is one object, as it is used for each element. Belongs to the stage's island.
 *
 * <p><b>The input</b> is the iterator of an origin, or an edge or a boundary; perhaps seen through an expansion. <b>The output</b> is an edge, a boundary, to
 * which the last step writes, or nothing. A segment without an outlet goes on by itself, a batch at a time: by an edge to itself, or by its input.
 */
abstract sealed class SegmentLine extends GraphStageLogic implements OutHandler permits SegmentRun {
    /** Stands for the head where the place of a step is expected. */
    static final int HEAD = -1;

    private static final @Nullable Object[] STATELESS = {};

    final Segment segment;
    final @Nullable Object[] states;
    /** Where it was when something threw. */
    int failedAt = HEAD;
    /** How many elements the steps took from where they come from when they were called last. */
    int taken;

    @Nullable
    SegmentEntry entry;

    /** Where elements come from. */
    @Nullable
    BatchInput input;

    /** Where elements go; null if they end here. */
    @Nullable
    BatchOutput output;

    final @Nullable CompletableFuture<Object> result;
    /** By whose demand it is called again after other events: that at its outlet, or one to itself; its input does it if there is none. */
    private @Nullable Edge demand;
    /** How many elements have passed since they were last counted. */
    private int passedCount;
    /** The last step that has ended the stream itself: it takes no more elements, nor does one before it. */
    private int closedAt = -1;
    /** Before how many steps there may still be one that emits something before its first element. */
    private int preludesLeft;

    SegmentLine(Segment segment, Shape shape) {
        super(shape, Outside.SCOPE);
        this.segment = segment;
        states = segment.isStateful() ? new Object[segment.steps().length] : STATELESS;
        result = segment.hasResult() ? new SpinThenParkFuture<>() : null;
        preludesLeft = segment.preludeEnd();
    }

    final StageContext context() {
        return StageContext.of(this);
    }

    // --------------------------------------------------------------------------------------------------------- wiring

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

    /** Finds the edges at its ports, and what its origin makes. */
    final void open() {
        StageContext context = context();
        if (segment.hasInlet()) {
            input = expanded(context.in(0));
        }
        if (segment.hasOutlet()) {
            demand = context.out(0);
            output = demand;
        }
    }

    private BatchInput expanded(BatchInput above) {
        Expansion<Object> expansion = segment.expansion();
        return expansion == null ? above : new Expanding(expansion, above, context());
    }

    // ---------------------------------------------------------------------------------------------------------- input

    final BatchInput input() {
        return Objects.requireNonNull(input, "elements came to a segment that has no input");
    }

    /**
     * Closes the batch that the input has opened, of which so many were taken. What was thrown goes back to the stage above if that has thrown it;
     * what is left is the failure of this segment.
     */
    final @Nullable Throwable close(int count, @Nullable Throwable thrown) {
        BatchInput above = input();
        Throwable failureAbove = thrown != null && isFailureAbove() ? thrown : null;
        above.closeBatch(count, failureAbove);
        int work = above.work(count);
        if (work > 0) {
            context().countBatch();
        }
        if (countPassed(work)) {
            context().charge(BatchLease.MAX_ELEMENTS);
        }
        return failureAbove == null ? thrown : null;
    }

    final boolean isFailureAbove() {
        return failedAt == HEAD && input().isFailureAbove();
    }

    /** Counts elements; whether that made another batch of them. */
    final boolean countPassed(int count) {
        passedCount += count;
        if (passedCount < BatchLease.MAX_ELEMENTS) {
            return false;
        }
        reportPassed();
        return true;
    }

    final void reportPassed() {
        segment.warm(passedCount);
        passedCount = 0;
    }

    /** Goes on after the other events of the island have had their turn. */
    final void callAgain() {
        if (demand != null) {
            demand.again();
        } else if (segment.drivesItself()) {
            demand = Edge.toSelf(context(), this);
            demand.pull();
        } else {
            input().callAgain();
        }
    }

    /** Takes no more, for this failure or as nobody wants any. */
    final void leaveUpstream(@Nullable Throwable failure) {
        if (input instanceof OriginInput origin) {
            origin.leave();
        } else if (input != null && !input.isOver()) {
            input.cancel(failure == null ? new DownstreamFinished() : failure);
        }
    }

    /** Whether a step has ended the stream itself. */
    final boolean isClosed() {
        return closedAt >= 0;
    }

    /** The last step that has ended the stream itself, or -1. */
    final int closedAt() {
        return closedAt;
    }

    /** This step takes no more elements, nor does one before it. */
    final void closeAt(int step) {
        closedAt = Math.max(closedAt, step);
        context().stopTaking();
    }

    final void expand(Expanding head) throws Exception {
        try {
            head.expandElement();
        } catch (Throwable t) {
            failedAt = HEAD;
            superviseHere(t);
        }
    }

    /** An iterator that fails here gives nothing more, if its supervision lets the stream go on at all. */
    final boolean hasMoreOrFails() throws Exception {
        failedAt = HEAD;
        try {
            return input().isElementAvailable();
        } catch (Throwable t) {
            superviseHere(t);
            return false;
        }
    }

    // --------------------------------------------------------------------------------------------------------- output

    final BatchOutput output() {
        return Objects.requireNonNull(output, "an element came out of a segment that has no output");
    }

    /** Whether there is somebody to take an element; if not, this stage is called once there is. */
    final boolean hasDemand() {
        return output == null || output.hasDemand();
    }

    final void publish() {
        if (output != null) {
            output.publish();
        }
    }

    // ------------------------------------------------------------------------------------------------------- preludes

    final boolean hasPreludes() {
        return preludesLeft > 0;
    }

    /** Lets steps from this one on that are still open emit what comes before their first element. */
    final void emitPreludesFrom(int first) throws Exception {
        while (preludesLeft > Math.max(first, closedAt() + 1) && hasDemand()) {
            preludesLeft--;
            Step<Object> step = segment.steps()[preludesLeft];
            if (step.hasPrelude()) {
                pass(step.prelude(states[preludesLeft]), preludesLeft + 1);
            }
        }
    }

    /** Passes an element through the steps from this one on. */
    final void pass(Object element, int step) throws Exception {
        Object passed;
        try {
            passed = SegmentChain.pass(segment.steps(), step, (SegmentRun) this, element);
        } catch (Exception e) {
            supervise(e);
            return;
        }
        if (passed != Step.NOTHING) {
            output().push(passed);
        }
        publish(); // whatever is called next
    }

    /** Whether a step from this one on still has to say what comes before its first element. */
    final boolean hasPreludeFrom(int first) {
        while (preludesLeft > first && !segment.steps()[preludesLeft - 1].hasPrelude()) {
            preludesLeft--;
        }
        return preludesLeft > first;
    }

    /** Whether one of these steps still has to say what comes before its first element. */
    final boolean hasPrelude(int from, int to) {
        for (int i = from; i < Math.min(to, preludesLeft); i++) {
            if (segment.steps()[i].hasPrelude()) {
                return true;
            }
        }
        return false;
    }

    // ---------------------------------------------------------------------------------------------------- supervision

    final void renewState(int step) {
        if (segment.steps()[step].isStateful()) {
            states[step] = segment.steps()[step].newState(new StepControl((SegmentRun) this, step));
        }
    }

    /** Throws the exception again, or drops the element, as the operator's attributes say; an error is thrown again. */
    final void supervise(Throwable failure) throws Exception {
        if (segment.restartsAfter(failedAt, failure) && failedAt != HEAD) {
            renewState(failedAt);
        }
    }

    /** As {@link #supervise}; an element that could not be expanded is given up. */
    final void superviseHere(Throwable failure) throws Exception {
        if (failedAt == HEAD) {
            input().drop();
        }
        supervise(failure);
    }

    /** What is left of a failure after supervision: nothing, or what ends the stream. */
    final @Nullable Throwable afterSupervision(Throwable failure) {
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

    // --------------------------------------------------------------------------------------------------------- result

    /** The materialized value: the future of the terminal's result, if there is a terminal. */
    public Object value() {
        return result == null ? NotUsed.NOT_USED : result;
    }

    /** Fails the result for a stage that is stuck; called by another thread. */
    public void abandonResult(Throwable cause) {
        if (result != null) {
            result.completeExceptionally(cause);
        }
    }
}
