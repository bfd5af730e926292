package io.millrace.streams;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Many producers of random lengths at once: everything arrives once, each producer's elements in order. */
class MergeHubStressTest {
    private static final int PRODUCERS = 1000;
    private static final long PRODUCER_STRIDE = 1_000_000;

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private final StreamRuntime runtime = StreamRuntime.create(
            RuntimeSettings.defaults().withName("merge-stress").withThreads(4));

    private record Hub(MergeHub<Long> hub, Probe<Long> probe) {}

    @AfterEach
    void closeRuntime() {
        runtime.close();
    }

    @Test
    @Behaviour({"MHUB-1", "MHUB-2", "MHUB-5"})
    void everythingArrivesOnceAndInOrder() throws Exception {
        Hub hub = MergeHub.<Long>source(1 + random.nextInt(5))
                .toMat(Probe.<Long>sink(), Hub::new)
                .run(runtime);
        hub.probe.request(Probe.ALL);
        Map<Long, Long> lengths = new HashMap<>();
        int total = 0;
        for (long producer = 0; producer < PRODUCERS; producer++) {
            int length = random.nextInt(20);
            Feed<Long> feed = Feed.<Long>source().to(hub.hub.sink()).run(runtime);
            for (int i = 0; i < length; i++) {
                feed.send(producer * PRODUCER_STRIDE + i);
            }
            feed.complete();
            lengths.put(producer, (long) length);
            total += length;
        }
        Await.until("all producers were heard, seed " + seed, () -> hub.hub.producerCount() == 0);
        hub.probe.awaitReceived(total);
        hub.hub.drain();
        check(hub.probe.awaitCompletion(), lengths, total);
    }

    private void check(List<Long> received, Map<Long, Long> lengths, int total) {
        assertThat(received).as("seed " + seed).hasSize(total);
        Map<Long, Long> seen = new HashMap<>();
        for (long element : received) {
            long producer = element / PRODUCER_STRIDE;
            long expected = seen.merge(producer, 1L, Long::sum) - 1;
            assertThat(element % PRODUCER_STRIDE)
                    .as("producer " + producer + ", seed " + seed)
                    .isEqualTo(expected);
        }
        seen.forEach((producer, count) -> assertThat(count).isEqualTo(lengths.get(producer)));
    }
}
