package io.millrace.streams.engine.segment;

import org.jspecify.annotations.Nullable;

/**
 * How one run of a segment ends, once upstream is done with: the steps say, one after the other, what is left, and what becomes of a failure. Made when the run begins to
 * end; belongs to the stage's island.
 */
final class SegmentEnd {
    private final SegmentRun run;
    /** The step that is next. */
    private int at;
    /** What the steps from a place on are still to get: an element, or a failure ({@link Step.Failing}); when done, the result. */
    private @Nullable Object held;

    private int heldAt;
    /** Whether it is called in an event of its own, with nothing that the run has emitted still under way. */
    private boolean isLater;

    SegmentEnd(SegmentRun run) {
        this.run = run;
    }

    private Step<Object>[] steps() {
        return run.segment.steps();
    }

    /** Only the steps from this one on still have something to say. */
    void goTo(int step) {
        at = step;
    }

    /** Something above this step has failed, of which the steps from there on are to be told. */
    void failAt(int step, Throwable failure) {
        at = step;
        held = new Step.Failing(failure);
        heldAt = step;
        isLater = false;
    }

    /** Whether the steps are still to be told of a failure. */
    boolean isFailing() {
        return held instanceof Step.Failing;
    }

    void setLater(boolean now) {
        isLater = now;
    }

    /** Lets steps say, as there is demand, what they have to say at the end; whether all have spoken. */
    boolean flush() throws Exception {
        while (true) {
            skipClosed();
            if (held instanceof Step.Failing above) {
                if (isToWait(true) || !tell(above.failure())) {
                    return false;
                }
            } else if (held != null || run.hasPreludeFrom(at)) {
                if (!run.hasDemand()) {
                    return false;
                }
                emitPending();
            } else if (at == steps().length) {
                return true;
            } else if (isToWait(steps()[at].asksUserAtEnd())) {
                return false;
            } else {
                flushStep();
            }
        }
    }

    /** Whether a function of the user's is next and is not called in this event, as something may be under way; it is called again then. */
    private boolean isToWait(boolean asksUser) {
        boolean waits = asksUser && !isLater && run.output != null;
        isLater = false;
        if (waits) {
            run.askLater();
        }
        return waits;
    }

    /** Steps up to one that has ended the stream itself say nothing, nor do they take what is held for them. */
    private void skipClosed() {
        int closedAt = run.closedAt();
        at = Math.max(at, closedAt + 1);
        if (closedAt >= heldAt) {
            held = null;
        }
    }

    private void emitPending() throws Exception {
        isLater = false;
        Object element = held;
        if (run.hasPreludeFrom(at)) {
            run.emitPreludesFrom(at);
        } else if (element != null) {
            held = null;
            run.pass(element, heldAt);
        }
    }

    /** Tells the steps of a failure above them, until one makes something else of it; whether one did, or else the run has failed. */
    private boolean tell(Throwable failure) throws Exception {
        Throwable failing = failure;
        held = null;
        for (; run.segment.seesFailures(at); at++) {
            run.failedAt = at;
            Object instead = steps()[at].afterFailure(failing);
            if (!(instead instanceof Step.Failing next)) {
                at++;
                held = instead == Step.NOTHING ? null : instead;
                heldAt = at;
                return true;
            }
            failing = next.failure();
            run.context().noteForeign(failing);
        }
        run.failWith(failing);
        return false;
    }

    private void flushStep() throws Exception {
        run.failedAt = at;
        Object last = steps()[at].flush(stateOf(at));
        at++;
        if (last != Step.NOTHING) {
            held = last;
            heldAt = at;
        }
    }

    private @Nullable Object stateOf(int step) {
        return run.states.length == 0 ? null : run.states[step];
    }

    /** Lets the steps before this one say what they have to say, as long as they emit nothing; whether this one has had its turn. */
    boolean flushBefore(int step) throws Exception {
        skipClosed();
        while (held == null && at <= step && !run.hasPrelude(at, step)) {
            flushStep();
        }
        return isBehind(step);
    }

    /** Whether this step has had its turn. */
    boolean isBehind(int step) {
        return at > step;
    }

    /** Asks the last step, a terminal, for the result. */
    void takeResult() throws Exception {
        int last = steps().length - 1;
        run.failedAt = last;
        held = ((Terminal<Object>) steps()[last]).result(stateOf(last));
    }

    /** What was held last: the result, once it was taken. */
    @Nullable
    Object held() {
        return held;
    }
}
