package io.millrace.streams.schedule;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The first task of an interruptible lane is disposed while it runs: the second one never sees the interrupt. */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "the interrupt came to the first task, or not at all")
@Outcome(expect = Expect.FORBIDDEN, desc = "an interrupt is left over")
@State
public class InterruptAndNextTask {
    private final QueuedLane lane = new QueuedLane(true);
    private int seenByNext;
    private final Disposable first = lane.lane().schedule(() -> {});

    public InterruptAndNextTask() {
        lane.lane().schedule(() -> seenByNext = Thread.currentThread().isInterrupted() ? 1 : 0);
    }

    @Actor
    public void runBoth(II_Result result) {
        lane.runIfHandedOver();
        result.r1 = seenByNext;
        result.r2 = Thread.interrupted() ? 1 : 0;
    }

    @Actor
    public void dispose() {
        first.dispose();
    }
}
