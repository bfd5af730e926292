package io.millrace.streams.engine.segment;

import io.millrace.streams.engine.island.TimedAction;
import java.time.Duration;

/** What a step may do to the run it is part of; belongs to the island. */
public final class StepControl {
    private final SegmentRun run;
    private final int at;

    StepControl(SegmentRun run, int at) {
        this.run = run;
        this.at = at;
    }

    /** Runs an action once per period, in the island, as long as the run lasts; from the start of the run on. */
    public void lookEvery(Duration period, Runnable action) {
        run.context().timers().schedulePeriodically(new TimedAction(nothing -> action.run()), period, period);
    }

    /** Runs an action once, in the island, after so long, if the run lasts that long. */
    public void lookOnce(Duration delay, Runnable action) {
        run.context().timers().scheduleOnce(new TimedAction(nothing -> action.run()), delay);
    }

    /** The time on the runtime's clock. */
    public long nowNanos() {
        return run.context().materializer().scheduler().nowNanos();
    }

    /** Whether downstream waits for an element. */
    public boolean isAwaited() {
        return run.hasDemand();
    }

    /**
     * Ends the stream with a failure, for the steps below to see, unless it has ended for this step already; from a timer only, not while an element
     * is passed.
     */
    public void fail(Throwable failure) {
        try {
            if (!run.isOverAt(at)) {
                run.failedAt = at;
                run.context().reportOwn(failure);
                run.fail(at + 1, failure);
            }
        } catch (Throwable thrown) {
            run.context().handlerFailed(thrown);
        }
    }

    /** Ends the stream at this step: what it passes on now is the last, and upstream is cancelled. */
    public void complete() {
        run.closeAt(at);
    }
}
