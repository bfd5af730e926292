package io.millrace.streams.engine.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Keep;
import io.millrace.streams.KillSwitches;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.Supervision;
import io.millrace.streams.operator.VirtualTimeTest;
import io.millrace.testkit.Behaviour;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.TestSource;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How a segment ends whose downstream asks late, in each tier. */
class SegmentEndTest extends VirtualTimeTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** In which body the elements pass. */
    enum Tier {
        COLD,
        HOT,
        HOT_FROM_OBJECTS,
        HOT_BY_KINDS;

        void apply(Heat heat) {
            switch (this) {
                case COLD -> {}
                case HOT -> heat.specialise(true);
                case HOT_FROM_OBJECTS -> heat.specialise(false);
                case HOT_BY_KINDS -> heat.specialiseByKinds();
            }
        }
    }

    @SuppressWarnings("unchecked")
    private <T, R> R result(Tier tier, Source<T, ?> source, Sink<T, CompletionStage<R>> sink) {
        Heat heat = Heat.of(source.toMat(sink, Keep.right()));
        tier.apply(heat);
        return ((CompletionStage<R>) heat.run(runtime)).toCompletableFuture().join();
    }

    @SuppressWarnings("unchecked")
    private <T> TestSink<T> probed(Tier tier, Source<T, ?> source) {
        Heat heat = Heat.of(source.toMat(TestSink.<T>probe(), Keep.right()));
        tier.apply(heat);
        return (TestSink<T>) heat.run(runtime);
    }

    @SuppressWarnings("unchecked")
    private <T> Pair<TestSource<Integer>, TestSink<T>> between(Tier tier, Source<T, TestSource<Integer>> source) {
        Heat heat = Heat.of(source.toMat(TestSink.<T>probe(), Keep.both()));
        tier.apply(heat);
        return (Pair<TestSource<Integer>, TestSink<T>>) heat.run(runtime);
    }

    // --------------------------------------------------------------------- an element that waits behind a prelude

    private static Source<Integer, ?> sums() {
        return Source.<Integer>failed(new IOException("lost"))
                .recover(failure -> 5)
                .scan(0, Integer::sum);
    }

    @ParameterizedTest
    @EnumSource
    void nothingFollowsTheLastElementThatIsTaken(Tier tier) {
        assertThat(result(tier, Source.range(0, 2).concat(sums().take(1)), Sink.seq()))
                .containsExactly(0, 1, 0);
        assertThat(result(tier, Source.range(0, 2).concat(sums().takeWhile(x -> x > 0)), Sink.seq()))
                .containsExactly(0, 1);
        assertThat(result(tier, Source.range(0, 2).concat(sums().take(2)), Sink.seq()))
                .containsExactly(0, 1, 0, 5);
        assertThat(result(tier, sums(), Sink.head())).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void nothingFollowsTheLastElementThatIsTakenWhenDownstreamAsksLate(Tier tier) {
        TestSink<Integer> sink = probed(tier, sums().take(1));
        sink.request(2).expectNext(0).expectComplete();
        TestSink<Integer> both = probed(tier, sums().take(2).map(x -> x + 1));
        both.request(1).expectNext(1).expectNothing(Duration.ZERO);
        both.request(1).expectNext(6).expectComplete();
    }

    // ------------------------------------------------------------------- a timeout at whose place the stream has ended

    private static Source<Integer, ?> summed(Source<Integer, ?> source) {
        return source.statefulMap(() -> 0, (sum, x) -> new Pair<>(sum + x, x), sum -> Optional.of(sum));
    }

    private void checkLate(TestSink<Integer> sink, int... expected) {
        for (int element : expected) {
            advanceMillis(5_000);
            sink.request(1).expectNext(element);
        }
        sink.expectComplete();
        assertThat(reported).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void whatIsLeftBehindATimeoutIsNotLost(Tier tier) {
        for (Source<Integer, ?> timed : List.of(
                Source.single(7).idleTimeout(SECOND),
                Source.single(7).completionTimeout(SECOND),
                Source.single(7).backpressureTimeout(SECOND))) {
            TestSink<Integer> sink = probed(tier, summed(timed));
            sink.request(1).expectNext(7);
            checkLate(sink, 7);
            TestSink<Integer> recovering = probed(tier, summed(timed.recover(failure -> -1)));
            recovering.request(1).expectNext(7);
            checkLate(recovering, 7);
            TestSink<Integer> recoveringLast = probed(tier, summed(timed).recover(failure -> -1));
            recoveringLast.request(1).expectNext(7);
            checkLate(recoveringLast, 7);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aStreamThatHasEndedBeforeAPreludeIsNotTimedOut(Tier tier) {
        Source<Integer, ?> empty = Source.empty();
        checkLate(probed(tier, empty.completionTimeout(SECOND).scan(3, Integer::sum)), 3);
        checkLate(probed(tier, empty.initialTimeout(SECOND).scan(3, Integer::sum)), 3);
        checkLate(probed(tier, empty.idleTimeout(SECOND).scan(3, Integer::sum)), 3);
        checkLate(
                probed(
                        tier,
                        empty.map(x -> x).completionTimeout(SECOND).map(x -> x).scan(3, Integer::sum)),
                3);
        checkLate(probed(tier, summed(empty.completionTimeout(SECOND)).scan(3, Integer::sum)), 3, 3);
    }

    @ParameterizedTest
    @EnumSource
    void aStepThatHasTakenItsLastElementIsNotTimedOut(Tier tier) {
        TestSink<Integer> sink =
                probed(tier, summed(Source.repeat(4).idleTimeout(SECOND).take(1)));
        sink.request(1).expectNext(4);
        checkLate(sink, 4);
    }

    @ParameterizedTest
    @EnumSource
    void aTimeoutBehindWhatIsStillToComeFails(Tier tier) {
        Source<Integer, ?> empty = Source.empty();
        List<Source<?, ?>> waiting = List.of(
                empty.scan(3, Integer::sum).completionTimeout(SECOND),
                empty.scan(3, Integer::sum).idleTimeout(SECOND).scan(0, Integer::sum),
                empty.scan(3, Integer::sum).map(x -> x).initialTimeout(SECOND).scan(0, Integer::sum),
                summed(empty).completionTimeout(SECOND).scan(0, Integer::sum),
                sums().completionTimeout(SECOND));
        for (Source<?, ?> source : waiting) {
            TestSink<?> sink = probed(tier, source);
            advanceMillis(2_000);
            assertThat(sink.expectError()).isInstanceOf(TimeoutException.class);
        }
        assertThat(reported).hasSize(waiting.size());
    }

    // ------------------------------------------------------------------------------------------ behind an expansion

    /** Counts the questions that it is asked. */
    private static final class Asked implements Iterator<Integer> {
        private final List<String> questions;
        private final Iterator<Integer> elements;

        Asked(List<String> questions, Integer... elements) {
            this.questions = questions;
            this.elements = List.of(elements).iterator();
        }

        @Override
        public boolean hasNext() {
            questions.add("hasNext");
            return elements.hasNext();
        }

        @Override
        public Integer next() {
            return elements.next();
        }
    }

    @ParameterizedTest
    @EnumSource
    void completionIsToldOnceTheLastElementIsExpanded(Tier tier) {
        for (boolean isAsync : new boolean[] {false, true}) {
            Source<Integer, TestSource<Integer>> above =
                    isAsync ? TestSource.<Integer>probe().async() : TestSource.<Integer>probe();
            Pair<TestSource<Integer>, TestSink<Integer>> ends =
                    between(tier, above.mapConcat(x -> List.of(x)).map(x -> x + 1));
            ends.second().request(1);
            ends.first().send(1);
            ends.second().expectNext(2);
            ends.first().complete();
            ends.second().expectComplete();
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatIsLeftOfAnExpandedElementComesBeforeTheCompletion(Tier tier) {
        for (boolean isAsync : new boolean[] {false, true}) {
            List<String> questions = new ArrayList<>();
            Source<Integer, TestSource<Integer>> above =
                    isAsync ? TestSource.<Integer>probe().async() : TestSource.<Integer>probe();
            Pair<TestSource<Integer>, TestSink<Integer>> ends =
                    between(tier, above.mapConcat(x -> () -> new Asked(questions, x, -x)));
            ends.second().request(1);
            ends.first().send(1);
            ends.second().expectNext(1);
            ends.first().complete();
            ends.second().expectNothing(Duration.ZERO);
            assertThat(questions)
                    .as("at most once for each element and once for the end")
                    .hasSizeLessThanOrEqualTo(2);
            ends.second().request(1).expectNext(-1).expectComplete();
            assertThat(questions).hasSizeLessThanOrEqualTo(4);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFailureAtTheEndOfAnExpandedElementIsSupervised(Tier tier) {
        for (boolean resumes : new boolean[] {false, true}) {
            Attributes attributes = Attributes.supervision(resumes ? Supervision.resume() : Supervision.stop());
            Pair<TestSource<Integer>, TestSink<Integer>> ends = between(
                    tier,
                    TestSource.<Integer>probe()
                            .mapConcat(x -> () -> new Iterator<Integer>() {
                                private boolean isGiven;

                                @Override
                                public boolean hasNext() {
                                    if (isGiven) {
                                        throw new IllegalStateException("broken");
                                    }
                                    return true;
                                }

                                @Override
                                public Integer next() {
                                    isGiven = true;
                                    return x;
                                }
                            })
                            .withAttributes(attributes));
            ends.second().request(1);
            ends.first().send(1);
            ends.second().expectNext(1);
            ends.first().complete();
            if (resumes) {
                ends.second().expectComplete();
            } else {
                assertThat(ends.second().expectError()).hasMessage("broken");
            }
        }
    }

    /** A null is the source's failure, whatever the expansion below makes of it, or its supervision. */
    @ParameterizedTest
    @EnumSource
    void aNullReachesNoExpansion(Tier tier) {
        List<Object> expanded = new ArrayList<>();
        Source<String, ?> source = Source.from(Arrays.asList(1, null, 3))
                .mapConcat(x -> {
                    expanded.add(x);
                    return List.of(String.valueOf(x));
                })
                .withAttributes(Attributes.supervision(Supervision.resume()));
        assertThatThrownBy(() -> result(tier, source, Sink.seq())).hasMessageContaining("the iterator gave null");
        assertThat(expanded).containsExactly(1);
    }

    // ------------------------------------------------------------------------ what was emitted before a function at
    // the end

    private static Map<String, Source<Integer, ?>> lastSevens() {
        Source<Integer, ?> above = Source.of(7).viaMat(KillSwitches.single(), Keep.left());
        Map<String, Source<Integer, ?>> all = new LinkedHashMap<>();
        all.put("of one element", Source.of(7));
        all.put("of an iterator", Source.fromIterator(() -> List.of(7).iterator()));
        all.put("below a stage", above);
        all.put("below a boundary", Source.of(7).async());
        all.put("taken", Source.repeat(7).take(1));
        all.put(
                "taken below a stage",
                Source.repeat(7).viaMat(KillSwitches.single(), Keep.left()).take(1));
        all.put("expanded", above.mapConcat(n -> List.of(n)));
        all.put("begun", Source.<Integer>empty().scan(7, Integer::sum));
        all.put("left by a step above", Source.of(3, 4).fold(0, Integer::sum));
        all.put("harvested", Source.of(7).aggregateWithBoundary(() -> 0, (n, x) -> new Pair<>(x, false), n -> n));
        return all;
    }

    private static Map<String, UnaryOperator<Source<Integer, ?>>> stagesBelow() {
        Map<String, UnaryOperator<Source<Integer, ?>>> all = new LinkedHashMap<>();
        all.put("a stage", source -> source.viaMat(KillSwitches.single(), Keep.left()));
        all.put("futures", source -> source.mapAsync(2, CompletableFuture::completedFuture));
        all.put("a merge", source -> source.merge(Source.empty()));
        return all;
    }

    private static Map<String, BiFunction<Source<Integer, ?>, Runnable, Source<Integer, ?>>> functionsAtEnd() {
        Map<String, BiFunction<Source<Integer, ?>, Runnable, Source<Integer, ?>>> all = new LinkedHashMap<>();
        all.put(
                "statefulMap",
                (source, end) -> source.statefulMap(() -> 0, (n, x) -> new Pair<>(n, x), n -> {
                    end.run();
                    return Optional.empty();
                }));
        all.put("doOnComplete", (source, end) -> source.doOnComplete(end));
        all.put(
                "aggregateWithBoundary",
                (source, end) -> source.concat(Source.of(0))
                        .aggregateWithBoundary(() -> 0, (n, x) -> new Pair<>(x, x == 7), n -> {
                            if (n != 7) {
                                end.run();
                            }
                            return n;
                        })
                        .filter(n -> n == 7));
        return all;
    }

    @ParameterizedTest
    @EnumSource
    @Behaviour("INT-10")
    void whatWasEmittedIsNotHeldBackByAFunctionAtTheEnd(Tier tier) {
        lastSevens()
                .forEach((above, source) -> functionsAtEnd()
                        .forEach((name, function) -> stagesBelow().forEach((below, stage) -> {
                            List<Object> seen = new ArrayList<>();
                            Source<Integer, ?> ending = stage.apply(function.apply(source, () -> seen.add("end")));
                            result(tier, ending, Sink.foreach(seen::add));
                            assertThat(seen)
                                    .as("%s, then %s, then %s", above, name, below)
                                    .containsExactly(7, "end");
                        })));
    }
}
