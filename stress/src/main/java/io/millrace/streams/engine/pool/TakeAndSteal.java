package io.millrace.streams.engine.pool;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** While a worker puts a task into its run-next slot and takes it, the monitor steals it: one of the two has it. */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "the worker has it")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "the monitor has it")
@Outcome(expect = Expect.FORBIDDEN, desc = "the task is lost or would run twice")
@State
public class TakeAndSteal {
    private final RunNextSlot slot = new RunNextSlot();

    @Actor
    public void worker(II_Result result) {
        slot.open();
        slot.put(() -> {});
        result.r1 = slot.take() == null ? 0 : 1;
    }

    @Actor
    public void monitor(II_Result result) {
        Runnable seen = slot.peek();
        result.r2 = seen != null && slot.steal(seen) ? 1 : 0;
    }
}
