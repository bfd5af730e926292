package io.millrace.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.failure.AbruptTerminationException;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.hub.BroadcastConsumerSettings;
import io.millrace.streams.hub.BroadcastHubSettings;
import io.millrace.streams.hub.JoinPosition;
import io.millrace.streams.hub.WithoutConsumers;
import io.millrace.streams.hub.stage.BroadcastHubStage;
import io.millrace.streams.hub.stage.BroadcastHubState;
import io.millrace.testkit.Behaviour;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class BroadcastHubTest {
    private final StreamRuntime runtime =
            StreamRuntime.create(RuntimeSettings.defaults().withName("hub-test"));

    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch open = new CountDownLatch(1);

    private record Hub(Feed<Integer> feed, BroadcastHub<Integer> hub, BroadcastHubState<Integer> state) {
        Hub(Feed<Integer> feed, BroadcastHubState<Integer> state) {
            this(feed, new BroadcastHub<>(state), state);
        }
    }

    @AfterEach
    void closeRuntime() {
        runtime.close();
    }

    private Hub start(BroadcastHubSettings settings) {
        return Feed.<Integer>source()
                .toMat(new BroadcastHubStage<Integer>(settings, 0), Hub::new)
                .run(runtime);
    }

    private Hub start(int bufferSize) {
        return start(BroadcastHubSettings.defaults().withBufferSize(bufferSize));
    }

    private Probe<Integer> join(Hub hub, BroadcastConsumerSettings settings) throws Exception {
        CompletionStage<Done>[] registered = newArray();
        Source<Integer, NotUsed> source = hub.hub
                .sourceWithRegistration(settings)
                .mapMaterializedValue(future -> {
                    registered[0] = future;
                    return NotUsed.NOT_USED;
                });
        Probe<Integer> probe = Probe.of(source, runtime);
        registered[0].toCompletableFuture().get(20, TimeUnit.SECONDS);
        return probe;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static CompletionStage<Done>[] newArray() {
        return new CompletionStage[1];
    }

    private Probe<Integer> join(Hub hub) throws Exception {
        return join(hub, BroadcastConsumerSettings.defaults());
    }

    private static Integer[] range(int from, int toExclusive) {
        return IntStream.range(from, toExclusive).boxed().toArray(Integer[]::new);
    }

    @Test
    @Behaviour("BHUB-1")
    void bufferSizeIsAPowerOfTwoUpTo4096() {
        for (int wrong : new int[] {-1, 0, 3, 6, 4095, 8192}) {
            assertThatThrownBy(() -> BroadcastHub.sink(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(String.valueOf(wrong));
        }
        BroadcastHub.sink(4096);
    }

    @Test
    @Behaviour("BHUB-1")
    void aBufferOfOneDeliversEverythingInOrder() throws Exception {
        Hub hub = start(1);
        Probe<Integer> fast = join(hub).request(Probe.ALL);
        Probe<Integer> other = join(hub).request(Probe.ALL);
        hub.feed.send(range(0, 500)).complete();
        assertThat(fast.awaitCompletion()).containsExactly(range(0, 500));
        assertThat(other.awaitCompletion()).containsExactly(range(0, 500));
    }

    @Test
    void consumersAreCountedAlsoOnceTheHubHasEnded() throws Exception {
        Hub hub = start(4);
        Probe<Integer> first = join(hub).request(1);
        hub.feed.send(range(0, 3)).complete();
        Await.until("the hub has ended", () -> hub.state.end() != null);
        assertThat(hub.hub.consumerCount()).isEqualTo(1);
        assertThat(first.request(Probe.ALL).awaitCompletion()).containsExactly(0, 1, 2);
        Await.until("all have left", () -> hub.hub.consumerCount() == 0);
    }

    @Test
    @Behaviour("BHUB-2")
    void nothingIsPulledUntilEnoughConsumersAreLiveAtOnce() throws Exception {
        Hub hub = start(BroadcastHubSettings.defaults().withBufferSize(4).withStartAfterConsumers(2));
        hub.feed.send(range(0, 3));
        Probe<Integer> early = join(hub);
        early.cancel();
        Await.until("the early consumer has left", () -> hub.hub.consumerCount() == 0);
        Probe<Integer> first = join(hub).request(Probe.ALL);
        assertThat(hub.feed.pulls()).isZero();
        Probe<Integer> second = join(hub).request(Probe.ALL);
        assertThat(first.awaitReceived(3)).containsExactly(0, 1, 2);
        assertThat(second.awaitReceived(3)).containsExactly(0, 1, 2);
        second.cancel();
        Await.until("one has left", () -> hub.hub.consumerCount() == 1);
        hub.feed.send(range(3, 20));
        assertThat(first.awaitReceived(20)).containsExactly(range(0, 20));
    }

    @RepeatedTest(20)
    @Behaviour("BHUB-2")
    void whoeverIsToldThatItIsRegisteredFindsItselfCounted() throws Exception {
        int consumers = 300;
        Hub hub = start(4);
        AtomicInteger told = new AtomicInteger();
        Queue<String> uncounted = new ConcurrentLinkedQueue<>();
        Source<Integer, CompletionStage<Done>> source =
                hub.hub.sourceWithRegistration(BroadcastConsumerSettings.defaults());
        List<CompletableFuture<Void>> checked = new ArrayList<>();
        for (int i = 0; i < consumers; i++) {
            CompletionStage<Done> registered =
                    source.toMat(Sink.ignore(), Keep.left()).run(runtime);
            checked.add(registered
                    .thenAccept(done -> {
                        int atLeast = told.incrementAndGet();
                        int counted = hub.hub.consumerCount();
                        if (counted < atLeast) {
                            uncounted.add(counted + " of " + atLeast);
                        }
                    })
                    .toCompletableFuture());
        }
        CompletableFuture.allOf(checked.toArray(CompletableFuture[]::new)).get(20, TimeUnit.SECONDS);
        assertThat(uncounted).isEmpty();
        hub.feed.complete();
    }

    @Test
    @Behaviour("BHUB-3")
    void withoutConsumersTheBufferFillsAndNothingIsLost() throws Exception {
        Hub hub = start(4);
        hub.feed.send(range(0, 10));
        Await.until("four pulls and no fifth", () -> hub.feed.pulls() == 4);
        Probe<Integer> late = join(hub).request(Probe.ALL);
        assertThat(late.awaitReceived(10)).containsExactly(range(0, 10));
    }

    @Test
    @Behaviour("BHUB-3")
    void withoutConsumersElementsAreDroppedWhereThatIsTheSetting() throws Exception {
        Hub hub = start(BroadcastHubSettings.defaults().withBufferSize(4).withWithoutConsumers(WithoutConsumers.DROP));
        hub.feed.send(range(0, 10));
        Await.until("all was taken", () -> hub.feed.pulls() == 11);
        Probe<Integer> late = join(hub).request(Probe.ALL);
        hub.feed.send(10).complete();
        assertThat(late.awaitCompletion()).containsExactly(10);
    }

    @Test
    @Behaviour("BHUB-4")
    void everyConsumerGetsEverythingWhileOthersLeave() throws Exception {
        Hub hub = start(64);
        List<Probe<Integer>> staying = new ArrayList<>();
        List<Probe<Integer>> leaving = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            (i % 5 == 0 ? leaving : staying).add(join(hub));
        }
        staying.forEach(probe -> probe.request(Probe.ALL));
        for (int i = 0; i < leaving.size(); i++) {
            leaving.get(i).request(i * 10L);
        }
        hub.feed.send(range(0, 2000)).complete();
        for (int i = 0; i < leaving.size(); i++) {
            leaving.get(i).awaitReceived(i * 10);
            leaving.get(i).cancel();
            assertThat(leaving.get(i).received()).containsExactly(range(0, i * 10));
        }
        for (Probe<Integer> probe : staying) {
            assertThat(probe.awaitCompletion()).containsExactly(range(0, 2000));
        }
    }

    @Test
    @Behaviour({"BHUB-5", "BHUB-8"})
    void theSlowestSetsThePaceAndItsCancellationLetsTheOthersGoOn() throws Exception {
        Hub hub = start(4);
        Probe<Integer> fast = join(hub).request(Probe.ALL);
        Probe<Integer> slow = join(hub).request(2);
        hub.feed.send(range(0, 100));
        assertThat(slow.awaitReceived(2)).containsExactly(0, 1);
        fast.awaitReceived(6);
        Await.until("no pull beyond the slow one's buffer", () -> hub.feed.pulls() == 6);
        assertThat(fast.received()).containsExactly(range(0, 6));
        slow.cancel();
        assertThat(fast.awaitReceived(100)).containsExactly(range(0, 100));
    }

    @Test
    @Behaviour("BHUB-5")
    void whoHasWaitedForAnElementStillLetsTheOthersBeAWholeBufferAhead() throws Exception {
        Hub hub = start(4);
        Probe<Integer> fast = join(hub).request(Probe.ALL);
        Probe<Integer> slow = join(hub).request(2);
        hub.feed.send(0);
        slow.awaitReceived(1);
        Await.until(
                "all wait for the second element",
                () -> runtime.snapshot().streams().stream()
                        .flatMap(stream -> stream.islands().stream())
                        .allMatch(island -> island.state().equals("idle")));
        hub.feed.send(range(1, 100));
        assertThat(fast.awaitReceived(6)).containsExactly(range(0, 6));
        assertThat(slow.received()).containsExactly(0, 1);
    }

    @Test
    @Behaviour("BHUB-6")
    void theNextConsumerGoesOnExactlyAfterTheLast() throws Exception {
        Hub hub = start(8);
        hub.feed.send(range(0, 20));
        Probe<Integer> last = join(hub).request(5);
        assertThat(last.awaitReceived(5)).containsExactly(range(0, 5));
        last.cancel();
        Await.until("the last consumer has left", () -> hub.hub.consumerCount() == 0);
        Probe<Integer> next = join(hub).request(Probe.ALL);
        assertThat(next.awaitReceived(15)).containsExactly(range(5, 20));
    }

    @Test
    @Behaviour({"BHUB-6", "BHUB-9"})
    void whoJoinsAfterTheLastHasLeftGoesOnThereThoughTheHubHearsOfBothAtOnce() throws Exception {
        Hub hub = startHeldAt4(4);
        Probe<Integer> last = join(hub).request(2);
        hub.feed.send(range(0, 20));
        assertThat(last.awaitReceived(2)).containsExactly(0, 1);
        assertThat(reached.await(20, TimeUnit.SECONDS)).isTrue();
        leave(last, 1);
        assertThat(joinWhileHeld(hub).awaitReceived(18)).containsExactly(range(2, 20));
    }

    @Test
    @Behaviour("BHUB-6")
    void theNextGoesOnAfterTheLastOfThoseThatLeaveThoughTheHubHearsOfAllAtOnce() throws Exception {
        Hub hub = startHeldAt4(8);
        Probe<Integer> first = join(hub);
        Probe<Integer> last = join(hub);
        hub.feed.send(range(0, 20));
        assertThat(reached.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(first.request(1).awaitReceived(1)).containsExactly(0);
        assertThat(last.request(3).awaitReceived(3)).containsExactly(0, 1, 2);
        leave(first, 2);
        leave(last, 1);
        assertThat(joinWhileHeld(hub).awaitReceived(17)).containsExactly(range(3, 20));
    }

    @Test
    @Behaviour("BHUB-6")
    void theNextGoesOnAfterTheLastThatLeavesThoughItHadNewsForTheHubBeforeTheOthersLeft() throws Exception {
        Hub hub = startHeldAt4(8);
        Probe<Integer> first = join(hub);
        Probe<Integer> last = join(hub);
        hub.feed.send(range(0, 20));
        assertThat(reached.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(first.request(1).awaitReceived(1)).containsExactly(0);
        assertThat(last.request(5).awaitReceived(4)).containsExactly(range(0, 4));
        leave(first, 2);
        leave(last, 1);
        assertThat(joinWhileHeld(hub).awaitReceived(16)).containsExactly(range(4, 20));
    }

    /** A hub whose thread is held once four elements are in its buffer. */
    private Hub startHeldAt4(int bufferSize) {
        return Feed.<Integer>source()
                .map(element -> element == 4 ? held(element) : element)
                .toMat(
                        new BroadcastHubStage<Integer>(
                                BroadcastHubSettings.defaults().withBufferSize(bufferSize), 0),
                        Hub::new)
                .run(runtime);
    }

    private void leave(Probe<Integer> consumer, int streamsLeft) {
        consumer.cancel();
        Await.until(
                "the consumer's stream has ended",
                () -> runtime.snapshot().streams().size() == streamsLeft);
    }

    private Probe<Integer> joinWhileHeld(Hub hub) {
        Probe<Integer> next = Probe.of(hub.hub.source(), runtime).request(Probe.ALL);
        Await.until(
                "the next consumer waits for the hub",
                () -> runtime.snapshot().streams().stream()
                        .anyMatch(stream -> stream.islands().stream()
                                .allMatch(island -> island.state().equals("idle"))));
        open.countDown();
        return next;
    }

    private Integer held(Integer element) throws InterruptedException {
        reached.countDown();
        if (!open.await(20, TimeUnit.SECONDS)) {
            throw new IllegalStateException("held for 20 s");
        }
        return element;
    }

    @Test
    @Behaviour("BHUB-7")
    void joinersStartWhereTheyAsk() throws Exception {
        Hub hub = start(8);
        Probe<Integer> present = join(hub).request(Probe.ALL);
        hub.feed.send(range(0, 20));
        present.awaitReceived(20);
        BroadcastConsumerSettings defaults = BroadcastConsumerSettings.defaults();
        Probe<Integer> atTail = join(hub).request(Probe.ALL);
        Probe<Integer> replaying =
                join(hub, defaults.withJoinPosition(JoinPosition.replay(3))).request(Probe.ALL);
        Probe<Integer> atHead =
                join(hub, defaults.withJoinPosition(JoinPosition.head())).request(Probe.ALL);
        Probe<Integer> replayingTooMany =
                join(hub, defaults.withJoinPosition(JoinPosition.replay(1000))).request(Probe.ALL);
        hub.feed.send(20).complete();
        assertThat(atTail.awaitCompletion()).containsExactly(20);
        assertThat(replaying.awaitCompletion()).containsExactly(range(17, 21));
        assertThat(atHead.awaitCompletion()).endsWith(range(13, 21)).hasSizeGreaterThanOrEqualTo(8);
        assertThat(replayingTooMany.awaitCompletion()).endsWith(range(13, 21));
        assertThat(present.awaitCompletion()).containsExactly(range(0, 21));
    }

    @Test
    @Behaviour("BHUB-8")
    void cancellingAtOnceBlocksNobody() throws Exception {
        Hub hub = start(2);
        Probe<Integer> staying = join(hub).request(Probe.ALL);
        for (int i = 0; i < 100; i++) {
            Probe.of(hub.hub.source(), runtime).cancel();
        }
        hub.feed.send(range(0, 50)).complete();
        assertThat(staying.awaitCompletion()).containsExactly(range(0, 50));
    }

    @Test
    @Behaviour("BHUB-9")
    void cancelRacingRegistrationLeavesNoGhostAndLosesNothing() throws Exception {
        Hub hub = start(4);
        hub.feed.send(range(0, 100));
        for (int i = 0; i < 300; i++) {
            Probe.of(hub.hub.source(), runtime).cancel();
            Await.until(
                    "the consumer's stream has ended",
                    () -> runtime.snapshot().streams().size() == 1);
        }
        Await.until("all have left", () -> hub.hub.consumerCount() == 0);
        Probe<Integer> next = join(hub).request(Probe.ALL);
        assertThat(next.awaitReceived(100)).containsExactly(range(0, 100));
        assertThat(hub.hub.consumerCount()).isOne();
    }

    @Test
    @Behaviour("BHUB-9")
    void aConsumerThatLeavesBeforeItHasStartedChangesNothing() throws Exception {
        Hub hub = start(8);
        Probe<Integer> reader = join(hub).request(Probe.ALL);
        hub.feed.send(range(0, 20));
        reader.awaitReceived(20);
        reader.cancel();
        Await.until("the reader has left", () -> hub.hub.consumerCount() == 0);
        for (int i = 0; i < 100; i++) {
            Probe.of(hub.hub.source(), runtime).cancel();
        }
        Await.until(
                "the consumers' streams have ended",
                () -> runtime.snapshot().streams().size() == 1);
        hub.feed.send(20).complete();
        Await.until("the hub has ended", () -> hub.state.end() != null);
        assertThat(Probe.of(hub.hub.source(), runtime).request(Probe.ALL).awaitCompletion())
                .containsExactly(20);
    }

    @Test
    @Behaviour("BHUB-10")
    void failureReachesEveryConsumerAtOnceAndLateOnesToo() throws Exception {
        Hub hub = start(8);
        Probe<Integer> idle = join(hub);
        Probe<Integer> waiting = join(hub).request(Probe.ALL);
        hub.feed.send(1, 2, 3);
        waiting.awaitReceived(3);
        IllegalStateException failure = new IllegalStateException("boom");
        hub.feed.fail(failure);
        assertThat(waiting.awaitFailure()).isSameAs(failure);
        assertThat(idle.awaitFailure()).isSameAs(failure);
        assertThat(idle.received()).isEmpty();
        assertThat(Probe.of(hub.hub.source(), runtime).awaitFailure()).isSameAs(failure);
    }

    @Test
    @Behaviour({"BHUB-10", "BHUB-11"})
    void completionComesAfterTheBufferedElementsAndReachesLateConsumers() throws Exception {
        Hub hub = start(8);
        Probe<Integer> slow = join(hub);
        Probe<Integer> atTail = join(hub).request(Probe.ALL);
        hub.feed.send(1, 2, 3).complete();
        atTail.awaitCompletion();
        assertThat(slow.hasEnded()).isFalse();
        slow.request(3);
        assertThat(slow.awaitCompletion()).containsExactly(1, 2, 3);
        assertThat(Probe.of(hub.hub.source(), runtime).awaitCompletion()).isEmpty();
    }

    @Test
    @Behaviour("BHUB-11")
    void elementsThatNobodyTookAreKeptForTheFirstLateConsumer() throws Exception {
        Hub hub = start(8);
        hub.feed.send(1, 2, 3).complete();
        Await.until("the hub's stream has ended", () -> hub.state.end() != null);
        Probe<Integer> first = Probe.of(hub.hub.source(), runtime).request(Probe.ALL);
        assertThat(first.awaitCompletion()).containsExactly(1, 2, 3);
        assertThat(Probe.of(hub.hub.source(), runtime).awaitCompletion()).isEmpty();
    }

    @Test
    @Behaviour("BHUB-11")
    void elementsThatNobodyTookAreDroppedWhereThatIsTheSetting() throws Exception {
        Hub hub = start(BroadcastHubSettings.defaults().withBufferSize(8).withKeepAfterCompletion(false));
        hub.feed.send(1, 2, 3).complete();
        Await.until("the hub's stream has ended", () -> hub.state.end() != null);
        assertThat(Probe.of(hub.hub.source(), runtime).awaitCompletion()).isEmpty();
    }

    @Test
    @Behaviour("BHUB-12")
    void closingTheRuntimeFailsTheConsumers() throws Exception {
        Hub hub = start(8);
        Probe<Integer> waiting = join(hub).request(Probe.ALL);
        Probe<Integer> idle = join(hub);
        runtime.close();
        assertThat(waiting.awaitFailure()).isInstanceOf(AbruptTerminationException.class);
        assertThat(idle.awaitFailure()).isInstanceOf(AbruptTerminationException.class);
    }

    @Test
    @Behaviour("BHUB-13")
    void positionsSurviveOverflow() throws Exception {
        for (long first : new long[] {Long.MAX_VALUE - 5, (1L << 61) - 5, (1L << 60) - 5, -5}) {
            BroadcastHubSettings settings = BroadcastHubSettings.defaults().withBufferSize(4);
            Hub hub = Feed.<Integer>source()
                    .toMat(new BroadcastHubStage<Integer>(settings, first), Hub::new)
                    .run(runtime);
            Probe<Integer> fast = join(hub).request(Probe.ALL);
            Probe<Integer> slow = join(hub);
            hub.feed.send(range(0, 40));
            for (int i = 1; i <= 40; i++) {
                slow.request(1);
                slow.awaitReceived(i);
            }
            hub.feed.complete();
            assertThat(fast.awaitCompletion()).containsExactly(range(0, 40));
            assertThat(slow.awaitCompletion()).containsExactly(range(0, 40));
        }
    }

    @Test
    @Behaviour("BHUB-15")
    void eachConsumerRunsInItsOwnIslandAndShowsItsName() throws Exception {
        Hub hub = start(8);
        join(hub);
        join(hub);
        String snapshot = runtime.snapshot().toString();
        assertThat(snapshot).contains("broadcast-hub");
        assertThat(snapshot.split("broadcast-hub-source", -1)).hasSizeGreaterThanOrEqualTo(3);
        assertThat(runtime.snapshot().streams()).hasSize(3);
    }
}
