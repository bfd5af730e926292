package io.millrace.streams.engine;

import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.stage.StageConsumer;
import java.time.Duration;

/** What a step may do to the run it is part of; belongs to the island. */
public final class StepControl {
    private final SegmentLogic run;
    private final int at;

    StepControl(SegmentLogic run, int at) {
        this.run = run;
        this.at = at;
    }

    /** Runs an action once per period, in the island, as long as the run lasts; from the start of the run on. */
    public void lookEvery(Duration period, Runnable action) {
        StageAccess.context(run).timers().schedulePeriodically(new Look(nothing -> action.run()), period, period);
    }

    /** Runs an action once, in the island, after so long, if the run lasts that long. */
    public void lookOnce(Duration delay, Runnable action) {
        StageAccess.context(run).timers().scheduleOnce(new Look(nothing -> action.run()), delay);
    }

    /** The key of a timer of the engine's own: its action is run instead of the stage's handler. */
    record Look(StageConsumer<NotUsed> action) {}

    /** The time on the runtime's clock. */
    public long nowNanos() {
        return StageAccess.context(run).materializer().scheduler().nowNanos();
    }

    /** Whether downstream waits for an element. */
    public boolean isAwaited() {
        return run.hasDemand();
    }

    /** Ends the stream with a failure, for the steps below to see; from a timer only, not while an element is passed. */
    public void fail(Throwable failure) {
        StageContext context = StageAccess.context(run);
        context.island().reportNew(run.segment.operatorName(at), "failed", failure);
        try {
            run.fail(at + 1, failure);
        } catch (Throwable thrown) {
            context.island().handlerFailed(thrown, "a handler");
        }
    }

    /** Ends the stream at this step: what it passes on now is the last, and upstream is cancelled. */
    public void complete() {
        run.closeAt(at);
    }
}
