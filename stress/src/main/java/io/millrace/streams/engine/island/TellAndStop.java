package io.millrace.streams.engine.island;

import io.millrace.streams.graph.Done;
import java.util.concurrent.CompletableFuture;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A message comes while the stage stops: its sender hears what became of it in any case. */
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "handled, and the sender was told so")
@Outcome(id = "0, 2", expect = Expect.ACCEPTABLE, desc = "came too late, and the sender was told so")
@Outcome(expect = Expect.FORBIDDEN, desc = "the sender waits for ever, or was told wrongly")
@State
public class TellAndStop {
    private final ToldStream stream = new ToldStream();
    private CompletableFuture<Done> feedback = new CompletableFuture<>();

    public TellAndStop() {
        stream.tell(ToldStream.STOP);
    }

    @Actor
    public void stop() {
        stream.turn();
    }

    @Actor
    public void tell() {
        feedback = stream.tellWithFeedback(1).toCompletableFuture();
    }

    @Arbiter
    public void look(II_Result result) {
        stream.turn();
        result.r1 = stream.handled();
        result.r2 = feedback.isCompletedExceptionally() ? 2 : feedback.isDone() ? 1 : 0;
    }
}
