package io.millrace.streams.schedule;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A task is run while another thread disposes it: it runs once or not at all, and is over in any case. */
@JCStressTest
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "disposed first")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "run first")
@Outcome(expect = Expect.FORBIDDEN, desc = "run twice, or not over")
@State
public class RunAndDispose {
    private final QueuedLane lane = new QueuedLane(false);
    private int runs;
    private final Task task = new Task(lane.lane(), () -> runs++, Task.NO_DEADLINE);

    @Actor
    public void run() {
        task.run();
    }

    @Actor
    public void dispose() {
        task.dispose();
    }

    @Arbiter
    public void look(II_Result result) {
        result.r1 = runs;
        result.r2 = task.isOver() ? 1 : 0;
    }
}
