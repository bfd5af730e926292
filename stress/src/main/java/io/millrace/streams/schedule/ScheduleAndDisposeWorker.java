package io.millrace.streams.schedule;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A worker is disposed while a task is scheduled and run on it: a task that comes later never runs. */
@JCStressTest
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "disposed before the task ran")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "run before the worker was disposed")
@Outcome(expect = Expect.FORBIDDEN, desc = "run twice, or its handle says that it is still to run")
@State
public class ScheduleAndDisposeWorker {
    private final QueuedLane lane = new QueuedLane(false);
    private int runs;
    private Disposable task = Disposable.disposed();

    @Actor
    public void scheduleAndRun() {
        task = lane.lane().schedule(() -> runs++);
        lane.runIfHandedOver();
    }

    @Actor
    public void dispose() {
        lane.lane().dispose();
    }

    @Arbiter
    public void look(II_Result result) {
        int before = runs;
        lane.lane().schedule(() -> runs++);
        lane.runIfHandedOver();
        result.r1 = Math.max(before, runs);
        result.r2 = task.isDisposed() ? 1 : 0;
    }
}
