package io.millrace.streams.engine.island;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** While one thread adds a message, another goes over the ends of two chunks: each message gets a place of its own. */
@JCStressTest
@Outcome(id = "71, 170", expect = Expect.ACCEPTABLE, desc = "every message was taken once")
@Outcome(expect = Expect.FORBIDDEN, desc = "a message was lost or came twice")
@State
public class AddAcrossChunks {
    private final MessageQueue queue = new MessageQueue();

    @Actor
    public void addOne() {
        queue.add(100);
    }

    @Actor
    public void addMany() {
        for (int i = 0; i < 70; i++) {
            queue.add(1);
        }
    }

    @Arbiter
    public void look(II_Result result) {
        while (queue.poll() instanceof Integer message) {
            result.r1++;
            result.r2 += message;
        }
    }
}
