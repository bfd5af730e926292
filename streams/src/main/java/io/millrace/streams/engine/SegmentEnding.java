package io.millrace.streams.engine;

import io.millrace.streams.engine.pool.SpinThenParkFuture;
import io.millrace.streams.graph.Shape;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What a segment emits besides what comes of its elements: what steps say before their first element, what they say when
 * there are no more, and what they make of a failure from above; and the failures of its own operators.
 */
abstract class SegmentEnding extends GraphStageLogic {
    /** Stands for the head where the place of a step is expected. */
    static final int HEAD = -1;

    private static final @Nullable Object[] STATELESS = {};
    private static final int FAILED = Integer.MAX_VALUE;

    final Segment segment;
    final @Nullable Object[] states;
    int closedAt = -1;
    int failedAt = HEAD;
    private final @Nullable CompletableFuture<Object> result;
    /** What the result is to be once the stage stops, if the terminal came to its end. */
    private @Nullable Object found = Step.NOTHING;

    private @Nullable Object held;
    private int heldAt;
    private int preludesLeft;
    private int flushing = -1;

    SegmentEnding(Segment segment, Shape shape) {
        super(shape);
        this.segment = segment;
        states = segment.isStateful() ? new Object[segment.steps().length] : STATELESS;
        preludesLeft = segment.preludeEnd();
        result = segment.hasResult() ? new SpinThenParkFuture<>() : null;
    }

    /** Makes the states of the steps. */
    final void makeStates(SegmentLogic run) {
        for (int i = 0; i < states.length; i++) {
            renewState(run, i);
        }
    }

    private void renewState(SegmentLogic run, int step) {
        if (segment.steps()[step].isStateful()) {
            states[step] = segment.steps()[step].newState(new StepControl(run, step));
        }
    }

    /** The terminal's result, if there is a terminal. */
    @Nullable
    CompletableFuture<Object> result() {
        return result;
    }

    /** Fails the result for a stage that is stuck; called by another thread. */
    final void abandonResult(Throwable cause) {
        if (result != null) {
            result.completeExceptionally(cause);
        }
    }

    /** Completes the result as the stage stops: with what was found, or else with this failure or for want of anything else. */
    final void giveResult(@Nullable Throwable failure) {
        if (result != null && found != Step.NOTHING) {
            result.complete(found);
        } else if (result != null) {
            result.completeExceptionally(failure == null ? Promise.stoppedEarly(StageAccess.context(this)) : failure);
        }
    }

    /** This run. */
    abstract SegmentLogic run();

    /** Whether downstream has asked for an element. */
    abstract boolean hasDemand();

    /** Whether the boundary behind takes one more element; if not, this is signalled once it does. */
    abstract boolean hasRoom();

    /** Hands an element to downstream. */
    abstract void emit(Object element);

    /** Shows downstream what was handed to it over a boundary. */
    abstract void publish();

    /** Takes nothing more from upstream, and tells it so. */
    abstract void leaveUpstream();

    /** This step takes no more elements, nor does one before it. */
    final void closeAt(int step) {
        closedAt = Math.max(closedAt, step);
        stopTaking();
    }

    /** Ends the loop over elements that runs, if one does. */
    abstract void stopTaking();

    /** The path of the operator that threw last. */
    final String failedOperator() {
        return segment.operatorName(failedAt);
    }

    /** Whether upstream is done with, and only steps have still something to say. */
    final boolean isEnding() {
        return flushing >= 0;
    }

    /** Whether a step has not emitted yet what comes before its first element. */
    final boolean hasPreludesLeft() {
        return preludesLeft > 0;
    }

    /** Lets steps that are still open emit what comes before their first element; whether downstream is satisfied by that. */
    final boolean preludesSatisfy() throws Exception {
        boolean satisfied = false;
        while (!satisfied && preludesLeft > Math.max(flushing, closedAt + 1)) {
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
            passed = SegmentChain.pass(segment.steps(), step, run(), element);
        } catch (Exception e) {
            supervise(e);
            return false;
        }
        if (passed == Step.NOTHING) {
            return false;
        }
        emit(passed);
        return true;
    }

    /** Throws the exception again, or drops the element, as the operator's attributes say; an error is thrown again. */
    final void supervise(Throwable failure) throws Exception {
        if (segment.restartsAfter(failedAt, failure) && failedAt != HEAD) {
            renewState(run(), failedAt);
        }
    }

    /** Goes on after what a handler of this segment has thrown, if steps below the one that threw it have a say. */
    final boolean outlives(Throwable thrown) {
        Throwable failing = thrown;
        while (flushing != FAILED && segment.seesFailures(failedAt + 1)) {
            try {
                fail(failedAt + 1, failing);
                return true;
            } catch (Throwable next) {
                StageAccess.context(this).island().reportFailed(next, "a handler");
                failing = next;
            }
        }
        if (failing != thrown) {
            failStage(failing);
        }
        return failing != thrown;
    }

    /** Ends with a failure from above the step at this place, unless a step from there on makes something else of it. */
    final void fail(int place, Throwable failure) throws Exception {
        failFrom(place, failure);
        publish();
        flush();
    }

    private void failFrom(int place, Throwable failure) throws Exception {
        Throwable failing = failure;
        for (int at = place; segment.seesFailures(at); at++) {
            failedAt = at;
            Object instead = segment.steps()[at].afterFailure(failing);
            if (!(instead instanceof Step.Failing next)) {
                held = instead == Step.NOTHING ? null : instead;
                heldAt = at + 1;
                end(at + 1);
                return;
            }
            failing = next.failure();
            StageAccess.context(this).noteForeign(failing);
        }
        end(FAILED);
        failStage(failing);
    }

    /** Goes on without upstream: only the steps from this one on still have something to say. */
    final void conclude(int step) throws Exception {
        end(step);
        flush();
    }

    private void end(int step) {
        flushing = step;
        leaveUpstream();
    }

    /** Lets steps say, as there is demand, what they have to say at the end. */
    final void flush() throws Exception {
        while (flushing != FAILED) {
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

    private void finish() throws Exception {
        if (result != null) {
            int last = segment.steps().length - 1;
            failedAt = last;
            found = ((Terminal<Object>) segment.steps()[last]).result(states.length == 0 ? null : states[last]);
        }
        completeStage();
    }

    /** Keeps nothing. */
    final void letGo() {
        held = null;
    }
}
