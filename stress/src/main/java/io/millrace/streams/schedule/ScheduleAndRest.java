package io.millrace.streams.schedule;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A task is scheduled while the lane comes to rest: it is run by this turn, or another turn was handed over for it. */
@JCStressTest
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "both tasks have run")
@Outcome(expect = Expect.FORBIDDEN, desc = "a task was lost or run twice")
@State
public class ScheduleAndRest {
    private final QueuedLane lane = new QueuedLane(false);
    private int runs;

    public ScheduleAndRest() {
        lane.lane().schedule(() -> runs++);
    }

    @Actor
    public void drain() {
        lane.runIfHandedOver();
    }

    @Actor
    public void schedule() {
        lane.lane().schedule(() -> runs++);
    }

    @Arbiter
    public void look(I_Result result) {
        lane.runIfHandedOver();
        result.r1 = runs;
    }
}
