package io.millrace.streams.engine.island;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Two senders find the island at rest at once: one of them is elected to hand it over, and it sees both messages. */
@JCStressTest
@Outcome(
        id = {"12", "21"},
        expect = Expect.ACCEPTABLE,
        desc = "both messages were handled in one turn")
@Outcome(expect = Expect.FORBIDDEN, desc = "a message was lost, or two turns were handed over")
@State
public class TellAndTell {
    private final ToldStream stream = new ToldStream();

    @Actor
    public void tell() {
        stream.tell(1);
    }

    @Actor
    public void tellToo() {
        stream.tell(2);
    }

    @Arbiter
    public void look(I_Result result) {
        stream.turn();
        result.r1 = stream.handled();
    }
}
