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
    /** An element that is to be passed on from a step on; when done, the result. */
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

    void setLater(boolean now) {
        isLater = now;
    }

    /** Lets steps say, as there is demand, what they have to say at the end; whether all have spoken. */
    boolean flush() throws Exception {
        while (true) {
            skipClosed();
            if (held != null || run.hasPreludeFrom(at)) {
                if (!run.hasDemand()) {
                    return false;
                }
                emitPending();
            } else if (at == steps().length) {
                return true;
            } else if (run.output != null && !isLater && steps()[at].asksUserAtEnd()) {
                run.askLater();
                return false;
            } else {
                isLater = false;
                flushStep();
            }
        }
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
        Object element = held;
        if (run.hasPreludeFrom(at)) {
            run.emitPreludesFrom(at);
        } else if (element != null) {
            held = null;
            run.pass(element, heldAt);
        }
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

    /** Tells steps from this one on of a failure above them, until one makes something else of it; what is left of it, or null. */
    @Nullable
    Throwable afterFailure(int place, Throwable failure) throws Exception {
        Throwable failing = failure;
        for (int seeing = place; run.segment.seesFailures(seeing); seeing++) {
            run.failedAt = seeing;
            Object instead = steps()[seeing].afterFailure(failing);
            if (!(instead instanceof Step.Failing next)) {
                at = seeing + 1;
                held = instead == Step.NOTHING ? null : instead;
                heldAt = at;
                return null;
            }
            failing = next.failure();
            run.context().noteForeign(failing);
        }
        return failing;
    }
}
