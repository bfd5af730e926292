package io.millrace.streams;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.hub.PartitionHubSettings;
import io.millrace.streams.hub.Partitioner;
import io.millrace.streams.hub.stage.PartitionHubStage;
import io.millrace.streams.hub.stage.PartitionHubState;
import io.millrace.testkit.Behaviour;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Consumers come, leave and fail at random while a stream runs: every element reaches exactly one of them. */
class PartitionHubStressTest {
    private static final Duration RUN =
            Boolean.getBoolean("millrace.deep") ? Duration.ofMinutes(2) : Duration.ofSeconds(1);
    private static final int ELEMENTS = 20_000;

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private final StreamRuntime runtime = StreamRuntime.create(RuntimeSettings.defaults()
            .withName("partition-stress")
            .withThreads(4)
            .withFailureReporter(failure -> {}));

    @AfterEach
    void closeRuntime() {
        runtime.close();
    }

    @Test
    @Behaviour({"PHUB-1", "PHUB-4", "PHUB-5"})
    void everyElementReachesExactlyOneConsumer() {
        long deadline = System.nanoTime() + RUN.toNanos();
        do {
            round();
        } while (System.nanoTime() - deadline < 0);
    }

    private void round() {
        List<Supplier<Partitioner<Long>>> partitioners = List.of(
                Partitioner::roundRobin, Partitioner::leastQueued, () -> Partitioner.sticky(number -> number % 17));
        AtomicIntegerArray seen = new AtomicIntegerArray(ELEMENTS);
        PartitionHubSettings settings = PartitionHubSettings.defaults()
                .withPerConsumerBuffer(1 + random.nextInt(9))
                .withMaxTotalBuffer(1 + random.nextInt(40));
        PartitionHubState<Long> state = Source.fromGraph(new Counter(ELEMENTS, null))
                .runWith(new PartitionHubStage<Long>(partitioners.get(random.nextInt(3)), settings), runtime);
        PartitionHub<Long> hub = new PartitionHub<>(state);
        for (int started = 1; state.end() == null; started++) {
            long most = random.nextInt(400);
            Tally.Ending ending = random.nextBoolean() ? Tally.Ending.CANCEL : Tally.Ending.FAIL;
            hub.source()
                    .map(number -> {
                        seen.incrementAndGet(number.intValue());
                        return number;
                    })
                    .runWith(Tally.sink(most, ending), runtime);
            if (hub.consumerCount() > 8) {
                Await.until(
                        () -> "consumers leave, seed " + seed, () -> hub.consumerCount() < 8 || state.end() != null);
            }
            if (started % 1_000 == 0) { // while the hub's thread is paused, none of them counts as a consumer
                Await.until(
                        () -> "streams end, seed " + seed,
                        () -> runtime.snapshot().streams().size() < 500 || state.end() != null);
            }
        }
        assertThat(state.end().failure()).as("seed " + seed).isNull();
        Await.until(
                "all streams end, seed " + seed,
                () -> runtime.snapshot().streams().isEmpty());
        for (int i = 0; i < ELEMENTS; i++) {
            assertThat(seen.get(i)).as("element " + i + ", seed " + seed).isOne();
        }
    }
}
