package io.millrace.streams.operator.elements;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Keep;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.failure.StreamLimitReachedException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.Signal;
import io.millrace.streams.graph.Supervision;
import io.millrace.streams.graph.Timestamped;
import io.millrace.streams.operator.OperatorTest;
import io.millrace.testkit.Behaviour;
import io.millrace.testkit.Operator;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.TestSource;
import io.millrace.testkit.VirtualTimeScheduler;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the table of cases cannot show of operators on elements: limits, endings, states, the clock. */
final class ElementsTest extends OperatorTest {
    private static final Attributes RESUME = Attributes.supervision(Supervision.resume());
    private static final Attributes RESTART = Attributes.supervision(Supervision.restart());
    private static final RuntimeSettings ON_THIS_THREAD =
            RuntimeSettings.defaults().withExecutor(Runnable::run);
    private static final Source<Integer, ?> NUMBERS = Source.range(1, 6);

    @Test
    @Operator("reduce")
    void reduceMakesOneResultAndFailsWithoutElements() throws Exception {
        assertThat(all(NUMBERS.reduce(Integer::sum))).containsExactly(15);
        assertThat(all(Source.single(7).reduce(Integer::sum))).containsExactly(7);
        assertThat(failureOf(Source.<Integer>empty().reduce(Integer::sum))).isInstanceOf(NoSuchElementException.class);
        assertThat(failureOf(NUMBERS.concat(Source.failed(new IllegalStateException("mine")))
                        .reduce(Integer::sum)))
                .hasMessage("mine");
        Pair<TestSource<Integer>, TestSink<Integer>> ends = TestSource.<Integer>probe()
                .reduce(Integer::sum)
                .toMat(TestSink.<Integer>probe(), Keep.both())
                .run(runtime);
        ends.first().send(1);
        ends.second().cancel();
        ends.first().awaitCancellation();
    }

    @Test
    @Operator({"limit", "limitWeighted"})
    void oneElementTooManyFailsALimit() {
        TestSink<Integer> counted = NUMBERS.limit(2).runWith(TestSink.probe(), runtime);
        counted.request(5).expectNext(1, 2);
        assertThat(counted.expectError())
                .isInstanceOf(StreamLimitReachedException.class)
                .hasMessageContaining("more than 2 elements");
        TestSink<Integer> weighed = NUMBERS.limitWeighted(5, n -> n).runWith(TestSink.probe(), runtime);
        weighed.request(5).expectNext(1, 2);
        assertThat(weighed.expectError())
                .isInstanceOf(StreamLimitReachedException.class)
                .hasMessageContaining("more than 5");
    }

    @Test
    @Operator({"limitWeighted", "groupedWeighted"})
    void aSumOfCostsDoesNotOverflow() throws Exception {
        assertThat(failureOf(Source.of(1L, Long.MAX_VALUE).limitWeighted(Long.MAX_VALUE, n -> n)))
                .isInstanceOf(StreamLimitReachedException.class);
        assertThat(all(Source.of(1L, Long.MAX_VALUE).groupedWeighted(Long.MAX_VALUE, n -> n)))
                .containsExactly(List.of(1L), List.of(Long.MAX_VALUE));
        assertThat(failureOf(Source.of(-1).limitWeighted(5, n -> n)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("limitWeighted: the weight of an element must be at least 0, not -1");
        assertThat(failureOf(Source.of(-1).groupedWeighted(5, n -> n))).hasMessageContaining("groupedWeighted");
    }

    @Test
    @Operator("groupedWeighted")
    void aListThatHasReachedItsWeightTakesNothingMore() throws Exception {
        assertThat(all(Source.of(1, 5, 0, 2).groupedWeighted(5, n -> n)))
                .containsExactly(List.of(1), List.of(5), List.of(0, 2));
    }

    @Test
    void badArgumentsAreRefusedAsTheGraphIsBuilt() {
        assertThatThrownBy(() -> NUMBERS.grouped(0)).hasMessageContaining("not 0");
        assertThatThrownBy(() -> NUMBERS.sliding(0, 1)).hasMessageContaining("not 0");
        assertThatThrownBy(() -> NUMBERS.sliding(1, 0)).hasMessageContaining("not 0");
        assertThatThrownBy(() -> NUMBERS.limitWeighted(-1, n -> n)).hasMessageContaining("not -1");
        assertThatThrownBy(() -> NUMBERS.groupedWeighted(-1, n -> n)).hasMessageContaining("not -1");
    }

    @Test
    @Operator("takeUntil")
    void aSignalThatEmitsOrCompletesEndsTheStream() {
        for (boolean emits : new boolean[] {true, false}) {
            Probes run = Probes.run(runtime, (elements, signal) -> elements.takeUntil(signal));
            run.sink().request(5);
            run.elements().send(1);
            run.sink().expectNext(1);
            if (emits) {
                run.signal().send("now").awaitCancellation();
            } else {
                run.signal().complete();
            }
            run.sink().expectComplete();
            run.elements().awaitCancellation();
        }
    }

    @Test
    @Operator("takeUntil")
    void aSignalEndsAStreamThatNobodyAsksOfAndCancelsWithIt() {
        Probes unasked = Probes.run(runtime, (elements, signal) -> elements.takeUntil(signal));
        unasked.signal().complete();
        unasked.sink().expectComplete();
        Probes completed = Probes.run(runtime, (elements, signal) -> elements.takeUntil(signal));
        completed.elements().complete();
        completed.sink().expectComplete();
        completed.signal().awaitCancellation();
    }

    @Test
    @Operator("skipUntil")
    void elementsComeFromTheSignalOn() {
        Probes run = Probes.run(runtime, (elements, signal) -> elements.skipUntil(signal));
        run.sink().request(1);
        run.elements().expectPull().send(1).expectPull();
        run.signal().send("now").awaitCancellation();
        run.elements().send(2);
        run.sink().expectNext(2);
        run.elements().complete();
        run.sink().expectComplete();
    }

    @Test
    @Operator("skipUntil")
    void elementsComeFromTheCompletionOfTheSignalOn() {
        CompletableFuture<String> completion = new CompletableFuture<>();
        try (StreamRuntime here = StreamRuntime.create(ON_THIS_THREAD)) {
            Pair<TestSource<Integer>, TestSink<Integer>> ends = TestSource.<Integer>probe()
                    .skipUntil(Source.fromCompletionStage(completion).drop(1))
                    .toMat(TestSink.<Integer>probe(), Keep.both())
                    .run(here);
            ends.second().request(1);
            ends.first().expectPull().send(1).expectPull();
            completion.complete("now");
            ends.first().send(2);
            ends.second().expectNext(2).cancel();
        }
    }

    @Test
    @Operator({"takeUntil", "skipUntil"})
    void aSignalThatFailsFailsTheStream() {
        List<Probes> runs = List.of(
                Probes.run(runtime, (elements, signal) -> elements.takeUntil(signal)),
                Probes.run(runtime, (elements, signal) -> elements.skipUntil(signal)));
        for (Probes run : runs) {
            run.signal().fail(new IllegalStateException("mine"));
            assertThat(run.sink().expectError()).hasMessage("mine");
            run.elements().awaitCancellation();
        }
    }

    @Test
    @Operator("materialize")
    void theFailureIsAValue() throws Exception {
        RuntimeException mine = new IllegalStateException("mine");
        assertThat(all(Source.single(1).concat(Source.failed(mine)).materialize()))
                .containsExactly(new Signal.Next<>(1), new Signal.Failed<>(mine));
        assertThat(all(Source.single(1).materialize())).containsExactly(new Signal.Next<>(1), new Signal.Completed<>());
    }

    @Test
    @Operator("dematerialize")
    void aSignalInAnElementEndsTheStream() throws Exception {
        RuntimeException mine = new IllegalStateException("mine");
        List<Signal<Integer>> completing =
                List.of(new Signal.Next<>(1), new Signal.Completed<>(), new Signal.Next<>(2));
        assertThat(all(Source.from(completing).dematerialize(signal -> signal))).containsExactly(1);
        List<Signal<Integer>> failing = List.of(new Signal.Next<>(1), new Signal.Failed<>(mine), new Signal.Next<>(2));
        assertThat(failureOf(
                        Source.from(failing).dematerialize(signal -> signal).withAttributes(RESUME)))
                .isSameAs(mine);
        assertThat(all(NUMBERS.dematerialize(n -> new Signal.Next<>(4 / (n - 3)))
                        .withAttributes(RESUME)))
                .containsExactly(-2, -4, 4, 2);
        assertThat(failureOf(NUMBERS.dematerialize(n -> new Signal.Next<>(4 / (n - 3)))))
                .isInstanceOf(ArithmeticException.class);
    }

    @Test
    @Operator({"distinct", "sliding", "aggregateWithBoundary"})
    void supervisionThatRestartsBeginsWithANewState() throws Exception {
        assertThat(all(Source.of(1, 1, 0, 1, 1).distinct(n -> 1 / n * n).withAttributes(RESTART)))
                .containsExactly(1, 1);
        assertThat(all(Source.of(1, 1, 0, 1, 1).distinct(n -> 1 / n * n).withAttributes(RESUME)))
                .containsExactly(1);
        assertThat(all(Source.of(1, 2, 0, 4, 5)
                        .aggregateWithBoundary(
                                () -> 0, (sum, n) -> new Pair<>(sum + 20 / n * n, false), sum -> "sum " + sum)
                        .withAttributes(RESTART)))
                .containsExactly("sum 40");
    }

    @Test
    @Operator("aggregateWithBoundary")
    void anAggregateWhoseHarvestThrowsIsDroppedWhenSupervisionResumes() throws Exception {
        assertThat(all(Source.of(1, 2, -1, 4, 0, 8)
                        .aggregateWithBoundary(
                                () -> List.<Integer>of(), (list, n) -> new Pair<>(with(list, n), n <= 0), list -> {
                                    if (list.contains(-1)) {
                                        throw new IllegalStateException("refused");
                                    }
                                    return list;
                                })
                        .withAttributes(RESUME)))
                .containsExactly(List.of(4, 0), List.of(8));
    }

    private static List<Integer> with(List<Integer> list, int added) {
        return Stream.concat(list.stream(), Stream.of(added)).toList();
    }

    @Test
    @Operator("statefulMap")
    void anElementThatIsDroppedBecauseOfANullLeavesTheStateAsItIs() throws Exception {
        Source<Integer, NotUsed> sums = Source.of(1, 2, 3)
                .statefulMap(
                        () -> 0,
                        (sum, n) -> new Pair<Integer, Integer>(sum + n, n == 2 ? null : sum + n),
                        Optional::of);
        assertThat(all(sums.withAttributes(RESUME))).containsExactly(1, 4, 4);
    }

    @Test
    @Operator("timestamp")
    void timestampsAreOfTheRuntimesClock() throws Exception {
        VirtualTimeScheduler time = new VirtualTimeScheduler();
        try (StreamRuntime virtual = StreamRuntime.create(ON_THIS_THREAD, time)) {
            Pair<TestSource<String>, TestSink<Timestamped<String>>> ends = TestSource.<String>probe()
                    .timestamp()
                    .toMat(TestSink.<Timestamped<String>>probe(), Keep.both())
                    .run(virtual);
            ends.second().request(2);
            ends.first().send("a");
            Timestamped<String> first = ends.second().expectNext();
            time.advance(Duration.ofSeconds(1));
            ends.first().send("b");
            Timestamped<String> second = ends.second().expectNext();
            assertThat(first).isEqualTo(new Timestamped<>("a", second.atNanos() - 1_000_000_000));
            ends.second().cancel();
        }
    }

    @Test
    void aNullFromAFunctionIsAnErrorThatNamesTheOperator() throws Exception {
        assertThat(failureOf(NUMBERS.distinct(n -> null))).hasMessageStartingWith("distinct:");
        assertThat(failureOf(NUMBERS.aggregateWithBoundary(() -> null, (a, n) -> new Pair<>(a, true), a -> a)))
                .hasMessageStartingWith("aggregateWithBoundary:");
        assertThat(failureOf(NUMBERS.aggregateWithBoundary(() -> 1, (a, n) -> new Pair<>(null, true), a -> "of " + a)))
                .hasMessageStartingWith("aggregateWithBoundary:");
        assertThat(failureOf(NUMBERS.mapWithResource(() -> 1, (r, n) -> null, r -> Optional.empty())))
                .hasMessageStartingWith("mapWithResource:");
        assertThat(failureOf(NUMBERS.dematerialize(n -> null))).hasMessageStartingWith("dematerialize:");
    }

    /** A stream with two beginnings in the hands of the test. */
    private record Probes(TestSource<Integer> elements, TestSource<String> signal, TestSink<Integer> sink) {
        private interface Combined {
            Source<Integer, TestSource<Integer>> of(
                    Source<Integer, TestSource<Integer>> elements, Source<String, ?> signal);
        }

        static Probes run(StreamRuntime runtime, Combined combined) {
            Pair<TestSource<String>, Source<String, NotUsed>> signal =
                    TestSource.<String>probe().preMaterialize(runtime);
            Pair<TestSource<Integer>, TestSink<Integer>> ends = combined.of(TestSource.probe(), signal.second())
                    .toMat(TestSink.<Integer>probe(), Keep.both())
                    .run(runtime);
            return new Probes(ends.first(), signal.first(), ends.second());
        }
    }

    @Test
    @Behaviour("INT-12")
    void aZeroComesFirstThoughTheScanAboveHasOneToo() throws InterruptedException {
        Source<Integer, ?> twice = Source.of(1, 2).scan(5, Integer::sum).scan(7, Integer::sum);
        assertThat(all(twice)).containsExactly(7, 12, 18, 26);
        assertThat(await(twice.runWith(Sink.head(), runtime))).isEqualTo(7);
        assertThat(all(twice.take(1))).containsExactly(7);
        assertThat(all(twice.takeThrough(x -> x > 9))).containsExactly(7);
    }
}
