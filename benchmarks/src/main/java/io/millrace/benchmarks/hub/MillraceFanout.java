package io.millrace.benchmarks.hub;

import io.millrace.streams.BroadcastHub;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.hub.BroadcastConsumerSettings;
import io.millrace.streams.hub.BroadcastHubSettings;
import io.millrace.streams.hub.LagPolicy;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Ours: a broadcast hub; every consumer is a run of its own on the runtime's threads. */
final class MillraceFanout implements Fanout {
    private final StreamRuntime runtime =
            StreamRuntime.create(RuntimeSettings.defaults().withName("bench"));
    private final boolean hasLaggard;
    private BroadcastHub<Integer> hub = closedHub();

    MillraceFanout() {
        this(false);
    }

    private MillraceFanout(boolean hasLaggard) {
        this.hasLaggard = hasLaggard;
    }

    /** The same with one more consumer, which is slow and drops the oldest when it lags. */
    static MillraceFanout withLaggard() {
        return new MillraceFanout(true);
    }

    private BroadcastHub<Integer> closedHub() {
        return Source.<Integer>empty().runWith(BroadcastHub.sink(1), runtime);
    }

    @Override
    public String name() {
        return hasLaggard ? "with-laggard" : Rounds.OURS;
    }

    @Override
    public Attach open(Integer[] elements, int consumers, int buffer) {
        BroadcastHubSettings settings = BroadcastHubSettings.defaults()
                .withBufferSize(buffer)
                .withStartAfterConsumers(hasLaggard ? consumers + 1 : consumers);
        BroadcastHub<Integer> opened =
                Source.from(Arrays.asList(elements)).runWith(BroadcastHub.sink(settings), runtime);
        hub = opened;
        if (hasLaggard) {
            opened.source(BroadcastConsumerSettings.defaults().withLagPolicy(LagPolicy.DROP_OLDEST))
                    .mapAsync(1, this::afterOneMillisecond)
                    .runWith(Sink.ignore(), runtime);
        }
        return receiver -> opened.source().runWith(Sink.foreach(receiver::accept), runtime);
    }

    private CompletionStage<Integer> afterOneMillisecond(Integer element) {
        CompletableFuture<Integer> later = new CompletableFuture<>();
        runtime.scheduler().schedule(() -> later.complete(element), Duration.ofMillis(1));
        return later;
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
