package io.millrace.streams.operator.junctions;

import static io.millrace.streams.Await.await;
import static io.millrace.streams.Await.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Flow;
import io.millrace.streams.GraphBuilder;
import io.millrace.streams.Junctions;
import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.FanOutShape;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.schedule.Schedulers;
import io.millrace.testkit.Operator;
import io.millrace.testkit.StreamRuntimeExtension;
import io.millrace.testkit.TestSink;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the table of {@link JunctionsContractTest} cannot show: several outputs, and what stands beside a line. */
@ExtendWith(StreamRuntimeExtension.class)
final class FanOutTest {
    private StreamRuntime runtime;

    @BeforeEach
    void takeRuntime(StreamRuntime given) {
        runtime = given;
    }

    private <O> List<O> all(Source<O, ?> source) throws Exception {
        return await(source.runWith(Sink.seq(), runtime));
    }

    /** A sink of as many probes as the junction has outputs; gives back the elements of each. */
    private static <T> Sink<T, Pair<CompletionStage<List<T>>, CompletionStage<List<T>>>> split(
            Graph<FanOutShape<T, T>, NotUsed> junction) {
        return Sink.fromGraph(GraphBuilder.create(
                Sink.<T>seq(), Sink.<T>seq(), Keep.both(), (builder, first, second) -> {
                    FanOutShape<T, T> split = builder.add(junction);
                    builder.connect(split.out(0), first.in()).connect(split.out(1), second.in());
                    return SinkShape.of(split.in());
                }));
    }

    @Test
    @Operator({"alsoTo", "alsoToAll"})
    void aSinkBesideTheLineThatFailsFailsTheLine() {
        Sink<Integer, CompletionStage<Done>> failing = Sink.foreach(n -> {
            throw new IllegalStateException("mine");
        });
        assertThatThrownBy(() -> all(Source.repeat(1).alsoTo(failing))).hasStackTraceContaining("mine");
        assertThatThrownBy(() -> all(Source.repeat(1).alsoToAll(List.of(Sink.ignore(), failing))))
                .hasStackTraceContaining("mine");
    }

    @Test
    @Operator({"alsoTo", "divertTo"})
    void whatStandsBesideTheLineEndsWithIt() throws Exception {
        Pair<CompletionStage<Done>, Sink<Integer, NotUsed>> side =
                Sink.<Integer>ignore().preMaterialize(runtime);
        assertThat(all(Source.repeat(1).alsoTo(side.second()).take(3))).hasSize(3);
        await(side.first());
        Pair<CompletionStage<Done>, Sink<Integer, NotUsed>> even =
                Sink.<Integer>ignore().preMaterialize(runtime);
        assertThat(all(Source.repeat(1).divertTo(even.second(), n -> n % 2 == 0).take(3)))
                .hasSize(3);
        await(even.first());
    }

    @Test
    @Operator("wireTap")
    void aTapSeesWhatItHasAskedForAndNeverSlowsTheLine() throws Exception {
        Pair<TestSink<Integer>, Sink<Integer, NotUsed>> tap =
                TestSink.<Integer>probe().preMaterialize(runtime);
        assertThat(all(Source.range(0, 1_000).wireTap(tap.second()))).hasSize(1_000);
        List<Integer> seen = new ArrayList<>();
        tap.first().cancel();
        AtomicReference<CompletionStage<Done>> end = new AtomicReference<>();
        Sink<Integer, NotUsed> collecting = Sink.<Integer>foreach(seen::add).mapMaterializedValue(made -> {
            end.set(made);
            return NotUsed.NOT_USED;
        });
        assertThat(all(Source.range(0, 10_000).wireTap(collecting))).hasSize(10_000);
        await(end.get());
        assertThat(seen).hasSize(10_000);
    }

    @Test
    @Operator("wireTap")
    void sixteenElementsWaitForASlowTapAndLaterOnesAreDroppedForIt() {
        AtomicReference<TestSink<Integer>> tap = new AtomicReference<>();
        Sink<Integer, NotUsed> slow = TestSink.<Integer>probe().mapMaterializedValue(made -> {
            tap.set(made);
            return NotUsed.NOT_USED;
        });
        TestSink<Integer> main = Source.range(0, 21).wireTap(slow).runWith(TestSink.<Integer>probe(), runtime);
        main.request(20).expectNextN(20);
        assertThat(tap.get().request(16).expectNextN(16))
                .isEqualTo(IntStream.range(0, 16).boxed().toList());
        main.request(2).expectNext(20).expectComplete();
        tap.get().request(2).expectNext(20).expectComplete();
    }

    @Test
    @Operator("wireTap")
    void aTapThatFailsOrLeavesDoesNotEndTheLine() throws Exception {
        Sink<Integer, CompletionStage<Done>> failing = Sink.foreach(n -> {
            throw new IllegalStateException("mine");
        });
        assertThat(all(Source.range(0, 100).wireTap(failing))).hasSize(100);
        assertThat(all(Source.range(0, 100).wireTap(Sink.cancelled()))).hasSize(100);
    }

    @Test
    @Operator("Junctions.broadcast")
    void theFirstOutputThatCancelsEndsAnEagerBroadcast() throws Exception {
        Sink<Integer, Pair<CompletionStage<List<Integer>>, CompletionStage<Integer>>> two = Sink.fromGraph(
                GraphBuilder.create(Sink.<Integer>seq(), Sink.<Integer>head(), Keep.both(), (builder, list, head) -> {
                    FanOutShape<Integer, Integer> split = builder.add(Junctions.<Integer>broadcast(2, true));
                    builder.connect(split.out(0), list.in()).connect(split.out(1), head.in());
                    return SinkShape.of(split.in());
                }));
        var ends = Source.repeat(7).runWith(two, runtime);
        assertThat(await(ends.second())).isEqualTo(7);
        assertThat(await(ends.first())).containsExactly(7);
    }

    @Test
    @Operator({"Junctions.broadcast", "Junctions.balance", "Junctions.partition"})
    void outputsShareOrRepeatTheElements() throws Exception {
        var repeated = Source.range(0, 4).runWith(split(Junctions.<Integer>broadcast(2)), runtime);
        assertThat(await(repeated.first())).isEqualTo(await(repeated.second())).containsExactly(0, 1, 2, 3);
        var shared = Source.range(0, 4).runWith(split(Junctions.<Integer>balance(2)), runtime);
        assertThat(await(shared.first()).size() + await(shared.second()).size()).isEqualTo(4);
        var parted = Source.range(0, 4).runWith(split(Junctions.<Integer>partition(2, n -> n % 2)), runtime);
        assertThat(await(parted.first())).containsExactly(0, 2);
        assertThat(await(parted.second())).containsExactly(1, 3);
    }

    @Test
    @Operator({"Junctions.broadcast", "Junctions.balance", "Junctions.partition"})
    void aJunctionWithoutOutputsIsRefused() {
        assertThatThrownBy(() -> Junctions.broadcast(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("broadcast must have at least 1 output, not 0");
        assertThatThrownBy(() -> Junctions.balance(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("balance must have at least 1 output, not 0");
        assertThatThrownBy(() -> Junctions.partition(-1, n -> 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("partition must have at least 1 output, not -1");
    }

    @Test
    @Operator("Junctions.unzip")
    void pairsComeApart() throws Exception {
        Sink<Pair<Integer, String>, Pair<CompletionStage<List<Integer>>, CompletionStage<List<String>>>> apart =
                Sink.fromGraph(GraphBuilder.create(
                        Sink.<Integer>seq(), Sink.<String>seq(), Keep.both(), (builder, left, right) -> {
                            var split = builder.add(Junctions.<Integer, String>unzip());
                            builder.connect(split.out0(), left.in()).connect(split.out1(), right.in());
                            return SinkShape.of(split.in());
                        }));
        var ends = Source.of(new Pair<>(1, "a"), new Pair<>(2, "b")).runWith(apart, runtime);
        assertThat(await(ends.first())).containsExactly(1, 2);
        assertThat(await(ends.second())).containsExactly("a", "b");
    }

    @Test
    @Operator("Junctions.unzip")
    @SuppressWarnings("NullAway") // the function gives what it must not
    void aMissingPairIsAFailureThatNamesTheOperator() throws Exception {
        Flow<Integer, Integer, NotUsed> apart = Flow.fromGraph(GraphBuilder.create(builder -> {
            var split = builder.add(Junctions.<Integer, Integer, Integer>unzip(n -> null));
            var join = builder.add(Junctions.<Integer, Integer, Integer>zipWith(Integer::sum));
            builder.connect(split.out0(), join.in0()).connect(split.out1(), join.in1());
            return FlowShape.of(split.in(), join.out());
        }));
        assertThat(awaitFailure(Source.of(1).via(apart).runWith(Sink.ignore(), runtime)))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("unzip");
    }

    /** Lets elements through once so many are being worked on at the same time. */
    private static Flow<Integer, Integer, NotUsed> meetingOf(int count) {
        CountDownLatch all = new CountDownLatch(count);
        return Flow.of(n -> {
            all.countDown();
            assertThat(all.await(20, TimeUnit.SECONDS)).isTrue();
            return n;
        });
    }

    @Test
    @Operator({"parallel", "parallelOrdered"})
    void railsRunAtTheSameTime() throws Exception {
        assertThat(all(Source.range(0, 2).parallel(2, Schedulers.elastic(), meetingOf(2))))
                .containsExactlyInAnyOrder(0, 1);
        assertThat(all(Source.range(0, 2).parallelOrdered(2, meetingOf(2)))).containsExactly(0, 1);
        List<Integer> numbers = IntStream.range(0, 1_000).boxed().toList();
        assertThat(all(Source.from(numbers).parallelOrdered(3, Flow.create()))).isEqualTo(numbers);
        Set<Integer> seen = ConcurrentHashMap.newKeySet();
        seen.addAll(all(Source.from(numbers).parallel(4, Flow.create())));
        assertThat(seen).hasSize(1_000);
    }

    @Test
    @Operator("wireTap")
    void aTapThatHasEverythingEndsBeforeItAsksAgain() {
        AtomicReference<TestSink<Integer>> tap = new AtomicReference<>();
        Sink<Integer, NotUsed> asking = TestSink.<Integer>probe().mapMaterializedValue(made -> {
            tap.set(made.request(1));
            return NotUsed.NOT_USED;
        });
        Source<Integer, NotUsed> two = Source.of(1).concat(Source.never());
        TestSink<Integer> main = two.wireTap(asking).runWith(TestSink.<Integer>probe(), runtime);
        main.request(1).expectNext(1);
        tap.get().expectNext(1);
        main.cancel();
        tap.get().expectComplete();
    }
}
