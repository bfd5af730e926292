package io.millrace.streams.operator.substreams;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Flow;
import io.millrace.streams.Keep;
import io.millrace.streams.KeyedSource;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.failure.SubstreamNotRunException;
import io.millrace.streams.failure.TooManySubstreamsException;
import io.millrace.streams.graph.GroupBySettings;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import io.millrace.testkit.Operator;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.TestSource;
import io.millrace.testkit.VirtualTimeScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What substreams do as time passes, on a clock moved by hand and on the test's own thread. */
final class SubstreamTimingTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final VirtualTimeScheduler time = new VirtualTimeScheduler();
    private final StreamRuntime runtime =
            StreamRuntime.create(RuntimeSettings.defaults().withExecutor(Runnable::run), time);

    @AfterEach
    void close() {
        runtime.close();
    }

    private record Ends<T>(TestSource<Integer> source, TestSink<T> sink) {}

    private <T> Ends<T> run(Source<T, TestSource<Integer>> source) {
        Pair<TestSource<Integer>, TestSink<T>> ends =
                source.toMat(TestSink.<T>probe(), Keep.both()).run(runtime);
        ends.second().request(1000);
        return new Ends<>(ends.first(), ends.second());
    }

    @Test
    @Operator("groupBy")
    void moreLiveKeysThanTheBreadthFailAfterTheSubscriptionTimeoutAndNotBefore() {
        Ends<Integer> ends = run(TestSource.<Integer>probe().groupBy(9, n -> n).mergeSubstreams(2));
        ends.source().send(1).send(2).send(3).send(4);
        ends.sink().expectNext(1, 2);
        time.advance(Duration.ofMillis(4999));
        ends.sink().expectNothing(Duration.ZERO);
        time.advance(Duration.ofMillis(1));
        assertThat(ends.sink().expectError())
                .isInstanceOf(SubstreamNotRunException.class)
                .hasMessageContaining("3 substreams, but only 2 of them are run")
                .hasMessageContaining("the one of key 3 within PT5S");
        ends.source().awaitCancellation();
        assertThat(time.waiting()).isZero();
    }

    @Test
    @Operator("groupBy")
    void idleSubstreamsMakeRoomForOthers() {
        GroupBySettings settings = GroupBySettings.of(3).withIdleTimeout(SECOND);
        Ends<Integer> ends =
                run(TestSource.<Integer>probe().groupBy(settings, n -> n % 10).mergeSubstreams(2));
        for (int i = 0; i < 10; i++) {
            ends.source().send(i);
        }
        ends.sink().expectNext(0, 1).expectNothing(Duration.ZERO);
        time.advance(SECOND);
        ends.sink().expectNext(2, 3).expectNothing(Duration.ZERO);
        time.advance(SECOND.multipliedBy(3));
        ends.sink().expectNext(4, 5, 6, 7, 8, 9);
        time.advance(SECOND);
        ends.source().send(10).complete();
        ends.sink().expectNext(10).expectComplete();
        assertThat(time.waiting()).isZero();
    }

    @Test
    @Operator("groupBy")
    void anElementMovesTheIdleTimeoutOfItsKey() {
        GroupBySettings settings = GroupBySettings.of(3).withIdleTimeout(SECOND);
        Ends<String> ends = run(TestSource.<Integer>probe()
                .groupBy(settings, n -> n % 2)
                .via(Flow.<Integer>create().fold("", (all, n) -> all + n))
                .mergeSubstreams());
        ends.source().send(1).send(2);
        time.advance(Duration.ofMillis(600));
        ends.source().send(3);
        time.advance(Duration.ofMillis(600));
        ends.sink().expectNext("2").expectNothing(Duration.ZERO);
        time.advance(Duration.ofMillis(400));
        ends.sink().expectNext("13");
        ends.source().complete();
        ends.sink().expectComplete();
    }

    @Test
    @Operator("groupBy")
    void aSlowConsumerOfASubstreamIsNoStandstill() {
        Ends<KeyedSource<Integer, Integer>> ends =
                run(TestSource.<Integer>probe().groupBy(9, n -> n % 2).keyedSources());
        ends.source().send(1);
        TestSink<Integer> slow = ends.sink().expectNext().source().runWith(TestSink.probe(), runtime);
        for (int i = 0; i < 100; i++) {
            ends.source().send(2 * i + 1);
        }
        time.advance(Duration.ofDays(1));
        ends.sink().expectNothing(Duration.ZERO);
        slow.request(101).expectNextN(101);
        ends.source().complete();
        slow.expectComplete();
        ends.sink().expectComplete();
    }

    @Test
    @Operator("groupBy")
    void aNewSubstreamThatNobodyAsksForIsNoStandstillWhileOthersHaveWork() {
        Pair<TestSource<Integer>, TestSink<KeyedSource<Integer, Integer>>> ends = TestSource.<Integer>probe()
                .groupBy(9, n -> n)
                .keyedSources()
                .toMat(TestSink.<KeyedSource<Integer, Integer>>probe(), Keep.both())
                .run(runtime);
        ends.second().request(1);
        ends.first().send(1);
        TestSink<Integer> slow = ends.second().expectNext().source().runWith(TestSink.probe(), runtime);
        ends.first().send(2);
        time.advance(Duration.ofDays(1));
        ends.second().request(1);
        assertThat(ends.second().expectNext().key()).isEqualTo(2);
        slow.request(2).expectNext(1);
        ends.first().send(3);
        time.advance(Duration.ofSeconds(5));
        assertThat(ends.second().expectError()).isInstanceOf(SubstreamNotRunException.class);
        assertThat(slow.expectError()).isInstanceOf(SubstreamNotRunException.class);
    }

    private static Map<String, Function<Function<Integer, CompletionStage<Integer>>, Flow<Integer, Integer, ?>>>
            waiting() {
        Flow<Integer, Integer, NotUsed> flow = Flow.create();
        return Map.of(
                "mapAsync", call -> flow.mapAsync(4, call::apply),
                "mapAsyncUnordered", call -> flow.mapAsyncUnordered(4, call::apply),
                "mapAsyncPartitioned", call -> flow.mapAsyncPartitioned(4, n -> n, call::apply),
                "scanAsync",
                        call -> flow.scanAsync(0, (last, n) -> call.apply(n)).drop(1));
    }

    @TestFactory
    @Operator("groupBy")
    Stream<DynamicTest> aFutureThatASubstreamWaitsForIsNoStandstill() {
        return waiting().entrySet().stream()
                .flatMap(one -> Stream.of(false, true)
                        .map(ends -> DynamicTest.dynamicTest(
                                one.getKey() + (ends ? ", and ends then" : ""),
                                () -> isNoStandstill(one.getValue(), ends))));
    }

    private void isNoStandstill(
            Function<Function<Integer, CompletionStage<Integer>>, Flow<Integer, Integer, ?>> operator, boolean ends) {
        Map<Integer, CompletableFuture<Integer>> calls = new HashMap<>();
        Flow<Integer, Integer, ?> each =
                operator.apply(n -> calls.computeIfAbsent(n, key -> new CompletableFuture<>()));
        Ends<Integer> stream = run(TestSource.<Integer>probe()
                .groupBy(9, n -> n)
                .via(ends ? each.take(1) : each)
                .mergeSubstreams(2));
        stream.source().send(1).send(2).send(3);
        time.advance(Duration.ofMinutes(1));
        stream.sink().expectNothing(Duration.ZERO);
        calls.get(1).complete(1);
        stream.sink().expectNext(1);
        if (ends) {
            calls.get(3).complete(3);
            stream.sink().expectNext(3);
            stream.source().complete();
            calls.get(2).complete(2);
            stream.sink().expectNext(2).expectComplete();
        } else {
            time.advance(Duration.ofMinutes(1));
            stream.sink().expectNothing(Duration.ZERO);
            calls.get(2).complete(2);
            stream.sink().expectNext(2);
            time.advance(Duration.ofMillis(4_999));
            stream.sink().expectNothing(Duration.ZERO);
            time.advance(Duration.ofMillis(1 + 157));
            assertThat(stream.sink().expectError()).isInstanceOf(SubstreamNotRunException.class);
        }
    }

    @Test
    @Operator("groupBy")
    void aStandstillIsOneOnlyWhenItHasLastedForThePatience() {
        Pair<TestSource<Integer>, TestSink<KeyedSource<Integer, Integer>>> ends = TestSource.<Integer>probe()
                .groupBy(9, n -> n)
                .keyedSources()
                .toMat(TestSink.<KeyedSource<Integer, Integer>>probe(), Keep.both())
                .run(runtime);
        ends.second().request(1);
        ends.first().send(1);
        TestSink<Integer> slow = ends.second().expectNext().source().runWith(TestSink.probe(), runtime);
        ends.first().send(2);
        time.advance(Duration.ofMillis(4_900));
        slow.request(2).expectNext(1);
        time.advance(Duration.ofMillis(4_999));
        ends.second().expectNothing(Duration.ZERO);
        slow.expectNothing(Duration.ZERO);
        time.advance(Duration.ofMillis(1 + 157));
        assertThat(ends.second().expectError()).isInstanceOf(SubstreamNotRunException.class);
        assertThat(time.waiting()).isZero();
    }

    @Test
    @Operator("groupBy")
    void aSubstreamThatIsRunWhileOthersStandStillGivesThemTimeAnew() {
        Ends<KeyedSource<Integer, Integer>> ends =
                run(TestSource.<Integer>probe().groupBy(9, n -> n).keyedSources());
        ends.source().send(1).send(2);
        Source<Integer, NotUsed> first = ends.sink().expectNext().source();
        ends.sink().expectNext();
        for (int i = 0; i < 32; i++) {
            ends.source().send(2);
        }
        time.advance(Duration.ofMillis(4_900));
        TestSink<Integer> slow = first.runWith(TestSink.probe(), runtime);
        time.advance(Duration.ofMillis(200));
        slow.request(2).expectNext(1);
        time.advance(Duration.ofMillis(4_999));
        ends.sink().expectNothing(Duration.ZERO);
        time.advance(Duration.ofMillis(1 + 157));
        assertThat(ends.sink().expectError()).isInstanceOf(SubstreamNotRunException.class);
    }

    @Test
    @Operator("groupBy")
    void whatBlocksTheIslandOfASplitIsNoStandstill() {
        List<TestSink<Integer>> consumers = new ArrayList<>();
        Source<Integer, TestSource<Integer>> blocking = TestSource.<Integer>probe()
                .map(n -> {
                    time.advance(Duration.ofMillis(4_900));
                    consumers.forEach(one -> one.request(2));
                    return n;
                });
        Pair<TestSource<Integer>, TestSink<Integer>> ends = blocking.merge(Source.range(1, 3)
                        .groupBy(9, n -> n)
                        .keyedSources()
                        .map(one -> {
                            consumers.add(one.source().runWith(TestSink.probe(), runtime));
                            return one.key();
                        }))
                .toMat(TestSink.<Integer>probe(), Keep.both())
                .run(runtime);
        ends.second().request(1).expectNext(1);
        ends.first().send(0);
        time.advance(Duration.ofMillis(4_999));
        ends.second().expectNothing(Duration.ZERO);
        time.advance(Duration.ofMillis(1 + 157));
        assertThat(ends.second().expectError()).isInstanceOf(SubstreamNotRunException.class);
    }

    @Test
    @Operator("groupBy")
    void aKeyRememberedAsCancelledCountsAsOneOfThoseThereMayBe() {
        Ends<Integer> ends = run(TestSource.<Integer>probe()
                .groupBy(1, n -> n)
                .via(Flow.<Integer>create().take(1))
                .mergeSubstreams());
        ends.source().send(1).send(1).send(1);
        ends.sink().expectNext(1).expectNothing(Duration.ZERO);
        ends.source().send(2);
        assertThat(ends.sink().expectError())
                .isInstanceOf(TooManySubstreamsException.class)
                .hasMessageContaining("1 of them are cancelled and remembered");
    }

    @Test
    @Operator("prefixAndTail")
    void aTailThatNobodyRunsInTimeCancelsUpstreamAndCannotBeRunLater() {
        Ends<Pair<List<Integer>, Source<Integer, NotUsed>>> ends =
                run(TestSource.<Integer>probe().prefixAndTail(1));
        ends.source().send(1);
        Source<Integer, NotUsed> tail = ends.sink().expectNext().second();
        ends.sink().expectComplete();
        ends.source().expectPull().expectNothing(Duration.ZERO);
        time.advance(Duration.ofSeconds(5));
        assertThat(ends.source().expectCancellation()).isInstanceOf(SubstreamNotRunException.class);
        TestSink<Integer> late = tail.runWith(TestSink.probe(), runtime);
        assertThat(late.expectError()).isInstanceOf(SubstreamNotRunException.class);
        assertThat(time.waiting()).isZero();
    }

    @Test
    @Operator("prefixAndTail")
    void aTailThatIsRunInTimeLastsAsLongAsItLikesAndIsRunOnce() {
        Ends<Pair<List<Integer>, Source<Integer, NotUsed>>> ends =
                run(TestSource.<Integer>probe().prefixAndTail(1));
        ends.source().send(1);
        Source<Integer, NotUsed> tail = ends.sink().expectNext().second();
        TestSink<Integer> sink = tail.runWith(TestSink.probe(), runtime);
        assertThat(time.waiting()).isZero();
        time.advance(Duration.ofDays(1));
        sink.request(2);
        ends.source().send(2);
        sink.expectNext(2);
        assertThat(tail.runWith(TestSink.<Integer>probe(), runtime).expectError())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("can be run once");
        ends.source().send(3).complete();
        sink.expectNext(3).expectComplete();
    }

    @Test
    @Operator("splitWhen")
    void aSubstreamThatNobodyRunsFailsTheStreamOnceItIsFull() {
        Ends<KeyedSource<Long, Integer>> ends =
                run(TestSource.<Integer>probe().splitWhen(n -> n == 0).keyedSources());
        for (int i = 0; i < 32; i++) {
            ends.source().send(i);
        }
        ends.sink().expectNext();
        time.advance(Duration.ofDays(1));
        ends.sink().expectNothing(Duration.ZERO);
        ends.source().send(32);
        time.advance(Duration.ofSeconds(5));
        assertThat(ends.sink().expectError())
                .isInstanceOf(SubstreamNotRunException.class)
                .hasMessageContaining("nobody has run substream 0 of splitWhen");
    }
}
