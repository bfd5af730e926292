package io.millrace.streams.operator.substreams;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Await;
import io.millrace.streams.Flow;
import io.millrace.streams.Keep;
import io.millrace.streams.KeyedSource;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.SubstreamsSource;
import io.millrace.streams.failure.SubstreamNotRunException;
import io.millrace.streams.failure.TooManySubstreamsException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.GroupBySettings;
import io.millrace.streams.graph.GroupBySettings.AfterCancellation;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.Supervision;
import io.millrace.testkit.Operator;
import io.millrace.testkit.StreamRuntimeExtension;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.TestSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Substreams by key: what reaches them, how they end, and that nothing stands still in silence. */
@ExtendWith(StreamRuntimeExtension.class)
@Operator("groupBy")
final class GroupByTest {
    private static final Duration SHORT = Duration.ofMillis(100);

    private static List<Integer> numbers(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    @Test
    void everyElementComesOnceAndInTheOrderOfItsKey(StreamRuntime runtime) throws Exception {
        List<Pair<Integer, Integer>> seen = await(Source.range(0, 3000)
                .groupBy(10, n -> n % 7)
                .<Pair<Integer, Integer>>viaKeyed(key -> Flow.of((Integer n) -> new Pair<>(key, n)))
                .mergeSubstreams()
                .runWith(Sink.seq(), runtime));
        Map<Integer, List<Integer>> byKey = seen.stream()
                .collect(Collectors.groupingBy(Pair::first, Collectors.mapping(Pair::second, Collectors.toList())));
        assertThat(byKey).hasSize(7);
        byKey.forEach((key, elements) -> assertThat(elements)
                .isEqualTo(numbers(3000).stream().filter(n -> n % 7 == key).toList()));
    }

    @Test
    void substreamsCanBeTakenAsElements(StreamRuntime runtime) throws Exception {
        Flow<Integer, String, ?> sums = Flow.<Integer>create()
                .groupBy(2, n -> n % 2 == 0 ? "even" : "odd")
                .keyedSources()
                .flatMapMerge(2, one -> one.source().fold(0, Integer::sum).map(sum -> one.key() + "=" + sum));
        assertThat(await(Source.range(1, 5).via(sums).runWith(Sink.seq(), runtime)))
                .containsExactlyInAnyOrder("odd=4", "even=6");
    }

    @Test
    void everySubstreamCanBeRunIntoASinkOfItsOwn(StreamRuntime runtime) {
        Queue<List<Integer>> seen = new ConcurrentLinkedQueue<>();
        Source.range(0, 6)
                .groupBy(2, n -> n % 2)
                .via(Flow.<Integer>create().grouped(3))
                .to(Sink.foreach(seen::add))
                .run(runtime);
        Await.until(() -> seen.size() == 2);
        assertThat(seen).containsExactlyInAnyOrder(List.of(0, 2, 4), List.of(1, 3, 5));
    }

    @Test
    void moreLiveKeysThanTheBreadthFailAndSaySo(StreamRuntime runtime) {
        CompletionStage<?> end = Source.range(0, 1000)
                .groupBy(9, n -> n % 3)
                .keyedSources()
                .flatMapMerge(2, KeyedSource::source)
                .withAttributes(Attributes.subscriptionTimeout(SHORT))
                .runWith(Sink.ignore(), runtime);
        assertThatThrownBy(() -> await(end))
                .hasCauseInstanceOf(SubstreamNotRunException.class)
                .hasMessageContaining("3 substreams, but only 2 of them are run")
                .hasMessageContaining("the one of key 2")
                .hasMessageContaining("breadth of at least 9");
    }

    @Test
    void keysThatAreJoinedOneAfterTheOtherFailAndSaySo(StreamRuntime runtime) {
        CompletionStage<?> end = Source.range(0, 1000)
                .groupBy(9, n -> n % 3)
                .concatSubstreams()
                .withAttributes(Attributes.subscriptionTimeout(SHORT))
                .runWith(Sink.ignore(), runtime);
        assertThatThrownBy(() -> await(end)).hasMessageContaining("2 substreams, but only 1 of them are run");
    }

    @Test
    void elementsOfASubstreamThatIsNotWantedAreDropped(StreamRuntime runtime) throws Exception {
        Flow<Integer, Integer, NotUsed> joined = Flow.<Integer>create().merge(Source.empty());
        for (UnaryOperator<KeyedSource<Integer, Integer>> behind :
                List.<UnaryOperator<KeyedSource<Integer, Integer>>>of(
                        one -> one, one -> one.via(Flow.of((Integer n) -> n)), one -> one.via(joined))) {
            assertThat(await(Source.range(0, 1000)
                            .groupBy(3, n -> n % 3)
                            .keyedSources()
                            .map(behind::apply)
                            .filter(one -> {
                                if (one.key() != 1) {
                                    one.cancel();
                                }
                                return one.key() == 1;
                            })
                            .flatMapMerge(2, KeyedSource::source)
                            .runWith(Sink.seq(), runtime)))
                    .isEqualTo(numbers(1000).stream().filter(n -> n % 3 == 1).toList());
        }
    }

    @Test
    void aSubstreamThatNobodyRunsFailsTheStreamOnceItIsFull(StreamRuntime runtime) {
        CompletionStage<?> end = Source.range(0, 1000)
                .groupBy(9, n -> n % 3)
                .keyedSources()
                .withAttributes(Attributes.subscriptionTimeout(SHORT))
                .runWith(Sink.ignore(), runtime);
        assertThatThrownBy(() -> await(end))
                .hasCauseInstanceOf(SubstreamNotRunException.class)
                .hasMessageContaining("only 0 of them are run");
    }

    @Test
    void moreKeysThanAllowedFailTheStream(StreamRuntime runtime) {
        CompletionStage<?> end =
                Source.range(0, 10).groupBy(3, n -> n).mergeSubstreams().runWith(Sink.ignore(), runtime);
        assertThatThrownBy(() -> await(end))
                .hasCauseInstanceOf(TooManySubstreamsException.class)
                .hasMessageContaining("key 3 would be one more than the 3 substreams");
    }

    @Test
    void elementsOfACancelledSubstreamAreDroppedOrOpenANewOne(StreamRuntime runtime) throws Exception {
        Source<Integer, ?> numbers = Source.range(0, 2000);
        GroupBySettings settings = GroupBySettings.of(4);
        assertThat(await(numbers.groupBy(settings, n -> n % 4)
                        .via(Flow.<Integer>create().take(1))
                        .mergeSubstreams()
                        .runWith(Sink.seq(), runtime)))
                .containsExactlyInAnyOrder(0, 1, 2, 3);
        List<Integer> reopened =
                await(numbers.groupBy(settings.withAfterCancellation(AfterCancellation.REOPEN), n -> n % 4)
                        .via(Flow.<Integer>create().take(1))
                        .mergeSubstreams()
                        .runWith(Sink.seq(), runtime));
        assertThat(reopened).contains(0, 1, 2, 3).hasSizeGreaterThan(4).doesNotHaveDuplicates();
    }

    @Test
    void aFailureOfUpstreamReachesEverySubstream(StreamRuntime runtime) throws Exception {
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        RuntimeException mine = new IllegalStateException("mine");
        Source.of(1, 2, 3)
                .concat(Source.failed(mine))
                .groupBy(3, n -> n)
                .to(Sink.<Integer>onComplete(end -> end.ifPresent(failures::add)))
                .run(runtime);
        Await.until(() -> failures.size() == 3);
        assertThat(failures).containsOnly(mine);
    }

    @Test
    void aFailureInASubstreamFailsWhatJoinsThemAndCancelsUpstream(StreamRuntime runtime) {
        Pair<TestSource<Integer>, TestSink<Integer>> ends = TestSource.<Integer>probe()
                .groupBy(3, n -> n)
                .via(Flow.of((Integer n) -> 10 / n))
                .mergeSubstreams()
                .toMat(TestSink.<Integer>probe(), Keep.both())
                .run(runtime);
        ends.second().request(3);
        ends.first().send(5);
        ends.second().expectNext(2);
        ends.first().send(0);
        assertThat(ends.second().expectError()).hasStackTraceContaining("/ by zero");
        ends.first().awaitCancellation();
    }

    @Test
    void cancellingWhatJoinsTheSubstreamsCancelsUpstream(StreamRuntime runtime) {
        Pair<TestSource<Integer>, TestSink<Integer>> ends = TestSource.<Integer>probe()
                .groupBy(3, n -> n)
                .mergeSubstreams()
                .toMat(TestSink.<Integer>probe(), Keep.both())
                .run(runtime);
        ends.second().request(2);
        ends.first().send(1).send(2);
        ends.second().expectNextN(2);
        ends.second().cancel();
        ends.first().awaitCancellation();
    }

    @Test
    void aSubstreamWithoutRoomHoldsUpstreamBack(StreamRuntime runtime) {
        Pair<TestSource<Integer>, TestSink<KeyedSource<Integer, Integer>>> ends = TestSource.<Integer>probe()
                .groupBy(3, n -> n % 3)
                .keyedSources()
                .withAttributes(Attributes.inputBuffer(2))
                .toMat(TestSink.<KeyedSource<Integer, Integer>>probe(), Keep.both())
                .run(runtime);
        TestSource<Integer> source = ends.first();
        ends.second().request(1);
        source.expectPull().send(0);
        TestSink<Integer> zeros = ends.second().expectNext().source().runWith(TestSink.probe(), runtime);
        source.expectPull().send(3).expectPull().send(6);
        source.expectNothing(Duration.ofMillis(50));
        zeros.request(2).expectNext(0, 3);
        source.expectPull();
        zeros.request(1).expectNext(6);
        source.complete();
        zeros.expectComplete();
        ends.second().expectComplete();
    }

    @Test
    void whatTheKeyFunctionThrowsFailsTheStreamUnlessSupervisionDropsTheElement(StreamRuntime runtime)
            throws Exception {
        Source<Integer, ?> joined = Source.of(1, 0, 5).groupBy(10, n -> 10 / n).mergeSubstreams();
        assertThatThrownBy(() -> await(joined.runWith(Sink.seq(), runtime))).hasStackTraceContaining("/ by zero");
        assertThat(await(joined.withAttributes(Attributes.supervision(Supervision.resume()))
                        .runWith(Sink.seq(), runtime)))
                .containsExactlyInAnyOrder(1, 5);
        assertThatThrownBy(() -> await(Source.of(1)
                        .groupBy(10, n -> (String) null)
                        .mergeSubstreams()
                        .runWith(Sink.seq(), runtime)))
                .hasMessageContaining("groupBy: the function returned null");
    }

    @Test
    void aSubstreamForWhichNoFlowIsMadeIsCancelledAndHoldsNobodyBack(StreamRuntime runtime) throws Exception {
        SubstreamsSource<Integer, Integer, ?> substreams = Source.range(0, 100).groupBy(2, n -> n % 2);
        assertThat(evenOnesOf(substreams, runtime)).isEqualTo(evenNumbers());
        assertThat(evenOnesOf(
                        substreams.map(n -> n).via(Flow.of((Integer n) -> n).named("behind")), runtime))
                .isEqualTo(evenNumbers());
    }

    private static List<Integer> evenNumbers() {
        return numbers(100).stream().filter(n -> n % 2 == 0).toList();
    }

    private static List<Integer> evenOnesOf(SubstreamsSource<Integer, Integer, ?> substreams, StreamRuntime runtime)
            throws Exception {
        return await(substreams
                .viaKeyed(key -> {
                    if (key == 1) {
                        throw new IllegalStateException("no flow for the odd ones");
                    }
                    return Flow.<Integer>create();
                })
                .mergeSubstreams()
                .withAttributes(Attributes.supervision(Supervision.resume()))
                .runWith(Sink.seq(), runtime));
    }

    @Test
    void limitsThatMakeNoSenseAreRefused() {
        assertThatThrownBy(() -> Source.single(1).groupBy(0, n -> n))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxSubstreams must be at least 1, not 0");
        assertThatThrownBy(() -> GroupBySettings.of(1).withIdleTimeout(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Attributes.subscriptionTimeout(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Source.single(1).groupBy(1, n -> n).mergeSubstreams(0))
                .hasMessageContaining("breadth must be at least 1, not 0");
    }
}
