package io.millrace.streams.operator;

import static io.millrace.streams.Await.await;
import static io.millrace.streams.Await.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Await;
import io.millrace.streams.ConnectableSource;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.SourceQueue;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.failure.StreamException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.inspect.IslandSnapshot;
import io.millrace.streams.schedule.Disposable;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.testkit.Operator;
import io.millrace.testkit.StreamRuntimeExtension;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.TestSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One run for many: who sees what, when upstream begins and ends. */
@ExtendWith(StreamRuntimeExtension.class)
final class SharingTest {
    private final RuntimeException mine = new IllegalStateException("mine");
    private final List<TestSource<Integer>> runs = Collections.synchronizedList(new ArrayList<>());

    /** A source that notes each of its runs. */
    private Source<Integer, ?> upstream() {
        return TestSource.<Integer>probe().mapMaterializedValue(runs::add);
    }

    private TestSource<Integer> run(int number) {
        Await.until(() -> runs.size() > number);
        return runs.get(number);
    }

    private static TestSink<Integer> asking(Source<Integer, ?> source, StreamRuntime runtime) {
        return source.runWith(TestSink.<Integer>probe(), runtime).request(1000);
    }

    @Test
    @Operator("publish")
    void consumersRunBeforeTheConnectionSeeEverythingAndLaterOnesWhatIsLeft(StreamRuntime runtime) throws Exception {
        CompletableFuture<Integer> last = new CompletableFuture<>();
        ConnectableSource<Integer> shared =
                Source.range(0, 4999).concat(Source.fromCompletionStage(last)).publish(runtime);
        List<CompletionStage<List<Integer>>> early = IntStream.range(0, 5)
                .mapToObj(i -> shared.source().runWith(Sink.<Integer>seq(), runtime))
                .toList();
        Disposable connection = shared.connect();
        assertThat(shared.connect()).as("while the first one lasts").isSameAs(connection);
        last.complete(4999);
        for (CompletionStage<List<Integer>> consumer : early) {
            assertThat(await(consumer)).hasSize(5000).isSorted();
        }
        Await.until(connection::isDisposed);
        assertThat(await(shared.source().runWith(Sink.<Integer>seq(), runtime))).isEmpty();
    }

    @Test
    @Operator("publish")
    void upstreamBeginsWithTheConnectionAndDisposingThatEndsBothSides(StreamRuntime runtime) {
        ConnectableSource<Integer> shared = Source.fromGraph(upstream()).publish(runtime);
        TestSink<Integer> sink = asking(shared.source(), runtime);
        sink.expectNothing(Duration.ofMillis(30));
        assertThat(runs).isEmpty();
        Disposable connection = shared.connect();
        run(0).send(1);
        sink.expectNext(1);
        connection.dispose();
        sink.expectComplete();
        run(0).awaitCancellation();
        assertThat(connection.isDisposed()).isTrue();
        Disposable second = shared.connect();
        TestSink<Integer> again = asking(shared.source(), runtime);
        run(1).send(2);
        again.expectNext(2);
        second.dispose();
        again.expectComplete();
    }

    @Test
    @Operator("publish")
    void consumersMayComeAndGoBeforeTheConnection(StreamRuntime runtime) throws Exception {
        ConnectableSource<Integer> shared = Source.fromGraph(upstream()).publish(runtime);
        TestSink<Integer> first = asking(shared.source(), runtime);
        first.cancel();
        for (int i = 0; i < 1000; i++) {
            assertThat(await(shared.source().take(0).runWith(Sink.<Integer>seq(), runtime)))
                    .isEmpty();
        }
        TestSink<Integer> staying = asking(shared.source(), runtime);
        Disposable connection = shared.connect();
        run(0).send(1);
        staying.expectNext(1);
        connection.dispose();
        staying.expectComplete();
        assertThat(runs).hasSize(1);
    }

    /** Disposed before, while and after upstream is run, with consumers on their way. */
    @Test
    @Operator("publish")
    void whoeverDisposesAtOnceEndsBothSides(StreamRuntime runtime) throws Exception {
        for (int round = 0; round < 500; round++) {
            ConnectableSource<Integer> shared = Source.fromGraph(upstream()).publish(runtime);
            List<CompletionStage<List<Integer>>> consumers = IntStream.range(0, 3)
                    .mapToObj(i -> shared.source().runWith(Sink.<Integer>seq(), runtime))
                    .toList();
            Disposable connection = shared.connect();
            if (round % 2 == 0) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(round * 100L);
            }
            connection.dispose();
            for (CompletionStage<List<Integer>> consumer : consumers) {
                assertThat(await(consumer)).isEmpty();
            }
            assertThat(await(shared.source().runWith(Sink.<Integer>seq(), runtime)))
                    .isEmpty();
        }
        for (TestSource<Integer> begun : List.copyOf(runs)) {
            begun.awaitCancellation();
        }
        Await.until("nothing runs any more", () -> runtime.snapshot().streams().isEmpty());
    }

    @Test
    @Operator("publish")
    void anUpstreamThatCannotBeRunFailsTheConsumers(StreamRuntime runtime) {
        ConnectableSource<Integer> broken = Source.fromGraph(new Unmakeable()).publish(runtime);
        CompletionStage<List<Integer>> consumer = broken.autoConnect(1).runWith(Sink.<Integer>seq(), runtime);
        assertThatThrownBy(() -> await(consumer)).cause().isSameAs(mine);
        CompletionStage<List<Integer>> late = broken.source().runWith(Sink.<Integer>seq(), runtime);
        assertThatThrownBy(() -> await(late)).cause().isSameAs(mine);
        Await.until("nothing runs any more", () -> runtime.snapshot().streams().isEmpty());
    }

    @Test
    @Operator("publish")
    void aFailureReachesEveryConsumerAndLateOnesToo(StreamRuntime runtime) {
        ConnectableSource<Integer> shared = Source.fromGraph(upstream()).publish(runtime);
        Source<Integer, ?> auto = shared.autoConnect(2);
        TestSink<Integer> one = asking(auto, runtime);
        one.expectNothing(Duration.ofMillis(30));
        assertThat(runs).isEmpty();
        TestSink<Integer> two = asking(auto, runtime);
        run(0).send(1);
        one.expectNext(1);
        two.expectNext(1);
        one.cancel();
        run(0).send(2);
        two.expectNext(2);
        run(0).fail(mine);
        assertThat(two.expectError()).isSameAs(mine);
        assertThat(asking(auto, runtime).expectError()).isSameAs(mine);
        assertThat(runs).hasSize(1);
    }

    @Test
    @Operator("publish")
    void theSlowestConsumerSetsThePace(StreamRuntime runtime) {
        ConnectableSource<Integer> shared = Source.range(0, 10_000).publish(runtime);
        TestSink<Integer> slow = shared.autoConnect(2).runWith(TestSink.probe(), runtime);
        TestSink<Integer> fast = shared.autoConnect(2).<TestSink<Integer>>runWith(TestSink.probe(), runtime);
        fast.request(10_000).expectNextN(256);
        fast.expectNothing(Duration.ofMillis(30));
        slow.request(10_000).expectNextN(10_000);
        fast.expectNextN(10_000 - 256);
        slow.expectComplete();
        fast.expectComplete();
    }

    @Test
    @Operator("publish")
    void countingConsumersBeginsAndEndsUpstreamWithThem(StreamRuntime runtime) {
        Source<Integer, ?> counted =
                Source.fromGraph(upstream()).publish(runtime).refCount();
        TestSink<Integer> one = asking(counted, runtime);
        run(0).send(1);
        one.expectNext(1);
        TestSink<Integer> two = asking(counted, runtime);
        one.cancel();
        run(0).expectPull().expectPull().expectNothing(Duration.ofMillis(30));
        two.cancel();
        run(0).awaitCancellation();
        TestSink<Integer> three = asking(counted, runtime);
        run(1).send(3).complete();
        three.expectNext(3).expectComplete();
        TestSink<Integer> four = asking(counted, runtime);
        run(2).send(4);
        four.expectNext(4);
        four.cancel();
        run(2).awaitCancellation();
    }

    /** A consumer that runs in the test's thread would begin upstream there. */
    @Test
    @Operator("publish")
    void upstreamBeginsAnewOnceItHasLetGoOfEverything(StreamRuntime runtime) throws Exception {
        CountDownLatch ending = new CountDownLatch(1);
        CountDownLatch free = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        ConnectableSource<Integer> shared = Source.repeat(7)
                .doFinally(outcome -> {
                    ending.countDown();
                    free.await();
                })
                .async()
                .mapMaterializedValue(value -> begun.incrementAndGet())
                .publish(runtime);
        try (StreamRuntime here =
                StreamRuntime.create(RuntimeSettings.defaults().withExecutor(Runnable::run))) {
            TestSink<Integer> first = asking(shared.refCount(), here);
            first.expectNext(7).cancel();
            Await.await(ending, "the source is about to end");
            TestSink<Integer> gone = asking(shared.refCount(), here);
            gone.cancel();
            TestSink<Integer> second = asking(shared.refCount(), here);
            assertThat(begun).hasValue(1);
            free.countDown();
            second.expectNext(7);
            assertThat(begun).hasValue(2);
            second.cancel();
        } finally {
            free.countDown();
        }
    }

    @Test
    @Operator("replay")
    void lateConsumersFirstSeeTheNewestElementsAlsoAfterTheEnd(StreamRuntime runtime) throws Exception {
        for (int count : new int[] {1, 3, 256}) {
            ConnectableSource<Integer> shared = Source.range(0, 1000).replay(count, runtime);
            assertThat(await(shared.autoConnect(1).runWith(Sink.<Integer>seq(), runtime)))
                    .hasSize(1000);
            List<Integer> late = await(shared.source().runWith(Sink.<Integer>seq(), runtime));
            assertThat(late).hasSize(count).isSorted().endsWith(999);
        }
        assertThatThrownBy(() -> Source.single(1).replay(0, runtime)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Source.single(1).replay(4097, runtime)).hasMessageContaining("not 4097");
        assertThatThrownBy(() -> Source.single(1).publish(runtime).autoConnect(0))
                .hasMessageContaining("consumerCount must be at least 1, not 0");
    }

    @Test
    @Operator("replay")
    void theFailureOfWhatIsReplayedReachesLateConsumersWithoutTheElements(StreamRuntime runtime) {
        ConnectableSource<Integer> shared = Source.fromGraph(upstream()).replay(2, runtime);
        TestSink<Integer> early = asking(shared.autoConnect(1), runtime);
        run(0).send(1);
        early.expectNext(1);
        run(0).fail(mine);
        assertThat(early.expectError()).isSameAs(mine);
        assertThat(asking(shared.source(), runtime).expectError()).isSameAs(mine);
    }

    @Test
    @Operator("cache")
    void theEndReachesAReaderThatAsksForNothingMore(StreamRuntime runtime) {
        Source<Integer, ?> cached = Source.fromGraph(upstream()).cache(runtime);
        TestSink<Integer> sink =
                cached.runWith(TestSink.<Integer>probe(), runtime).request(1);
        run(0).send(1);
        sink.expectNext(1);
        run(0).complete();
        sink.expectComplete();
    }

    @Test
    @Operator("cache")
    void everyRunOfACacheSeesEverythingOfOneRun(StreamRuntime runtime) throws Exception {
        Source<Integer, ?> cached = Source.fromGraph(upstream()).cache(runtime);
        TestSink<Integer> one = asking(cached, runtime);
        TestSource<Integer> source = run(0);
        for (int i = 0; i < 200; i++) {
            source.send(i);
        }
        one.expectNextN(200);
        TestSink<Integer> two = cached.runWith(TestSink.<Integer>probe(), runtime);
        two.request(3).expectNext(0, 1, 2);
        one.cancel();
        source.send(200).complete();
        assertThat(two.request(500).expectNextN(198)).endsWith(200);
        two.expectComplete();
        assertThat(await(cached.runWith(Sink.<Integer>seq(), runtime))).hasSize(201);
        assertThat(runs).hasSize(1);
    }

    @Test
    @Operator("cache")
    void aCacheKeepsTheFailureAndAnEmptyStream(StreamRuntime runtime) throws Exception {
        Source<Integer, ?> failing =
                Source.single(1).concat(Source.failed(mine)).cache(runtime);
        for (int i = 0; i < 3; i++) {
            TestSink<Integer> sink = asking(failing, runtime);
            sink.expectNext(1);
            assertThat(sink.expectError()).isSameAs(mine);
        }
        Source<Integer, ?> nothing = Source.<Integer>empty().cache(runtime);
        assertThat(await(nothing.runWith(Sink.seq(), runtime))).isEmpty();
        assertThat(await(nothing.runWith(Sink.seq(), runtime))).isEmpty();
    }

    @Test
    @Operator("cache")
    void aCacheThatCannotBeginFailsAllWhoReadIt(StreamRuntime runtime) throws Exception {
        StreamRuntime gone = StreamRuntime.create();
        Source<Integer, ?> late = Source.range(0, 3).cache(gone);
        gone.close();
        Source<Integer, ?> broken = Source.fromGraph(new Unmakeable()).cache(runtime);
        for (int i = 0; i < 3; i++) {
            CompletionStage<List<Integer>> first = late.runWith(Sink.<Integer>seq(), runtime);
            assertThatThrownBy(() -> await(first))
                    .hasCauseExactlyInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
            CompletionStage<List<Integer>> second = broken.runWith(Sink.<Integer>seq(), runtime);
            assertThatThrownBy(() -> await(second)).cause().isSameAs(mine);
            assertThat(await(broken.recover(IllegalStateException.class, failure -> 7)
                            .runWith(Sink.seq(), runtime)))
                    .containsExactly(7);
        }
    }

    /** Those that leave make room for others among those that wait; who stays is woken all the same. */
    @Test
    @Operator("cache")
    void whoStaysSeesEveryElementWhileOthersComeAndGo(StreamRuntime runtime) throws Exception {
        Source<Integer, ?> cached = Source.fromGraph(upstream()).cache(runtime);
        TestSink<Integer> staying = asking(cached, runtime);
        for (int round = 0; round < 200; round++) {
            run(0).send(round);
            List<TestSink<Integer>> others = IntStream.range(0, round % 7)
                    .mapToObj(i -> asking(cached, runtime))
                    .toList();
            for (TestSink<Integer> other : others) {
                other.expectNext(0);
                other.cancel();
            }
            staying.expectNext(round);
        }
        run(0).complete();
        staying.expectComplete();
    }

    @Test
    @Operator({"cache", "publish"})
    void whyUpstreamCannotBeMadeIsReportedOnceWithItsPlaceThere() throws Exception {
        List<StreamException> reported = Collections.synchronizedList(new ArrayList<>());
        RuntimeSettings settings = RuntimeSettings.defaults().withFailureReporter(reported::add);
        try (StreamRuntime own = StreamRuntime.create(settings)) {
            Source<Integer, ?> broken = Source.fromGraph(new Unmakeable()).named("orders");
            assertThat(awaitFailure(broken.cache(own).runWith(Sink.ignore(), own)))
                    .isSameAs(mine);
            assertThat(awaitFailure(broken.publish(own).autoConnect(1).runWith(Sink.ignore(), own)))
                    .isSameAs(mine);
        }
        assertThat(reported)
                .hasSize(2)
                .allSatisfy(report -> assertThat(report)
                        .hasMessageContaining("orders/Unmakeable: could not be made")
                        .cause()
                        .isSameAs(mine));
    }

    /** A source of which no stage can be made. */
    private final class Unmakeable extends GraphStage<SourceShape<Integer>> {
        private final SourceShape<Integer> shape = SourceShape.of(Outlet.create("unmakeable.out"));

        @Override
        public SourceShape<Integer> shape() {
            return shape;
        }

        @Override
        public GraphStageLogic createLogic(Attributes inherited) {
            throw mine;
        }
    }

    @Test
    @Operator("publish")
    void whoCannotBeRunHoldsUpNoneOfTheOthers(StreamRuntime runtime) throws Exception {
        ConnectableSource<Integer> shared = Source.range(0, 100).publish(runtime);
        CompletionStage<List<Integer>> consumer = shared.source().runWith(Sink.<Integer>seq(), runtime);
        assertThatThrownBy(() ->
                        shared.source().zip(Source.fromGraph(new Unmakeable())).runWith(Sink.ignore(), runtime))
                .hasRootCause(mine);
        shared.connect();
        assertThat(await(consumer)).hasSize(100);
        Source<Integer, ?> counted =
                Source.fromGraph(upstream()).publish(runtime).refCount();
        TestSink<Integer> staying = asking(counted, runtime);
        assertThatThrownBy(() -> counted.zip(Source.fromGraph(new Unmakeable())).runWith(Sink.ignore(), runtime))
                .hasRootCause(mine);
        run(0).send(1);
        staying.expectNext(1);
        staying.cancel();
        run(0).awaitCancellation();
    }

    @Test
    @Operator("publish")
    void whoConnectsOnARuntimeThatIsClosedIsToldAndSoIsEveryConsumer(StreamRuntime runtime) {
        StreamRuntime gone = StreamRuntime.create();
        ConnectableSource<Integer> shared = Source.range(0, 3).publish(gone);
        gone.close();
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(shared::connect).hasMessageContaining("closed");
            assertThatThrownBy(() -> shared.source().runWith(Sink.ignore(), runtime))
                    .hasRootCauseInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> shared.refCount().runWith(Sink.ignore(), runtime))
                    .hasRootCauseInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    @Operator("publish")
    void whoConnectsAfterTheRuntimeWasClosedIsToldAndSoAreThoseThatWait(StreamRuntime runtime) {
        StreamRuntime gone = StreamRuntime.create();
        ConnectableSource<Integer> shared = Source.range(0, 3).publish(gone);
        TestSink<Integer> waiting = asking(shared.source(), runtime);
        Await.until("it is there, and not only on its way", () -> isIdle(runtime));
        gone.close();
        assertThatThrownBy(shared::connect)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThat(waiting.expectError()).isInstanceOf(IllegalStateException.class);
        ConnectableSource<Integer> broken = Source.fromGraph(new Unmakeable()).publish(runtime);
        assertThatThrownBy(broken::connect).hasRootCause(mine);
    }

    private static boolean isIdle(StreamRuntime runtime) {
        List<String> states = runtime.snapshot().streams().stream()
                .flatMap(stream -> stream.islands().stream())
                .map(IslandSnapshot::state)
                .toList();
        return !states.isEmpty() && states.stream().allMatch("idle"::equals);
    }

    @Test
    @Operator("cache")
    void manyReadersOnManyThreadsSeeEveryElementInOrder(StreamRuntime runtime) throws Exception {
        for (int round = 0; round < 20; round++) {
            Source<Integer, ?> cached = Source.range(0, 3000).cache(runtime);
            List<? extends CompletionStage<List<Integer>>> readers = IntStream.range(0, 8)
                    .mapToObj(i -> cached.runWith(Sink.<Integer>seq(), runtime))
                    .toList();
            for (CompletionStage<List<Integer>> reader : readers) {
                assertThat(await(reader))
                        .isEqualTo(IntStream.range(0, 3000).boxed().toList());
            }
        }
    }

    @Test
    @Operator("cache")
    void whatComesWhileAReaderLooksForItIsNotMissed(StreamRuntime runtime) throws Exception {
        for (int round = 0; round < 20_000; round++) {
            Source<Integer, ?> cached = Source.single(round).cache(runtime);
            assertThat(await(cached.runWith(Sink.<Integer>seq(), runtime))).containsExactly(round);
        }
    }

    /** One that has joined far behind and takes nothing keeps the hub full; when it leaves, too, nobody makes room. */
    @Test
    void nothingIsLeftOfAReplayWhoseHubWasFullWhenTheLastConsumerLeft(StreamRuntime runtime) {
        AtomicReference<SourceQueue<Integer>> queue = new AtomicReference<>();
        Source<Integer, NotUsed> source = Source.<Integer>queue(1_000)
                .mapMaterializedValue(made -> {
                    queue.set(made);
                    return NotUsed.NOT_USED;
                })
                .replay(256, runtime)
                .refCount();
        TestSink<Integer> all = source.runWith(TestSink.probe(), runtime);
        Await.until("it is connected", () -> queue.get() != null);
        all.request(1_000);
        for (int i = 0; i < 300; i++) {
            queue.get().offer(i);
        }
        all.expectNextN(300);
        TestSink<Integer> behind = source.runWith(TestSink.probe(), runtime);
        Await.until("it has joined", () -> runtime.snapshot().toString().contains("consumers=2"));
        queue.get().offer(300);
        all.expectNothing(Duration.ofMillis(20));
        all.cancel();
        behind.cancel();
        Await.until("nothing runs any more", () -> runtime.snapshot().streams().isEmpty());
    }
}
