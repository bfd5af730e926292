package io.millrace.benchmarks.hub;

import io.millrace.streams.BroadcastHub;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.SourceQueue;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.hub.BroadcastHubSettings;
import java.util.function.Consumer;

/** Ours. */
final class MillraceLiveHub implements LiveHub {
    private static final int QUEUE_ELEMENTS = 16;

    private final StreamRuntime runtime =
            StreamRuntime.create(RuntimeSettings.defaults().withName("bench"));
    private BroadcastHub<Integer> hub = Source.<Integer>empty().runWith(BroadcastHub.sink(1), runtime);
    private SourceQueue<Integer> queue =
            Source.<Integer>queue(QUEUE_ELEMENTS).to(Sink.ignore()).run(runtime);

    @Override
    public String name() {
        return Rounds.OURS;
    }

    @Override
    public void count(int consumers, int buffer) {
        BroadcastHubSettings settings =
                BroadcastHubSettings.defaults().withBufferSize(buffer).withStartAfterConsumers(consumers);
        hub = Source.range(0, Integer.MAX_VALUE).runWith(BroadcastHub.sink(settings), runtime);
    }

    @Override
    public void feed(int buffer) {
        Pair<SourceQueue<Integer>, BroadcastHub<Integer>> fed = Source.<Integer>queue(QUEUE_ELEMENTS)
                .toMat(BroadcastHub.<Integer>sink(buffer), Pair::new)
                .run(runtime);
        queue = fed.first();
        hub = fed.second();
    }

    @Override
    public void offer(Integer element) {
        queue.offer(element);
    }

    @Override
    public void attach(Consumer<Integer> consumer) {
        hub.source().runWith(Sink.foreach(consumer::accept), runtime);
    }

    @Override
    public void visit(int elements, Runnable whenLeft) {
        hub.source().take(elements).runWith(Sink.ignore(), runtime).whenComplete((done, failure) -> whenLeft.run());
    }

    @Override
    public void close() {
        runtime.close();
    }
}
