package io.millrace.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.failure.AbruptTerminationException;
import io.millrace.streams.hub.PartitionHubSettings;
import io.millrace.streams.hub.Partitioner;
import io.millrace.streams.hub.stage.PartitionHubStage;
import io.millrace.streams.hub.stage.PartitionHubState;
import io.millrace.streams.inspect.StageSnapshot;
import io.millrace.testkit.Behaviour;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PartitionHubTest {
    private final StreamRuntime runtime = StreamRuntime.create(
            RuntimeSettings.defaults().withName("partition-hub-test").withFailureReporter(failure -> {}));

    private record Hub(Feed<Integer> feed, PartitionHub<Integer> hub, PartitionHubState<Integer> state) {
        Hub(Feed<Integer> feed, PartitionHubState<Integer> state) {
            this(feed, new PartitionHub<>(state), state);
        }
    }

    @AfterEach
    void closeRuntime() {
        runtime.close();
    }

    private Hub start(Supplier<Partitioner<Integer>> partitioner, PartitionHubSettings settings) {
        return Feed.<Integer>source()
                .toMat(new PartitionHubStage<Integer>(partitioner, settings), Hub::new)
                .run(runtime);
    }

    private Hub start(Supplier<Partitioner<Integer>> partitioner, int perConsumerBuffer) {
        return start(partitioner, PartitionHubSettings.defaults().withPerConsumerBuffer(perConsumerBuffer));
    }

    private Probe<Integer> join(Hub hub) {
        int before = hub.hub.consumerCount();
        Probe<Integer> probe = Probe.of(hub.hub.source(), runtime);
        Await.until("the hub has the consumer", () -> hub.hub.consumerCount() == before + 1);
        return probe;
    }

    private void leave(Hub hub, Probe<Integer> probe) {
        int before = hub.hub.consumerCount();
        probe.cancel();
        Await.until("the consumer has left", () -> hub.hub.consumerCount() == before - 1);
    }

    private static Integer[] range(int from, int toExclusive) {
        return IntStream.range(from, toExclusive).boxed().toArray(Integer[]::new);
    }

    private Map<String, Long> hubDetail() {
        return runtime.snapshot().streams().stream()
                .flatMap(stream -> stream.islands().stream())
                .flatMap(island -> island.stages().stream())
                .filter(stage -> stage.name().endsWith("partition-hub"))
                .map(StageSnapshot::detail)
                .findFirst()
                .orElseThrow();
    }

    @Test
    @Behaviour("PHUB-1")
    void nothingIsPulledUntilEnoughConsumersAreLiveAtOnce() {
        Hub hub = start(Partitioner::roundRobin, PartitionHubSettings.defaults().withStartAfterConsumers(2));
        hub.feed.send(range(0, 4));
        Probe<Integer> early = join(hub).request(Probe.ALL);
        leave(hub, early);
        Probe<Integer> first = join(hub).request(Probe.ALL);
        assertThat(hub.feed.pulls()).isZero();
        Probe<Integer> second = join(hub).request(Probe.ALL);
        assertThat(first.awaitReceived(2)).hasSize(2);
        assertThat(second.awaitReceived(2)).hasSize(2);
        leave(hub, second);
        hub.feed.send(4);
        assertThat(first.awaitReceived(3)).contains(4);
    }

    /** It has taken two of the three that may wait; the hub is to know, whatever its own queue holds. */
    @Test
    @Behaviour("PHUB-6")
    void aConsumerThatStopsDoesNotKeepTheRoomOfWhatItHasTaken() {
        Hub hub = start(
                () -> (consumers, element) -> element < 10 ? 0 : 1,
                PartitionHubSettings.defaults().withPerConsumerBuffer(8).withMaxTotalBuffer(3));
        Probe<Integer> one = join(hub);
        Probe<Integer> other = join(hub).request(Probe.ALL);
        hub.feed.send(1, 2, 3, 10);
        one.request(2);
        assertThat(other.awaitReceived(1)).containsExactly(10);
        assertThat(one.awaitReceived(2)).containsExactly(1, 2);
    }

    @Test
    @Behaviour("PHUB-1")
    void aConsumersQueueIsBoundedAndTheHubWaits() {
        for (int buffer : new int[] {1, 3, 4}) {
            Hub hub = start(Partitioner::roundRobin, buffer);
            Probe<Integer> one = join(hub);
            Probe<Integer> other = join(hub);
            hub.feed.send(range(0, 20));
            Await.until("two queues are full", () -> hub.feed.pulls() == 2 * buffer);
            Await.until("no more is asked for", () -> hubDetail().get("buffered") == 2L * buffer);
            assertThat(hub.feed.pulls()).isEqualTo(2 * buffer);
            one.request(Probe.ALL);
            other.request(Probe.ALL);
            Await.until(
                    "all came", () -> one.received().size() + other.received().size() == 20);
            hub.feed.complete();
            Await.until("it is over", () -> hub.state.end() != null);
        }
    }

    @Test
    @Behaviour("PHUB-1")
    void allQueuesTogetherAreBounded() {
        PartitionHubSettings settings =
                PartitionHubSettings.defaults().withPerConsumerBuffer(8).withMaxTotalBuffer(3);
        Hub hub = start(Partitioner::roundRobin, settings);
        Probe<Integer> one = join(hub);
        Probe<Integer> other = join(hub);
        hub.feed.send(range(0, 20));
        Await.until("the bound is reached", () -> hubDetail().get("buffered") == 3L);
        assertThat(hub.feed.pulls()).isEqualTo(3);
        one.request(Probe.ALL);
        other.request(Probe.ALL);
        Await.until("all came", () -> one.received().size() + other.received().size() == 20);
        assertThat(hub.feed.pulls()).isLessThanOrEqualTo(21);
    }

    @Test
    @Behaviour("PHUB-1")
    void boundsAreAtLeastOne() {
        PartitionHubSettings defaults = PartitionHubSettings.defaults();
        assertThatThrownBy(() -> defaults.withPerConsumerBuffer(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> defaults.withMaxTotalBuffer(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> defaults.withStartAfterConsumers(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Behaviour("PHUB-2")
    void eachRunHasAPartitionerOfItsOwn() {
        AtomicInteger made = new AtomicInteger();
        PartitionHubStage<Integer> sink = new PartitionHubStage<>(
                () -> {
                    made.incrementAndGet();
                    return Partitioner.<Integer>roundRobin();
                },
                PartitionHubSettings.defaults());
        for (int run = 0; run < 2; run++) {
            Hub hub = Feed.<Integer>source().toMat(sink, Hub::new).run(runtime);
            Probe<Integer> one = join(hub).request(Probe.ALL);
            Probe<Integer> other = join(hub).request(Probe.ALL);
            hub.feed.send(range(0, 6));
            assertThat(one.awaitReceived(3)).hasSize(3);
            assertThat(other.awaitReceived(3)).hasSize(3);
        }
        assertThat(made).hasValue(2);
    }

    @Test
    @Behaviour("PHUB-2")
    void leastQueuedEvensTheQueuesOut() {
        Hub hub = start(Partitioner::leastQueued, 16);
        Probe<Integer> idle = join(hub);
        Probe<Integer> alsoIdle = join(hub);
        hub.feed.send(range(0, 10));
        Await.until("all were taken", () -> hub.feed.pulls() == 11);
        assertThat(idle.request(Probe.ALL).awaitReceived(5)).hasSize(5);
        assertThat(alsoIdle.request(Probe.ALL).awaitReceived(5)).hasSize(5);
    }

    @Test
    @Behaviour("PHUB-2")
    void stickyKeepsAKeyWithItsConsumerWhenOthersComeAndGo() {
        Hub hub = start(() -> Partitioner.sticky(n -> n % 100), 64);
        List<Probe<Integer>> probes = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            probes.add(join(hub).request(Probe.ALL));
        }
        hub.feed.send(range(0, 100));
        Await.until("all came", () -> total(probes) == 100);
        List<List<Integer>> before =
                probes.stream().map(probe -> List.copyOf(probe.received())).toList();
        assertThat(before).allSatisfy(keys -> assertThat(keys).isNotEmpty());
        leave(hub, probes.get(3));
        hub.feed.send(range(100, 200));
        Await.until("all came again", () -> total(probes) == 200);
        for (int i = 0; i < 3; i++) {
            Integer[] keysAgain = before.get(i).stream().map(key -> key + 100).toArray(Integer[]::new);
            assertThat(probes.get(i).received()).contains(keysAgain);
        }
    }

    private static int total(List<Probe<Integer>> probes) {
        return probes.stream().mapToInt(probe -> probe.received().size()).sum();
    }

    @Test
    @Behaviour("PHUB-3")
    void aNegativeIndexDropsTheElement() {
        Hub hub = start(() -> (consumers, element) -> element % 2 == 0 ? Partitioner.DROP - 7 : 0, 4);
        Probe<Integer> probe = join(hub).request(Probe.ALL);
        hub.feed.send(range(0, 9));
        assertThat(probe.awaitReceived(4)).containsExactly(1, 3, 5, 7);
        Await.until("five were dropped", () -> hubDetail().get("dropped") == 5);
    }

    @Test
    @Behaviour("PHUB-3")
    void anIndexOutOfRangeFailsTheHub() throws Exception {
        Hub hub = start(() -> (consumers, element) -> element, 4);
        Probe<Integer> probe = join(hub).request(Probe.ALL);
        hub.feed.send(0, 1);
        assertThat(probe.awaitFailure())
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessageContaining("consumer 1 of 1");
        assertThat(hub.feed.cancelled().get(20, TimeUnit.SECONDS)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    @Behaviour("PHUB-3")
    void aConsumerThatTakesTheLastElementAfterTheHubHasFailedFails() throws Exception {
        Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
        RuntimeSettings byHand = RuntimeSettings.defaults().withName("by-hand").withExecutor(tasks::add);
        Hub hub = start(() -> (consumers, element) -> element, 4);
        try (StreamRuntime slow = StreamRuntime.create(byHand)) {
            Probe<Integer> probe = Probe.of(hub.hub.source(), slow);
            runAll(tasks);
            Await.until("the hub has the consumer", () -> hub.hub.consumerCount() == 1);
            runAll(tasks);
            probe.request(Probe.ALL);
            hub.feed.send(0, 1);
            hub.feed.cancelled().get(20, TimeUnit.SECONDS);
            runAll(tasks);
            assertThat(probe.received()).containsExactly(0);
            assertThat(probe.awaitFailure()).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    private static void runAll(Queue<Runnable> tasks) {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    @Test
    @Behaviour("PHUB-3")
    void whatThePartitionerThrowsFailsTheHub() throws Exception {
        IllegalStateException failure = new IllegalStateException("boom");
        Hub hub = start(
                () -> (consumers, element) -> {
                    throw failure;
                },
                4);
        Probe<Integer> probe = join(hub);
        hub.feed.send(0);
        assertThat(probe.awaitFailure()).isSameAs(failure);
    }

    @Test
    @Behaviour("PHUB-3")
    void thePartitionerIsNeverAskedWithoutConsumers() {
        List<Integer> counts = new ArrayList<>();
        Hub hub = start(
                () -> (consumers, element) -> {
                    counts.add(consumers.count());
                    return 0;
                },
                2);
        hub.feed.send(range(0, 100));
        for (int round = 1; round <= 20; round++) {
            Probe<Integer> probe = join(hub).request(1);
            assertThat(probe.awaitReceived(1)).hasSize(1);
            leave(hub, probe);
        }
        assertThat(counts).isNotEmpty().doesNotContain(0);
    }

    @Test
    @Behaviour("PHUB-4")
    void eachConsumerCompletesAfterItsQueueAndLateOnesAtOnce() throws Exception {
        Hub hub = start(Partitioner::roundRobin, 8);
        Probe<Integer> slow = join(hub);
        Probe<Integer> fast = join(hub).request(Probe.ALL);
        hub.feed.send(range(0, 6)).complete();
        assertThat(fast.awaitCompletion()).hasSize(3);
        assertThat(slow.hasEnded()).isFalse();
        assertThat(Probe.of(hub.hub.source(), runtime).awaitCompletion()).isEmpty();
        slow.request(3);
        assertThat(slow.awaitCompletion()).hasSize(3);
        Await.until("the hub has ended", () -> hub.state.end() != null);
        assertThat(Probe.of(hub.hub.source(), runtime).awaitCompletion()).isEmpty();
    }

    @Test
    @Behaviour("PHUB-4")
    void failureComesAtOnceAndIsRemembered() throws Exception {
        Hub hub = start(Partitioner::roundRobin, 8);
        Probe<Integer> idle = join(hub);
        Probe<Integer> waiting = join(hub).request(Probe.ALL);
        hub.feed.send(range(0, 6));
        waiting.awaitReceived(3);
        IllegalStateException failure = new IllegalStateException("boom");
        hub.feed.fail(failure);
        assertThat(idle.awaitFailure()).isSameAs(failure);
        assertThat(idle.received()).isEmpty();
        assertThat(waiting.awaitFailure()).isSameAs(failure);
        assertThat(Probe.of(hub.hub.source(), runtime).awaitFailure()).isSameAs(failure);
    }

    @Test
    @Behaviour("PHUB-4")
    void closingTheHubsRuntimeFailsTheConsumersOfAnother() throws Exception {
        Hub hub = start(Partitioner::roundRobin, 8);
        try (StreamRuntime other = StreamRuntime.create()) {
            Probe<Integer> waiting = Probe.of(hub.hub.source(), other).request(Probe.ALL);
            Await.until("the hub has the consumer", () -> hub.hub.consumerCount() == 1);
            runtime.close();
            assertThat(waiting.awaitFailure()).isInstanceOf(AbruptTerminationException.class);
            assertThat(Probe.of(hub.hub.source(), other).awaitFailure()).isInstanceOf(AbruptTerminationException.class);
        }
    }

    @Test
    @Behaviour("PHUB-5")
    void whatALeavingConsumerHasNotTakenGoesToTheOthersInOrder() {
        Hub hub = start(Partitioner::roundRobin, 8);
        Probe<Integer> leaving = join(hub);
        Probe<Integer> staying = join(hub).request(Probe.ALL);
        hub.feed.send(range(0, 8));
        staying.awaitReceived(4);
        leaving.request(1);
        List<Integer> taken = leaving.awaitReceived(1);
        leave(hub, leaving);
        List<Integer> all = new ArrayList<>(staying.awaitReceived(7));
        List<Integer> handedOver = all.subList(4, 7);
        assertThat(handedOver).isSorted();
        all.addAll(taken);
        assertThat(all).containsExactlyInAnyOrder(range(0, 8));
    }

    @Test
    @Behaviour("PHUB-5")
    void whatTheLastConsumerHasNotTakenWaitsForTheNextEvenAfterCompletion() throws Exception {
        Hub hub = start(Partitioner::roundRobin, 8);
        Probe<Integer> last = join(hub);
        hub.feed.send(range(0, 5));
        Await.until("five are queued", () -> hubDetail().get("buffered") == 5);
        leave(hub, last);
        Probe<Integer> next = join(hub).request(2);
        assertThat(next.awaitReceived(2)).containsExactly(0, 1);
        hub.feed.complete();
        leave(hub, next);
        Probe<Integer> late = Probe.of(hub.hub.source(), runtime).request(Probe.ALL);
        assertThat(late.awaitCompletion()).containsExactly(2, 3, 4);
    }

    @Test
    @Behaviour("PHUB-6")
    void aFullConsumerHoldsNobodyUpWhenThereIsAChoice() {
        for (Supplier<Partitioner<Integer>> partitioner :
                List.<Supplier<Partitioner<Integer>>>of(Partitioner::roundRobin, Partitioner::leastQueued)) {
            Hub hub = start(partitioner, 4);
            join(hub);
            Probe<Integer> fast = join(hub).request(Probe.ALL);
            hub.feed.send(range(0, 100));
            assertThat(fast.awaitReceived(96)).isSorted();
            hub.feed.fail(new IllegalStateException("the end of this round"));
            Await.until("it is over", () -> hub.state.end() != null);
        }
    }

    @Test
    @Behaviour("PHUB-6")
    void anElementWithoutAChoiceWaitsForItsConsumer() {
        Hub hub = start(() -> (consumers, element) -> element < 5 ? 0 : 1, 4);
        Probe<Integer> full = join(hub);
        Probe<Integer> empty = join(hub).request(Probe.ALL);
        hub.feed.send(range(0, 6));
        Await.until("the fifth element waits", () -> hubDetail().get("buffered") == 5);
        assertThat(empty.received()).isEmpty();
        full.request(Probe.ALL);
        assertThat(empty.awaitReceived(1)).containsExactly(5);
        assertThat(full.awaitReceived(5)).containsExactly(range(0, 5));
    }
}
