package io.millrace.streams;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.hub.BroadcastConsumerSettings;
import io.millrace.streams.hub.BroadcastHubSettings;
import io.millrace.streams.hub.ConsumerLaggedException;
import io.millrace.streams.hub.JoinPosition;
import io.millrace.streams.hub.LagPolicy;
import io.millrace.streams.inspect.StageSnapshot;
import io.millrace.testkit.Behaviour;
import io.millrace.testkit.VirtualTimeScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Behaviour("BHUB-14")
class BroadcastHubLagTest {
    private static final RuntimeSettings SAME_THREAD =
            RuntimeSettings.defaults().withExecutor(Runnable::run).withFailureReporter(failure -> {});

    private final StreamRuntime runtime =
            StreamRuntime.create(RuntimeSettings.defaults().withName("hub-lag-test"));
    private final AtomicReference<BroadcastHub<Integer>> hub = new AtomicReference<>();
    private final Feed<Integer> feed = Feed.<Integer>source()
            .toMat(BroadcastHub.<Integer>sink(4), (fed, made) -> {
                hub.set(made);
                return fed;
            })
            .run(runtime);

    @AfterEach
    void closeRuntime() {
        runtime.close();
    }

    private Probe<Integer> join(LagPolicy policy) throws Exception {
        return join(BroadcastConsumerSettings.defaults().withLagPolicy(policy));
    }

    private Probe<Integer> join(BroadcastConsumerSettings settings) throws Exception {
        AtomicReference<CompletionStage<Done>> registered = new AtomicReference<>();
        Source<Integer, NotUsed> source = hub.get()
                .sourceWithRegistration(settings)
                .mapMaterializedValue(future -> {
                    registered.set(future);
                    return NotUsed.NOT_USED;
                });
        Probe<Integer> probe = Probe.of(source, runtime);
        registered.get().toCompletableFuture().get(20, TimeUnit.SECONDS);
        return probe;
    }

    private static Integer[] range(int from, int toExclusive) {
        return IntStream.range(from, toExclusive).boxed().toArray(Integer[]::new);
    }

    @Test
    void dropOldestGoesOnWithTheOldestThatIsKept() throws Exception {
        Probe<Integer> fast = join(LagPolicy.BACKPRESSURE).request(Probe.ALL);
        Probe<Integer> lagging = join(LagPolicy.DROP_OLDEST).request(2);
        feed.send(range(0, 2));
        lagging.awaitReceived(2);
        feed.send(range(2, 50));
        fast.awaitReceived(50);
        lagging.request(Probe.ALL);
        feed.complete();
        assertThat(lagging.awaitCompletion()).containsExactly(0, 1, 46, 47, 48, 49);
        assertThat(fast.awaitCompletion()).containsExactly(range(0, 50));
    }

    @Test
    void dropNewestKeepsWhatItHeldAndGoesOnAtTheTail() throws Exception {
        Probe<Integer> fast = join(LagPolicy.BACKPRESSURE).request(Probe.ALL);
        Probe<Integer> lagging = join(LagPolicy.DROP_NEWEST).request(2);
        feed.send(range(0, 2));
        lagging.awaitReceived(2);
        feed.send(range(2, 50));
        fast.awaitReceived(50);
        lagging.request(Probe.ALL);
        assertThat(lagging.awaitReceived(6)).containsExactly(range(0, 6));
        feed.send(50);
        fast.awaitReceived(51);
        Await.until("it goes on at the tail", () -> {
            feed.send(1000);
            return lagging.received().contains(1000);
        });
        List<Integer> all = List.copyOf(lagging.received());
        assertThat(all.subList(0, 6)).containsExactly(range(0, 6));
        assertThat(all.subList(6, all.size())).doesNotContain(range(6, 50));
    }

    @Test
    void disconnectFailsTheLaggingConsumerAtOnceWithItsPosition() throws Exception {
        Probe<Integer> fast = join(LagPolicy.BACKPRESSURE).request(Probe.ALL);
        Probe<Integer> keepingUp = join(LagPolicy.DISCONNECT).request(4);
        Probe<Integer> lagging = join(LagPolicy.DISCONNECT).request(2);
        feed.send(range(0, 2));
        assertThat(lagging.awaitReceived(2)).containsExactly(0, 1);
        keepingUp.awaitReceived(2);
        feed.send(range(2, 4));
        keepingUp.awaitReceived(4);
        feed.send(range(4, 7));
        Throwable failure = lagging.awaitFailure();
        assertThat(failure).isInstanceOf(ConsumerLaggedException.class);
        assertThat(((ConsumerLaggedException) failure).position()).isEqualTo(2);
        assertThat(fast.awaitReceived(7)).containsExactly(range(0, 7));
        assertThat(keepingUp.awaitReceived(4)).containsExactly(range(0, 4));
        assertThat(keepingUp.hasEnded()).isFalse();
        Await.until("two are left", () -> hub.get().consumerCount() == 2);
    }

    @Test
    void aBufferThatIsExactlyFullDisconnectsNobody() throws Exception {
        Probe<Integer> lagging = join(LagPolicy.DISCONNECT);
        feed.send(range(0, 4)).complete();
        lagging.request(Probe.ALL);
        assertThat(lagging.awaitCompletion()).containsExactly(range(0, 4));
    }

    @Test
    void theLastConsumerDisconnectedLeavesItsElementsToTheNext() throws Exception {
        Probe<Integer> lagging = join(LagPolicy.DISCONNECT);
        feed.send(range(0, 6));
        assertThat(lagging.awaitFailure()).isInstanceOf(ConsumerLaggedException.class);
        feed.complete();
        Probe<Integer> next = join(LagPolicy.BACKPRESSURE).request(Probe.ALL);
        assertThat(next.awaitCompletion()).containsExactly(range(0, 6));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Behaviour("BHUB-11")
    void whereNothingIsKeptTheHubEndsWithItsLastConsumerThoughItHoldsAnElement(boolean isHeldBack) throws Exception {
        BroadcastHubSettings settings =
                BroadcastHubSettings.defaults().withBufferSize(4).withKeepAfterCompletion(false);
        Feed<Integer> fed = Feed.<Integer>source()
                .toMat(BroadcastHub.<Integer>sink(settings), (feed, made) -> {
                    hub.set(made);
                    return feed;
                })
                .run(runtime);
        Probe<Integer> lagging = join(LagPolicy.DISCONNECT);
        fed.send(range(0, 4));
        if (isHeldBack) {
            Await.until("it is full", () -> fed.pulls() == 5);
            Probe<Integer> holder = join(BroadcastConsumerSettings.defaults().withJoinPosition(JoinPosition.head()));
            fed.send(4).complete();
            holder.cancel();
        } else {
            fed.send(4).complete();
        }
        assertThat(lagging.awaitFailure()).isInstanceOf(ConsumerLaggedException.class);
        Await.until("the other hub is left", () -> detail("broadcast-hub").size() == 1);
        assertThat(join(LagPolicy.BACKPRESSURE).request(Probe.ALL).awaitCompletion())
                .isEmpty();
    }

    @Test
    void thoseThatGiveWayNeverHoldBackAndNeverAffectOthers() throws Exception {
        Probe<Integer> fast = join(LagPolicy.BACKPRESSURE).request(Probe.ALL);
        Probe<Integer> oldest = join(LagPolicy.DROP_OLDEST);
        Probe<Integer> newest = join(LagPolicy.DROP_NEWEST);
        Probe<Integer> disconnecting = join(LagPolicy.DISCONNECT);
        feed.send(range(0, 500)).complete();
        assertThat(fast.awaitCompletion()).containsExactly(range(0, 500));
        assertThat(oldest.request(Probe.ALL).awaitCompletion()).containsExactly(range(496, 500));
        assertThat(newest.request(Probe.ALL).awaitCompletion()).containsExactly(range(0, 4));
        assertThat(disconnecting.awaitFailure()).isInstanceOf(ConsumerLaggedException.class);
    }

    @Test
    void aBatchIsNeverHeldBackWhereAllConsumersDropTheOldest() throws Exception {
        int count = 10_000;
        CountDownLatch given = new CountDownLatch(count);
        hub.set(Source.range(0, count)
                .map(n -> {
                    given.countDown();
                    return n;
                })
                .toMat(BroadcastHub.<Integer>sink(64), Keep.right())
                .run(runtime));
        Probe<Integer> lagging = join(LagPolicy.DROP_OLDEST);
        assertThat(given.await(20, TimeUnit.SECONDS)).isTrue();
        // The last is given a moment before it is in the buffer.
        assertThat(lagging.request(Probe.ALL).awaitCompletion())
                .endsWith(range(count - 64, count))
                .hasSizeLessThanOrEqualTo(65);
    }

    @Test
    void oneThatComesBehindALongBufferIsDisconnectedThoughTheHubHasAskedAlready() throws Exception {
        Probe<Integer> fast = join(LagPolicy.BACKPRESSURE).request(Probe.ALL);
        feed.send(range(0, 10));
        fast.awaitReceived(10);
        Await.until("nothing is buffered", () -> detail("broadcast-hub").get(0).get("buffered") == 0);
        BroadcastConsumerSettings settings =
                patient(LagPolicy.DISCONNECT, Duration.ofMillis(50)).withJoinPosition(JoinPosition.head());
        List<Probe<Integer>> late = List.of(join(settings), join(settings));
        feed.send(range(10, 20)).complete();
        for (Probe<Integer> each : late) {
            assertThat(each.awaitFailure()).isInstanceOf(ConsumerLaggedException.class);
        }
        assertThat(fast.awaitCompletion()).containsExactly(range(0, 20));
    }

    @Test
    void oneThatComesToAFullBufferSeesWhatItHoldsBeforeItGivesWay() throws Exception {
        sees(4);
        sees(1024);
    }

    private static void sees(int size) throws Exception {
        try (StreamRuntime here = StreamRuntime.create(SAME_THREAD, new VirtualTimeScheduler())) {
            BroadcastHub<Integer> full = Source.range(0, 100_000).runWith(BroadcastHub.sink(size), here);
            for (JoinPosition where : List.of(JoinPosition.tail(), JoinPosition.head(), JoinPosition.replay(size))) {
                List<Integer> seen = new CopyOnWriteArrayList<>();
                full.source(giving(LagPolicy.DISCONNECT, where))
                        .take(size)
                        .map(seen::add)
                        .runWith(Sink.ignore(), here)
                        .toCompletableFuture()
                        .get(20, TimeUnit.SECONDS);
                assertThat(seen).hasSize(size);
            }
        }
    }

    @Test
    void oneThatComesToAFullBufferAndAsksForNothingIsNotWaitedFor() throws Exception {
        try (StreamRuntime here = StreamRuntime.create(SAME_THREAD)) {
            BroadcastHub<Integer> full = Source.range(0, 100).runWith(BroadcastHub.sink(4), here);
            Probe<Integer> idle = Probe.of(full.source(giving(LagPolicy.DISCONNECT, JoinPosition.tail())), here);
            assertThat(idle.awaitFailure()).isInstanceOf(ConsumerLaggedException.class);
            Probe<Integer> fast = Probe.of(full.source(), here);
            Probe<Integer> newest = Probe.of(full.source(giving(LagPolicy.DROP_NEWEST, JoinPosition.head())), here);
            Await.until("both have joined", () -> full.consumerCount() == 2);
            assertThat(fast.request(Probe.ALL).awaitCompletion()).containsExactly(range(0, 100));
            assertThat(newest.request(Probe.ALL).awaitCompletion()).containsExactly(range(0, 4));
        }
    }

    @Test
    void oneThatComesToAFullBufferAndIsStuckWithItsFirstElementIsNotWaitedForLong() throws Exception {
        VirtualTimeScheduler time = new VirtualTimeScheduler();
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        try (StreamRuntime there =
                StreamRuntime.create(RuntimeSettings.defaults().withThreads(2), time)) {
            AtomicReference<BroadcastHub<Integer>> made = new AtomicReference<>();
            Feed<Integer> fed = Feed.<Integer>source()
                    .toMat(BroadcastHub.<Integer>sink(4), (feed, sink) -> {
                        made.set(sink);
                        return feed;
                    })
                    .run(there);
            fed.send(range(0, 100));
            Await.until("the buffer is full", () -> fed.pulls() == 4);
            BroadcastHub<Integer> full = made.get();
            CompletionStage<Done> stuck = full.source(giving(LagPolicy.DISCONNECT, JoinPosition.tail()))
                    .map(element -> {
                        entered.countDown();
                        release.await();
                        return element;
                    })
                    .runWith(Sink.ignore(), there);
            assertThat(entered.await(20, TimeUnit.SECONDS)).isTrue();
            Probe<Integer> fast = Probe.of(full.source(), there).request(Probe.ALL);
            Await.until("the hub goes on", () -> {
                time.advance(Duration.ofSeconds(1));
                return fast.received().size() >= 50;
            });
            release.countDown();
            assertThat(stuck.toCompletableFuture())
                    .failsWithin(Duration.ofSeconds(20))
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(ConsumerLaggedException.class);
        } finally {
            release.countDown();
        }
    }

    private static BroadcastConsumerSettings giving(LagPolicy policy, JoinPosition where) {
        return BroadcastConsumerSettings.defaults().withLagPolicy(policy).withJoinPosition(where);
    }

    private static BroadcastConsumerSettings patient(LagPolicy policy, Duration patience) {
        return BroadcastConsumerSettings.defaults().withLagPolicy(policy).withPatience(patience);
    }

    @Test
    void aPatientHubWaitsBeforeItDisconnects() throws Exception {
        Duration patience = Duration.ofMillis(200);
        Probe<Integer> fast = join(LagPolicy.BACKPRESSURE).request(Probe.ALL);
        Probe<Integer> idle = join(LagPolicy.BACKPRESSURE).request(2);
        Probe<Integer> lagging = join(patient(LagPolicy.DISCONNECT, patience)).request(2);
        Probe<Integer> patientLonger =
                join(patient(LagPolicy.DISCONNECT, Duration.ofHours(1))).request(2);
        feed.send(0, 1);
        for (Probe<Integer> each : List.of(idle, lagging, patientLonger)) {
            each.awaitReceived(2);
        }
        long started = System.nanoTime();
        feed.send(range(2, 20));
        Throwable failure = lagging.awaitFailure();
        assertThat(System.nanoTime() - started).isGreaterThanOrEqualTo(patience.toNanos());
        assertThat(((ConsumerLaggedException) failure).position()).isEqualTo(2);
        patientLonger.request(Probe.ALL);
        assertThat(patientLonger.awaitReceived(6)).containsExactly(range(0, 6));
        assertThat(fast.awaitReceived(6)).containsExactly(range(0, 6));
        idle.request(Probe.ALL);
        feed.complete();
        assertThat(idle.awaitCompletion()).containsExactly(range(0, 20));
        assertThat(patientLonger.awaitCompletion()).containsExactly(range(0, 20));
        assertThat(fast.awaitCompletion()).containsExactly(range(0, 20));
    }

    @Test
    void aPatientHubKeepsAConsumerThatGoesOnInTime() throws Exception {
        Duration patience = Duration.ofMillis(300);
        VirtualTimeScheduler time = new VirtualTimeScheduler();
        try (StreamRuntime timed = StreamRuntime.create(RuntimeSettings.defaults(), time)) {
            BroadcastHub<Integer> small = Source.range(0, 1000).runWith(BroadcastHub.sink(1), timed);
            Probe<Integer> slow = Probe.of(small.source(patient(LagPolicy.DISCONNECT, patience)), timed);
            for (int wanted = 1; wanted <= 100; wanted++) {
                slow.request(1);
                slow.awaitReceived(wanted);
                Await.until("the hub measures its patience", () -> time.waiting() > 0);
                time.advance(patience.multipliedBy(9).dividedBy(10));
            }
            assertThat(slow.hasEnded()).isFalse();
            assertThat(slow.request(Probe.ALL).awaitCompletion()).containsExactly(range(0, 1000));
        }
    }

    /** A hub of four, its first consumer with an hour's patience and four elements behind, its second fast; the clock stands still. */
    private final class HeldBack implements AutoCloseable {
        final VirtualTimeScheduler time = new VirtualTimeScheduler();
        final StreamRuntime here = StreamRuntime.create(SAME_THREAD, time);
        final Feed<Integer> fed = Feed.<Integer>source()
                .toMat(BroadcastHub.<Integer>sink(4), (feed, made) -> {
                    hub.set(made);
                    return feed;
                })
                .run(here);
        final Probe<Integer> holder = patient(Duration.ofHours(1), JoinPosition.tail());
        final Probe<Integer> fast = Probe.of(hub.get().source(), here).request(Probe.ALL);

        Probe<Integer> patient(Duration patience, JoinPosition where) {
            return Probe.of(
                    hub.get()
                            .source(BroadcastHubLagTest.patient(LagPolicy.DISCONNECT, patience)
                                    .withJoinPosition(where)),
                    here);
        }

        void advanceUntilEnded(Probe<Integer> lagging, Duration step) throws Exception {
            Await.until("it has ended", () -> {
                time.advance(step);
                return lagging.hasEnded();
            });
            assertThat(lagging.awaitFailure()).isInstanceOf(ConsumerLaggedException.class);
        }

        @Override
        public void close() {
            here.close();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void onesPatienceIsNotMeasuredByThatOfOneWhoHasGoneOn(boolean leaves) throws Exception {
        try (HeldBack held = new HeldBack()) {
            Probe<Integer> hasty =
                    held.patient(Duration.ofMillis(100), JoinPosition.tail()).request(4);
            for (int n = 0; n < 4; n++) {
                held.fed.send(n);
                hasty.awaitReceived(n + 1);
            }
            held.fed.send(range(4, 9));
            held.fast.awaitReceived(4);
            if (leaves) {
                held.holder.cancel();
            } else {
                held.holder.request(Probe.ALL);
            }
            held.fast.awaitReceived(8);
            held.time.advance(Duration.ofMillis(99));
            assertThat(hasty.hasEnded()).isFalse();
            held.advanceUntilEnded(hasty, Duration.ofMillis(1));
            assertThat(held.fast.awaitReceived(9)).containsExactly(range(0, 9));
            assertThat(held.time.nowNanos()).isLessThan(Duration.ofHours(1).toNanos());
        }
    }

    @Test
    void onesPatienceBeginsWhenItComesThoughAnotherIsWaitedForAlready() throws Exception {
        try (HeldBack held = new HeldBack()) {
            held.fed.send(range(0, 5));
            held.fast.awaitReceived(4);
            held.time.advance(Duration.ofMinutes(10));
            Probe<Integer> hasty = held.patient(Duration.ofMillis(100), JoinPosition.head());
            Await.until("it has joined", () -> hub.get().consumerCount() == 3);
            held.time.advance(Duration.ofMillis(99));
            assertThat(hasty.hasEnded()).isFalse();
            held.advanceUntilEnded(hasty, Duration.ofMillis(1));
            assertThat(held.time.nowNanos()).isLessThan(Duration.ofHours(1).toNanos());
            assertThat(held.holder.hasEnded()).isFalse();
            held.advanceUntilEnded(held.holder, Duration.ofMinutes(1));
            assertThat(held.time.nowNanos())
                    .isGreaterThanOrEqualTo(Duration.ofHours(1).toNanos());
            assertThat(held.fast.awaitReceived(5)).containsExactly(range(0, 5));
        }
    }

    @Test
    void aPatientHubWaitsBeforeItDropsTheNewest() throws Exception {
        Probe<Integer> fast = join(LagPolicy.BACKPRESSURE).request(Probe.ALL);
        Probe<Integer> lagging = join(patient(LagPolicy.DROP_NEWEST, Duration.ofMillis(50)));
        feed.send(range(0, 100)).complete();
        assertThat(fast.awaitCompletion()).containsExactly(range(0, 100));
        assertThat(lagging.request(Probe.ALL).awaitCompletion()).containsExactly(range(0, 4));
    }

    @Test
    void theSnapshotTellsLagsAndDrops() throws Exception {
        Probe<Integer> fast = join(LagPolicy.BACKPRESSURE).request(Probe.ALL);
        Probe<Integer> lagging = join(LagPolicy.BACKPRESSURE).request(2);
        Probe<Integer> dropping = join(LagPolicy.DROP_OLDEST).request(1);
        feed.send(0, 1);
        dropping.awaitReceived(1);
        lagging.awaitReceived(2);
        feed.send(range(2, 50));
        Await.until("the hub is full and the fast one dry", () -> {
            long buffered = detail("broadcast-hub").get(0).get("buffered");
            return buffered == 4 && positions().equals(List.of(6L, 2L, 1L));
        });
        assertThat(detail("broadcast-hub")).containsExactly(Map.of("consumers", 3L, "buffered", 4L, "dropped", 0L));
        assertThat(detail("broadcast-hub-source"))
                .extracting(detail -> detail.get("lag"))
                .containsExactly(0L, 4L, 5L);
        lagging.cancel();
        fast.awaitReceived(50);
        dropping.request(1);
        assertThat(dropping.awaitReceived(2)).containsExactly(0, 46);
        Map<String, Long> caughtUp = Map.of("position", 47L, "lag", 3L, "dropped", 45L);
        Await.until(
                "it tells what was dropped",
                () -> detail("broadcast-hub-source").contains(caughtUp));
    }

    private List<Long> positions() {
        return detail("broadcast-hub-source").stream()
                .map(detail -> detail.get("position"))
                .toList();
    }

    private List<Map<String, Long>> detail(String stage) {
        return runtime.snapshot().streams().stream()
                .flatMap(stream -> stream.islands().stream())
                .flatMap(island -> island.stages().stream())
                .filter(shot -> shot.name().endsWith(stage))
                .map(StageSnapshot::detail)
                .toList();
    }
}
