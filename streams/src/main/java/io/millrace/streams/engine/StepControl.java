package io.millrace.streams.engine;

/** What a step may do to the run it is part of; belongs to the island. */
public final class StepControl {
    private final SegmentLogic run;
    private final int at;

    StepControl(SegmentLogic run, int at) {
        this.run = run;
        this.at = at;
    }

    /** Ends the stream at this step: what it passes on now is the last, and upstream is cancelled. */
    public void complete() {
        run.closeAt(at);
    }
}
