package io.millrace.streams.operator.substreams;

import static io.millrace.streams.Await.await;
import static io.millrace.streams.Await.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Await;
import io.millrace.streams.Flow;
import io.millrace.streams.Keep;
import io.millrace.streams.KeyedSource;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.Supervision;
import io.millrace.testkit.Operator;
import io.millrace.testkit.StreamRuntimeExtension;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.TestSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Splitting by position, and streams made of elements: failures, cancellation, fairness, and who waits for whom. */
@ExtendWith(StreamRuntimeExtension.class)
final class SubstreamsTest {
    private final RuntimeException mine = new IllegalStateException("mine");

    private record Ends<T>(TestSource<Integer> source, TestSink<T> sink) {}

    private static <T> Ends<T> run(Source<T, TestSource<Integer>> source, StreamRuntime runtime) {
        Pair<TestSource<Integer>, TestSink<T>> ends =
                source.toMat(TestSink.<T>probe(), Keep.both()).run(runtime);
        return new Ends<>(ends.first(), ends.second());
    }

    @Test
    @Operator({"splitWhen", "splitAfter"})
    void splittingMakesASubstreamOfEachPart(StreamRuntime runtime) throws Exception {
        Flow<Integer, List<Integer>, NotUsed> parts = Flow.<Integer>create().grouped(100);
        Source<Integer, NotUsed> numbers = Source.of(1, 2, 3, 4, 5, 6, 7);
        assertThat(await(numbers.splitWhen(n -> n % 3 == 0)
                        .via(parts)
                        .concatSubstreams()
                        .runWith(Sink.seq(), runtime)))
                .containsExactly(List.of(1, 2), List.of(3, 4, 5), List.of(6, 7));
        assertThat(await(numbers.splitAfter(n -> n % 3 == 0)
                        .via(parts)
                        .concatSubstreams()
                        .runWith(Sink.seq(), runtime)))
                .containsExactly(List.of(1, 2, 3), List.of(4, 5, 6), List.of(7));
        assertThat(await(numbers.splitWhen(n -> true)
                        .via(parts)
                        .concatSubstreams()
                        .runWith(Sink.seq(), runtime)))
                .hasSize(7);
    }

    @Test
    @Operator({"splitWhen", "splitAfter"})
    void theRestOfACancelledPartIsDropped(StreamRuntime runtime) throws Exception {
        Flow<Integer, Integer, NotUsed> first = Flow.<Integer>create().take(1);
        Source<Integer, NotUsed> numbers = Source.range(1, 1001);
        assertThat(await(numbers.splitWhen(n -> n % 500 == 0)
                        .via(first)
                        .concatSubstreams()
                        .runWith(Sink.seq(), runtime)))
                .containsExactly(1, 500, 1000);
        assertThat(await(numbers.splitAfter(n -> n % 500 == 0)
                        .via(first)
                        .concatSubstreams()
                        .runWith(Sink.seq(), runtime)))
                .containsExactly(1, 501);
    }

    @Test
    @Operator("splitAfter")
    void aPartEndsWithItsLastElementNotWithTheNextPart(StreamRuntime runtime) {
        Ends<Integer> ends = run(
                TestSource.<Integer>probe()
                        .splitAfter(n -> n == 2)
                        .via(Flow.<Integer>create().fold(0, Integer::sum))
                        .concatSubstreams(),
                runtime);
        ends.sink().request(2);
        ends.source().send(1).send(2);
        ends.sink().expectNext(3);
        ends.sink().cancel();
        ends.source().awaitCancellation();
    }

    @Test
    @Operator("prefixAndTail")
    void aShortStreamHasAPrefixAndAnEmptyTail(StreamRuntime runtime) throws Exception {
        Pair<List<Integer>, Source<Integer, NotUsed>> split =
                await(Source.of(1, 2).prefixAndTail(5).runWith(Sink.head(), runtime));
        assertThat(split.first()).containsExactly(1, 2);
        assertThat(await(split.second().runWith(Sink.seq(), runtime))).isEmpty();
        Pair<List<Integer>, Source<Integer, NotUsed>> none =
                await(Source.of(1, 2).prefixAndTail(0).runWith(Sink.head(), runtime));
        assertThat(none.first()).isEmpty();
        assertThat(await(none.second().runWith(Sink.seq(), runtime))).containsExactly(1, 2);
    }

    @Test
    @Operator("prefixAndTail")
    void theTailCancelsAndFailsLikeItsStream(StreamRuntime runtime) throws Exception {
        Ends<Pair<List<Integer>, Source<Integer, NotUsed>>> ends =
                run(TestSource.<Integer>probe().prefixAndTail(1), runtime);
        ends.sink().request(1);
        ends.source().send(1);
        Source<Integer, NotUsed> tail = ends.sink().expectNext().second();
        assertThat(await(tail.take(0).runWith(Sink.seq(), runtime))).isEmpty();
        ends.source().awaitCancellation();

        Source<Integer, NotUsed> failing = await(Source.of(1)
                        .concat(Source.failed(mine))
                        .prefixAndTail(1)
                        .runWith(Sink.head(), runtime))
                .second();
        assertThatThrownBy(() -> await(failing.runWith(Sink.seq(), runtime))).hasCause(mine);
        assertThatThrownBy(() -> Source.single(1).prefixAndTail(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Operator({"flatMapConcat", "flatMapMerge"})
    void aFailureInsideFailsTheStreamAndCancelsTheOthers(StreamRuntime runtime) {
        Ends<Integer> ends = run(
                TestSource.<Integer>probe()
                        .flatMapMerge(
                                3,
                                n -> n == 0
                                        ? Source.<Integer>failed(mine)
                                        : Source.<Integer>never().map(m -> m)),
                runtime);
        ends.sink().request(1);
        ends.source().send(1).send(2).send(0);
        assertThat(ends.sink().expectError()).isSameAs(mine);
        assertThat(ends.source().awaitCancellation()).isSameAs(mine);
        assertThatThrownBy(() -> await(Source.single(1)
                        .flatMapConcat(n -> Source.single(n).concat(Source.failed(mine)))
                        .runWith(Sink.ignore(), runtime)))
                .hasCause(mine);
    }

    @Test
    @Operator("flatMapMerge")
    void cancellingCancelsWhatRunsInside(StreamRuntime runtime) {
        List<TestSource<Integer>> inner = Collections.synchronizedList(new ArrayList<>());
        Ends<Integer> ends = run(
                TestSource.<Integer>probe()
                        .flatMapMerge(3, n -> TestSource.<Integer>probe().mapMaterializedValue(inner::add)),
                runtime);
        ends.sink().request(1);
        ends.source().send(1).send(2);
        Await.until(() -> inner.size() == 2);
        ends.sink().cancel(mine);
        assertThat(ends.source().awaitCancellation()).isSameAs(mine);
        inner.forEach(TestSource::awaitCancellation);
    }

    @Test
    @Operator("flatMapMerge")
    void whatRunsInsideGoesOnWhenUpstreamHasCompleted(StreamRuntime runtime) {
        List<TestSource<Integer>> inner = Collections.synchronizedList(new ArrayList<>());
        Ends<Integer> ends = run(
                TestSource.<Integer>probe()
                        .flatMapMerge(3, n -> TestSource.<Integer>probe().mapMaterializedValue(inner::add)),
                runtime);
        ends.sink().request(5);
        ends.source().send(1).send(2).complete();
        Await.until(() -> inner.size() == 2);
        inner.get(0).send(7);
        ends.sink().expectNext(7);
        inner.get(0).complete();
        inner.get(1).send(8);
        ends.sink().expectNext(8);
        inner.get(1).complete();
        ends.sink().expectComplete();
    }

    @Test
    @Operator("flatMapMerge")
    void noMoreRunAtOnceThanTheBreadthAllows(StreamRuntime runtime) throws Exception {
        AtomicInteger open = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Source<Integer, ?> merged = Source.range(0, 200).flatMapMerge(3, n -> {
            most.accumulateAndGet(open.incrementAndGet(), Math::max);
            return Source.range(0, 20).map(m -> m == 19 ? -open.decrementAndGet() - 1 : m);
        });
        assertThat(await(merged.runWith(Sink.seq(), runtime))).hasSize(4000);
        assertThat(most.get()).isBetween(2, 4);
    }

    @Test
    @Operator("flatMapMerge")
    void thoseWithElementsHaveTheirTurnsInTurn(StreamRuntime runtime) throws Exception {
        List<Integer> loops = await(Source.of(1, 2, 3)
                .flatMapMerge(3, Source::repeat)
                .drop(10)
                .take(300)
                .runWith(Sink.seq(), runtime));
        for (int i = 1; i <= 3; i++) {
            assertThat(Collections.frequency(loops, i)).isBetween(90, 110);
        }
        Set<Integer> seen = new HashSet<>();
        List<Integer> streams = await(Source.of(1, 2)
                .flatMapMerge(2, n -> Source.repeat(n).map(m -> m))
                .filter(n -> seen.add(n) || seen.size() == 2) // from when both run
                .grouped(200_000)
                .filter(some -> hasTurnsOf(1, some) && hasTurnsOf(2, some)) // the thread of one may have been held up
                .runWith(Sink.head(), runtime));
        assertThat(streams).hasSize(200_000);
    }

    private static boolean hasTurnsOf(int stream, List<Integer> some) {
        return Collections.frequency(some, stream) >= 200;
    }

    @Test
    @Operator("flatMapConcat")
    void theNextBeginsWhenTheOneBeforeHasEnded(StreamRuntime runtime) {
        List<TestSource<Integer>> inner = Collections.synchronizedList(new ArrayList<>());
        Ends<Integer> ends = run(
                TestSource.<Integer>probe()
                        .flatMapConcat(n -> TestSource.<Integer>probe().mapMaterializedValue(inner::add)),
                runtime);
        ends.sink().request(5);
        ends.source().expectPull().send(1).send(2);
        Await.until("the first has begun", () -> inner.size() == 1);
        ends.source().expectNothing(Duration.ofMillis(50));
        assertThat(inner).hasSize(1);
        inner.get(0).complete();
        ends.source().expectPull();
        Await.until(() -> inner.size() == 2);
        inner.get(1).complete();
        ends.source().complete();
        ends.sink().expectComplete();
    }

    @Test
    @Operator("flatMapMerge")
    void whatRunsInsideIsHeldBackByDownstream(StreamRuntime runtime) {
        AtomicInteger made = new AtomicInteger();
        TestSink<Integer> sink = Source.single(1)
                .flatMapMerge(2, n -> Source.repeat(n).map(m -> made.incrementAndGet()))
                .withAttributes(Attributes.inputBuffer(4))
                .runWith(TestSink.probe(), runtime);
        sink.request(1).expectNext(1);
        Await.until("the buffer is full", () -> made.get() >= 4);
        sink.expectNothing(Duration.ofMillis(50));
        assertThat(made.get()).isLessThanOrEqualTo(8);
        sink.cancel();
    }

    @Test
    @Operator({"flatMapConcat", "switchMap", "expandRecursively"})
    void whatTheFunctionThrowsFailsTheStreamUnlessSupervisionDropsTheElement(StreamRuntime runtime) throws Exception {
        Attributes resume = Attributes.supervision(Supervision.resume());
        Source<Integer, NotUsed> numbers = Source.of(5, 0, 1);
        List<Source<Integer, NotUsed>> flattened = List.of(
                numbers.flatMapConcat(n -> Source.single(10 / n)),
                numbers.switchMap(n -> Source.single(10 / n)),
                numbers.expandRecursively(n -> n > 9 || 10 / n == n
                        ? Source.empty()
                        : Source.single(10 / n).take(10 % n)));
        for (Source<Integer, NotUsed> source : flattened) {
            assertThatThrownBy(() -> await(source.runWith(Sink.ignore(), runtime)))
                    .hasStackTraceContaining("/ by zero");
            assertThat(await(source.withAttributes(resume).runWith(Sink.seq(), runtime)))
                    .isNotEmpty();
        }
        assertThatThrownBy(() -> await(numbers.<Integer>flatMapConcat(n -> null).runWith(Sink.ignore(), runtime)))
                .hasMessageContaining("returned null");
    }

    @Test
    @Operator("switchMap")
    void theNewestElementEndsWhatTheOneBeforeHasBegun(StreamRuntime runtime) {
        List<TestSource<Integer>> inner = Collections.synchronizedList(new ArrayList<>());
        Ends<Integer> ends = run(
                TestSource.<Integer>probe()
                        .switchMap(n -> TestSource.<Integer>probe().mapMaterializedValue(inner::add)),
                runtime);
        ends.sink().request(5);
        ends.source().send(1);
        Await.until(() -> inner.size() == 1);
        inner.get(0).send(10);
        ends.sink().expectNext(10);
        ends.source().send(2);
        inner.get(0).awaitCancellation();
        Await.until(() -> inner.size() == 2);
        ends.source().complete();
        inner.get(1).send(20);
        ends.sink().expectNext(20);
        inner.get(1).complete();
        ends.sink().expectComplete();
    }

    @Test
    @Operator("switchMap")
    void aFailureInsideASwitchFailsTheStream(StreamRuntime runtime) {
        Ends<Integer> ends = run(TestSource.<Integer>probe().switchMap(n -> Source.<Integer>failed(mine)), runtime);
        ends.sink().request(1);
        ends.source().send(1);
        assertThat(ends.sink().expectError()).isSameAs(mine);
        ends.source().awaitCancellation();
    }

    @Test
    @Operator("expandRecursively")
    void aTreeComesLevelByLevel(StreamRuntime runtime) throws Exception {
        Source<String, NotUsed> tree = Source.of("a", "b")
                .expandRecursively(node -> node.length() < 3 ? Source.of(node + "0", node + "1") : Source.empty());
        assertThat(await(tree.runWith(Sink.seq(), runtime)))
                .containsExactly(
                        "a", "b", "a0", "a1", "b0", "b1", "a00", "a01", "a10", "a11", "b00", "b01", "b10", "b11");
        assertThat(await(Source.single(1)
                        .expandRecursively(n -> Source.single(n + 1).map(m -> m))
                        .take(100)
                        .runWith(Sink.last(), runtime)))
                .isEqualTo(100);
    }

    @Test
    @Operator("switchOnFirst")
    void theFirstElementDecidesOnTheFlowOfAll(StreamRuntime runtime) throws Exception {
        Flow<String, String, NotUsed> chosen = Flow.<String>create()
                .switchOnFirst(first -> first.equals("upper")
                        ? Flow.of(String::toUpperCase)
                        : Flow.<String>create().drop(1));
        assertThat(await(Source.of("upper", "a").via(chosen).runWith(Sink.seq(), runtime)))
                .containsExactly("UPPER", "A");
        assertThat(await(Source.of("plain", "a").via(chosen).runWith(Sink.seq(), runtime)))
                .containsExactly("a");
        assertThatThrownBy(() -> await(Source.<String>failed(mine).via(chosen).runWith(Sink.seq(), runtime)))
                .hasCause(mine);
    }

    /** What supervision drops is an element; the function stands for all of them. */
    @Test
    @Operator("switchOnFirst")
    void aFlowThatIsNotMadeFailsTheStreamWhateverSupervisionSays(StreamRuntime runtime) throws Exception {
        Source<Integer, NotUsed> switched = Source.of(1, 2).switchOnFirst(first -> {
            throw mine;
        });
        Source<Integer, NotUsed> missing = Source.of(1, 2).switchOnFirst(first -> null);
        for (Supervision supervision : List.of(Supervision.resume(), Supervision.restart())) {
            Attributes attributes = Attributes.supervision(supervision);
            assertThat(awaitFailure(switched.withAttributes(attributes).runWith(Sink.seq(), runtime)))
                    .isSameAs(mine);
            assertThat(awaitFailure(missing.withAttributes(attributes).runWith(Sink.seq(), runtime)))
                    .isInstanceOf(NullPointerException.class);
        }
        List<Throwable> told = Collections.synchronizedList(new ArrayList<>());
        assertThat(awaitFailure(switched.onErrorContinue(told::add).runWith(Sink.seq(), runtime)))
                .isSameAs(mine);
        assertThat(told).isEmpty();
        assertThat(await(Source.of(1, 2, 3)
                        .switchOnFirst(first -> Flow.of((Integer n) -> {
                            if (n == 2) {
                                throw mine;
                            }
                            return n * 10;
                        }))
                        .withAttributes(Attributes.supervision(Supervision.resume()))
                        .runWith(Sink.seq(), runtime)))
                .containsExactly(10, 30);
    }

    @Test
    @Operator("splitAfter")
    void aPartEndsWithItsLastElementAndNotWithTheNextPart(StreamRuntime runtime) throws Exception {
        Source<String, NotUsed> words = Source.of("It", "never", "rains.").concat(Source.<String>never());
        assertThat(await(words.splitAfter(word -> word.endsWith("."))
                        .reduce((text, word) -> text + " " + word)
                        .concatSubstreams()
                        .runWith(Sink.head(), runtime)))
                .isEqualTo("It never rains.");
    }

    /** The iterator gives its elements in one batch, and waits for ever, within a function call, for what comes after them. */
    @Test
    @Operator("splitAfter")
    void aPartEndsWithItsLastElementWhileTheIteratorWaitsForTheNext(StreamRuntime runtime) throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        Iterator<String> words = new Iterator<>() {
            private final Iterator<String> first =
                    List.of("It", "never", "rains.").iterator();

            @Override
            public boolean hasNext() {
                return first.hasNext() || waits();
            }

            private boolean waits() {
                try {
                    never.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return false;
            }

            @Override
            public String next() {
                return first.next();
            }
        };
        CompletableFuture<String> sentence = new CompletableFuture<>();
        Source.fromIterator(() -> words)
                .splitAfter(word -> word.endsWith("."))
                .reduce((text, word) -> text + " " + word)
                .to(Sink.foreach(sentence::complete))
                .run(runtime);
        try {
            assertThat(await(sentence)).isEqualTo("It never rains.");
        } finally {
            never.countDown();
        }
    }

    /** Upstream is in one batch, of which nobody wants more than the first part. */
    @Test
    @Operator("splitAfter")
    void nothingIsTakenBehindTheLastPartThatSomebodyWants(StreamRuntime runtime) throws Exception {
        AtomicInteger taken = new AtomicInteger();
        Source<Integer, NotUsed> numbers = Source.range(0, 100_000).map(n -> {
            taken.incrementAndGet();
            return n;
        });
        List<Integer> part = await(numbers.splitAfter(n -> n == 20_000)
                .keyedSources()
                .take(1)
                .flatMapConcat(KeyedSource::source)
                .runWith(Sink.seq(), runtime));
        assertThat(part).hasSize(20_001);
        assertThat(taken).hasValueLessThan(20_100);
    }
}
