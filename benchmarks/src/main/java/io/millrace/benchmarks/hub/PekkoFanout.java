package io.millrace.benchmarks.hub;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.stream.javadsl.BroadcastHub;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;

/** Pekko's broadcast hub; every consumer is a run of its own, which is an actor of its own. */
final class PekkoFanout implements Fanout {
    private final ActorSystem system = PekkoSystem.start();

    @Override
    public String name() {
        return "pekko";
    }

    @Override
    public Attach open(Integer[] elements, int consumers, int buffer) {
        Source<Integer, NotUsed> hub =
                Source.from(Arrays.asList(elements)).runWith(BroadcastHub.of(Integer.class, consumers, buffer), system);
        return receiver -> hub.runWith(Sink.foreach(receiver::accept), system);
    }

    /** The hub does not tell how many it has. */
    @Override
    public void awaitAttached(int consumers) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(100 + consumers / 5);
    }

    @Override
    public void close() {
        PekkoSystem.stop(system);
    }
}
