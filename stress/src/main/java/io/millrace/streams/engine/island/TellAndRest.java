package io.millrace.streams.engine.island;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A message comes while the island drains the one before and comes to rest: no wake-up is lost, and none is doubled. */
@JCStressTest
@Outcome(id = "12", expect = Expect.ACCEPTABLE, desc = "both messages were handled, in order")
@Outcome(expect = Expect.FORBIDDEN, desc = "a message was lost, handled twice or out of order")
@State
public class TellAndRest {
    private final ToldStream stream = new ToldStream();

    public TellAndRest() {
        stream.tell(1);
    }

    @Actor
    public void drain() {
        stream.turn();
    }

    @Actor
    public void tell() {
        stream.tell(2);
    }

    @Arbiter
    public void look(I_Result result) {
        stream.turn();
        result.r1 = stream.handled();
    }
}
