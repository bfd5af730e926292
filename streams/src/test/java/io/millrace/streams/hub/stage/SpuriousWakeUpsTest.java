package io.millrace.streams.hub.stage;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Done;
import io.millrace.streams.hub.BroadcastConsumerSettings;
import io.millrace.streams.hub.BroadcastHubSettings;
import io.millrace.streams.hub.LagPolicy;
import io.millrace.testkit.Behaviour;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A consumer may be woken at any moment: between its return to the wheel and the wake-up that tells it of that, too. */
class SpuriousWakeUpsTest {
    private static final int CONSUMERS = 8;
    private static final Duration RUN =
            Boolean.getBoolean("millrace.deep") ? Duration.ofMinutes(2) : Duration.ofSeconds(3);

    private final StreamRuntime runtime =
            StreamRuntime.create(RuntimeSettings.defaults().withName("spurious").withThreads(4));

    @AfterEach
    void closeRuntime() {
        runtime.close();
    }

    @Test
    @Behaviour("BHUB-14")
    void whoDropsTheNewestSeesNoElementTwiceNorOneOutOfOrder() throws Exception {
        BroadcastHubSettings settings =
                BroadcastHubSettings.defaults().withBufferSize(1).withStartAfterConsumers(CONSUMERS);
        BroadcastHubState<Long> hub = new BroadcastHubState<>(settings, 0);
        AtomicInteger disorders = new AtomicInteger();
        List<CompletionStage<Done>> ends = new ArrayList<>();
        for (int i = 0; i < CONSUMERS; i++) {
            ends.add(consumer(hub, disorders));
        }
        long deadline = System.nanoTime() + RUN.toNanos();
        AtomicBoolean over = new AtomicBoolean();
        Thread waking = new Thread(() -> wakeUntil(over, hub));
        waking.start();
        Source.fromIterator(() -> LongStream.iterate(0, x -> x + 1).iterator())
                .takeWhile(x -> System.nanoTime() - deadline < 0)
                .runWith(Sink.fromGraph(new BroadcastHubStage<>(hub)), runtime);
        for (CompletionStage<Done> end : ends) {
            await(end, RUN.plusSeconds(20));
        }
        over.set(true);
        waking.join();
        assertThat(disorders).hasValue(0);
    }

    @Test
    @Behaviour("BHUB-14")
    void whoHasNotHeardOfItsReturnToTheWheelHearsThatItWasEvictedAgain() {
        HubRing<Long> ring = new HubRing<>(1, 0);
        HubCore<Long> core = new HubCore<>(ring, BroadcastHubSettings.defaults().withBufferSize(1));
        HubConsumer consumer =
                new HubConsumer(BroadcastConsumerSettings.defaults().withLagPolicy(LagPolicy.DROP_NEWEST), () -> {});
        core.arrived(consumer);
        int heardOf = consumer.joins;
        assertThat(consumer.evictionSince(heardOf)).isNull();
        consumer.announce(0, 0); // it has had its first turn
        core.arrived(consumer);
        assertThat(core.offer(0L) && core.offer(1L)).isTrue();
        HubConsumer.Eviction first = consumer.evictionSince(heardOf);
        assertThat(first).isNotNull();
        consumer.announce(first.end(), HubConsumer.WAITING);
        core.arrived(consumer);
        assertThat(consumer.evictionSince(heardOf)).isSameAs(first);
        assertThat(consumer.evictionSince(consumer.joins)).isNull();
        assertThat(core.offer(2L) && core.offer(3L)).isTrue();
        HubConsumer.Eviction second = consumer.evictionSince(heardOf);
        assertThat(second).isNotNull().isNotSameAs(first);
        assertThat(second.joins()).isEqualTo(consumer.joins);
    }

    @Test
    @Behaviour("INT-10")
    void whoHasArrivedAtAHubThatIsKeptIsWokenOnceAfterEachElement() {
        HubRing<Long> ring = new HubRing<>(4, 0);
        HubArrivals<HubConsumer> arrivals = new HubArrivals<>();
        HubWaking waking = new HubWaking(arrivals, ring);
        int[] woken = new int[1];
        arrivals.push(new HubConsumer(BroadcastConsumerSettings.defaults(), () -> woken[0]++));
        for (int elements = 1; elements <= 3; elements++) {
            waking.perform();
            waking.perform();
            assertThat(woken[0]).isEqualTo(elements);
            ring.append((long) elements);
        }
    }

    private CompletionStage<Done> consumer(BroadcastHubState<Long> hub, AtomicInteger disorders) {
        BroadcastConsumerSettings settings =
                BroadcastConsumerSettings.defaults().withLagPolicy(LagPolicy.DROP_NEWEST);
        long[] last = {-1};
        return Source.fromGraph(new BroadcastHubSource<>(hub, settings))
                .runWith(
                        Sink.foreach(element -> {
                            if (element <= last[0]) {
                                disorders.incrementAndGet();
                            }
                            last[0] = element;
                        }),
                        runtime);
    }

    /** As the monitor of turns wakes, but all the time, and not once after each element. */
    private static void wakeUntil(AtomicBoolean over, BroadcastHubState<Long> hub) {
        while (!over.get()) {
            HubConsumer arrived = hub.arrivals().latest();
            while (arrived != null) {
                arrived.wake.run();
                arrived = arrived.nextArrival;
            }
            Thread.onSpinWait();
        }
    }
}
