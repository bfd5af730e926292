package io.millrace.benchmarks.hub;

import io.millrace.streams.BroadcastHub;
import io.millrace.streams.BroadcastHubSettings;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** Ours: a broadcast hub; every consumer is a run of its own on the runtime's threads. */
final class MillraceFanout implements Fanout {
    private final StreamRuntime runtime =
            StreamRuntime.create(RuntimeSettings.defaults().withName("bench"));
    private BroadcastHub<Integer> hub = closedHub();

    private BroadcastHub<Integer> closedHub() {
        return Source.<Integer>empty().runWith(BroadcastHub.sink(1), runtime);
    }

    @Override
    public String name() {
        return Rounds.OURS;
    }

    @Override
    public Attach open(Integer[] elements, int consumers, int buffer) {
        BroadcastHubSettings settings =
                BroadcastHubSettings.defaults().withBufferSize(buffer).withStartAfterConsumers(consumers);
        BroadcastHub<Integer> opened =
                Source.from(Arrays.asList(elements)).runWith(BroadcastHub.sink(settings), runtime);
        hub = opened;
        return receiver -> opened.source().runWith(Sink.foreach(receiver::accept), runtime);
    }

    @Override
    public void awaitAttached(int consumers) throws InterruptedException {
        while (hub.consumerCount() < consumers) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    @Override
    public void close() {
        runtime.close();
    }
}
