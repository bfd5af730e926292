package io.millrace.benchmarks.hub;

import java.util.function.Consumer;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.BoundedSourceQueue;
import org.apache.pekko.stream.javadsl.BroadcastHub;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;

/** Pekko's. */
final class PekkoLiveHub implements LiveHub {
    private static final int QUEUE_ELEMENTS = 16;

    private final ActorSystem system = PekkoSystem.start();
    private Source<Integer, NotUsed> hub = Source.empty();
    private BoundedSourceQueue<Integer> queue =
            Source.<Integer>queue(QUEUE_ELEMENTS).to(Sink.ignore()).run(system);

    @Override
    public String name() {
        return "pekko";
    }

    @Override
    public void count(int consumers, int buffer) {
        hub = Source.range(0, Integer.MAX_VALUE)
                .mapMaterializedValue(ignored -> NotUsed.getInstance())
                .runWith(BroadcastHub.of(Integer.class, consumers, buffer), system);
    }

    @Override
    public void feed(int buffer) {
        Pair<BoundedSourceQueue<Integer>, Source<Integer, NotUsed>> fed = Source.<Integer>queue(QUEUE_ELEMENTS)
                .toMat(BroadcastHub.of(Integer.class, buffer), Keep.both())
                .run(system);
        queue = fed.first();
        hub = fed.second();
    }

    @Override
    public void offer(Integer element) {
        queue.offer(element);
    }

    @Override
    public void attach(Consumer<Integer> consumer) {
        hub.runWith(Sink.foreach(consumer::accept), system);
    }

    @Override
    public void visit(int elements, Runnable whenLeft) {
        hub.take(elements).runWith(Sink.ignore(), system).whenComplete((done, failure) -> whenLeft.run());
    }

    @Override
    public void close() {
        PekkoSystem.stop(system);
    }
}
