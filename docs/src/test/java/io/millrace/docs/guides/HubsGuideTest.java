package io.millrace.docs.guides;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.BroadcastHub;
import io.millrace.streams.MergeHub;
import io.millrace.streams.PartitionHub;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.hub.BroadcastConsumerSettings;
import io.millrace.streams.hub.BroadcastHubSettings;
import io.millrace.streams.hub.LagPolicy;
import io.millrace.streams.hub.PartitionHubSettings;
import io.millrace.streams.hub.Partitioner;
import io.millrace.streams.inspect.StageSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The code of docs/guides/hubs.md. */
class HubsGuideTest {
    private final StreamRuntime runtime = StreamRuntime.create();

    @AfterEach
    void close() {
        runtime.close();
    }

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    @Test
    void everybodyGetsEverything() throws Exception {
        // snippet: broadcast
        BroadcastHubSettings settings =
                BroadcastHubSettings.defaults().withBufferSize(64).withStartAfterConsumers(2);
        BroadcastHub<Integer> ticks = Source.range(0, 100).runWith(BroadcastHub.sink(settings), runtime);

        CompletionStage<Integer> sum = ticks.source().runWith(Sink.fold(0, Integer::sum), runtime);
        CompletionStage<List<Integer>> firstThree = ticks.source().take(3).runWith(Sink.seq(), runtime);
        // end
        assertThat(await(sum)).isEqualTo(4950);
        assertThat(await(firstThree)).containsExactly(0, 1, 2);
    }

    @Test
    void aConsumerMayLagForATime() throws Exception {
        BroadcastHub<Integer> ticks = Source.range(0, 100).runWith(BroadcastHub.sink(64), runtime);
        // snippet: lagging
        BroadcastConsumerSettings settings = BroadcastConsumerSettings.defaults()
                .withLagPolicy(LagPolicy.DISCONNECT)
                .withPatience(Duration.ofSeconds(1));
        CompletionStage<Integer> sum = ticks.source(settings).runWith(Sink.fold(0, Integer::sum), runtime);
        // end
        assertThat(await(sum)).isEqualTo(4950);
    }

    @Test
    void manyStreamsBecomeOne() {
        Set<Integer> seen = ConcurrentHashMap.newKeySet();
        // snippet: merge
        MergeHub<Integer> hub =
                MergeHub.<Integer>source(16).to(Sink.foreach(seen::add)).run(runtime);
        Source.of(1, 2, 3).to(hub.sink()).run(runtime);
        Source.of(4, 5).to(hub.sink()).run(runtime);
        // end
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (seen.size() < 5 && System.nanoTime() - deadline < 0) {
            Thread.onSpinWait();
        }
        assertThat(seen).containsExactlyInAnyOrder(1, 2, 3, 4, 5);
    }

    @Test
    void eachElementGoesToOneOfThem() throws Exception {
        // snippet: partition
        PartitionHubSettings settings = PartitionHubSettings.defaults().withStartAfterConsumers(2);
        PartitionHub<Integer> hub = Source.range(0, 100)
                .runWith(PartitionHub.sink(() -> Partitioner.sticky(n -> n % 10), settings), runtime);

        CompletionStage<List<Integer>> one = hub.source().runWith(Sink.seq(), runtime);
        CompletionStage<List<Integer>> other = hub.source().runWith(Sink.seq(), runtime);
        // end
        assertThat(await(one).size() + await(other).size()).isEqualTo(100);
    }

    @Test
    void theSnapshotTellsHowFarEachConsumerLags() {
        BroadcastHub<Integer> ticks = Source.range(0, 100).runWith(BroadcastHub.sink(64), runtime);
        ticks.source().to(Sink.queue()).run(runtime);
        // snippet: lag
        List<Long> lags = runtime.snapshot().streams().stream()
                .flatMap(stream -> stream.islands().stream())
                .flatMap(island -> island.stages().stream())
                .map(StageSnapshot::detail)
                .filter(detail -> detail.containsKey("lag"))
                .map(detail -> detail.get("lag"))
                .toList();
        // end
        assertThat(lags).allSatisfy(lag -> assertThat(lag).isNotNegative());
    }
}
