package io.millrace.streams.engine.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Keep;
import io.millrace.streams.KillSwitches;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.engine.segment.SegmentEndTest.Tier;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.OverflowStrategy;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.Supervision;
import io.millrace.streams.operator.VirtualTimeTest;
import io.millrace.testkit.Behaviour;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.TestSource;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When the functions of a segment hear of a failure, in each tier. */
class SegmentFailureEndTest extends VirtualTimeTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final IllegalStateException lost = new IllegalStateException("lost");
    private final List<Object> seen = new ArrayList<>();

    private void hear() {
        seen.add("end");
    }

    /** Runs the source to its end, whichever that is. */
    @SuppressWarnings("unchecked")
    private void see(Tier tier, Source<Integer, ?> source) {
        Heat heat = Heat.of(source.toMat(Sink.foreach(seen::add), Keep.right()));
        tier.apply(heat);
        ((CompletionStage<?>) heat.run(runtime))
                .handle((nothing, failure) -> nothing)
                .toCompletableFuture()
                .join();
    }

    @SuppressWarnings("unchecked")
    private Pair<TestSource<Integer>, TestSink<Integer>> between(Tier tier, Source<Integer, ?> source) {
        Heat heat = Heat.of(source.toMat(TestSink.<Integer>probe(), Keep.both()));
        tier.apply(heat);
        return (Pair<TestSource<Integer>, TestSink<Integer>>) heat.run(runtime);
    }

    // ------------------------------------------------------------------------------------------ what is put together

    private Integer thrown() {
        throw lost;
    }

    private Iterator<Integer> sevenAndThrow(boolean inNext) {
        return new Iterator<>() {
            private boolean isGiven;

            @Override
            public boolean hasNext() {
                return !isGiven || inNext || thrown() == 0;
            }

            @Override
            public Integer next() {
                if (isGiven) {
                    thrown();
                }
                isGiven = true;
                return 7;
            }
        };
    }

    private static Source<Integer, ?> staged(Source<Integer, ?> source) {
        return source.viaMat(KillSwitches.single(), Keep.left());
    }

    /** All give seven, and then something in them throws. */
    private Map<String, Source<Integer, ?>> throwingSevens() {
        Map<String, Source<Integer, ?>> all = new LinkedHashMap<>();
        all.put("of an iterator", Source.fromIterator(() -> sevenAndThrow(false)));
        all.put("of an iterator that fails late", Source.fromIterator(() -> sevenAndThrow(true)));
        all.put("by a step", Source.of(7, 8).map(n -> n == 7 ? n : thrown()));
        all.put("by a step below a stage", staged(Source.of(7, 8)).map(n -> n == 7 ? n : thrown()));
        all.put("by a step below a boundary", Source.of(7, 8).async().map(n -> n == 7 ? n : thrown()));
        all.put("expanded", Source.of(1).mapConcat(n -> () -> sevenAndThrow(false)));
        all.put("expanded below a stage", staged(Source.of(1)).mapConcat(n -> () -> sevenAndThrow(true)));
        all.put("above its limit", Source.repeat(7).limit(1));
        return all;
    }

    /** All give seven, and then fail with what nothing in them has thrown. */
    private Map<String, Source<Integer, ?>> failedSevens() {
        Source<Integer, ?> failing = Source.of(7).concat(Source.failed(lost));
        Map<String, Source<Integer, ?>> all = new LinkedHashMap<>();
        all.put("of a stage", failing);
        all.put("of a stage below a stage", staged(failing));
        all.put("below a boundary", failing.async());
        all.put("below a boundary and steps", failing.async().map(n -> n).filter(n -> n == 7));
        all.put("expanded below a boundary", failing.async().mapConcat(List::of));
        all.put("begun", Source.<Integer>failed(lost).recover(failure -> 7).concat(Source.failed(lost)));
        return all;
    }

    private Map<String, Source<Integer, ?>> failingSevens() {
        Map<String, Source<Integer, ?>> all = throwingSevens();
        all.putAll(failedSevens());
        return all;
    }

    private static Map<String, UnaryOperator<Source<Integer, ?>>> stagesBelow() {
        Map<String, UnaryOperator<Source<Integer, ?>>> all = new LinkedHashMap<>();
        all.put("a stage", SegmentFailureEndTest::staged);
        all.put("two stages", source -> staged(staged(source)));
        all.put("futures", source -> source.mapAsync(2, CompletableFuture::completedFuture));
        all.put("a merge", source -> source.merge(Source.empty()));
        all.put("a buffer", source -> source.buffer(4, OverflowStrategy.BACKPRESSURE));
        return all;
    }

    private static Map<String, BiFunction<Source<Integer, ?>, Runnable, Source<Integer, ?>>> functionsOnFailure() {
        Map<String, BiFunction<Source<Integer, ?>, Runnable, Source<Integer, ?>>> all = new LinkedHashMap<>();
        all.put(
                "recover",
                (source, end) -> source.recover(failure -> {
                    end.run();
                    return -1;
                }));
        all.put(
                "mapError",
                (source, end) -> source.mapError(failure -> {
                    end.run();
                    return new IOException(failure);
                }));
        all.put("doOnError", (source, end) -> source.doOnError(failure -> end.run()));
        all.put(
                "onErrorComplete",
                (source, end) -> source.onErrorComplete(failure -> {
                    end.run();
                    return true;
                }));
        all.put(
                "onErrorComplete that does not",
                (source, end) -> source.onErrorComplete(failure -> {
                    end.run();
                    return false;
                }));
        all.put(
                "recoverWith",
                (source, end) -> source.recoverWith(failure -> {
                    end.run();
                    return Source.of(-1);
                }));
        return all;
    }

    // ------------------------------------------------------------------------------------------------------ the order

    private void expectEnd(String function, TestSink<Integer> below) {
        switch (function) {
            case "recover", "recoverWith" -> below.expectNext(-1).expectComplete();
            case "onErrorComplete" -> below.expectComplete();
            case "mapError" -> assertThat(below.expectError()).hasCause(lost);
            default -> assertThat(below.expectError()).isSameAs(lost);
        }
    }

    /** What was seen where it was not a seven and then the function. */
    private final List<String> wrong = new ArrayList<>();

    private void check(String... parts) {
        if (seen.size() < 2 || !seen.subList(0, 2).equals(List.of(7, "end")) || seen.lastIndexOf("end") > 1) {
            wrong.add(String.join(", then ", parts) + ": " + seen);
        }
        seen.clear();
    }

    @ParameterizedTest
    @EnumSource
    @Behaviour("INT-10")
    void whatWasEmittedIsNotHeldBackByAFunctionThatHearsOfAFailure(Tier tier) {
        failingSevens()
                .forEach((above, source) -> functionsOnFailure()
                        .forEach((name, function) -> stagesBelow().forEach((below, stage) -> {
                            see(tier, stage.apply(function.apply(source, this::hear)));
                            check(above, name, below);
                        })));
        assertThat(wrong).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @Behaviour("INT-10")
    void theSameInASegmentThatNothingLeaves(Tier tier) {
        failingSevens()
                .forEach((above, source) -> functionsOnFailure().forEach((name, function) -> {
                    see(tier, function.apply(source, this::hear));
                    check(above, name);
                }));
        assertThat(wrong).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @Behaviour("INT-10")
    void whatWasSentBeforeAFailureIsSeenBeforeItWhenDownstreamAsksLate(Tier tier) {
        functionsOnFailure().forEach((name, function) -> {
            Source<Integer, ?> above = TestSource.<Integer>probe().async();
            Source<Integer, ?> shown = staged(function.apply(above, this::hear)).map(n -> {
                seen.add(n);
                return n;
            });
            Pair<TestSource<Integer>, TestSink<Integer>> ends = between(tier, shown);
            ends.first().send(7).fail(lost);
            expectEnd(name, ends.second().request(2).expectNext(7));
            check(name);
        });
        assertThat(wrong).isEmpty();
    }

    // ------------------------------------------------------------------------------------------- what comes meanwhile

    @ParameterizedTest
    @EnumSource
    void whatIsThrownIsReportedOnceWhateverIsMadeOfIt(Tier tier) {
        failingSevens()
                .forEach((above, source) -> functionsOnFailure().forEach((name, function) -> {
                    see(tier, staged(function.apply(source, this::hear)));
                    if (reported.size() != (failedSevens().containsKey(above) ? 0 : 1)) {
                        wrong.add(above + ", then " + name + ": " + reported);
                    }
                    reported.clear();
                }));
        assertThat(wrong).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void whoCancelsWithWhatCameBeforeAFailureLeavesNobodyToBeToldOfIt(Tier tier) {
        UnaryOperator<Source<Integer, ?>> buffer = stagesBelow().get("a buffer");
        functionsOnFailure().forEach((name, function) -> {
            Source<Integer, ?> failing = Source.of(7, 8).map(n -> n == 7 ? n : thrown());
            see(tier, buffer.apply(function.apply(failing, this::hear)).take(1));
            assertThat(seen).as(name).containsExactly(7);
            assertThat(reported)
                    .as(name)
                    .singleElement()
                    .satisfies(report -> assertThat(report).hasCause(lost));
            seen.clear();
            reported.clear();
        });
    }

    @ParameterizedTest
    @EnumSource
    void whatIsMadeOfAFailureWaitsForDemandAndAnEndDoesNot(Tier tier) {
        functionsOnFailure().forEach((name, function) -> {
            Pair<TestSource<Integer>, TestSink<Integer>> ends =
                    between(tier, function.apply(TestSource.<Integer>probe(), this::hear));
            ends.first().fail(lost);
            assertThat(seen).as(name).containsExactly("end");
            if (name.startsWith("recover")) {
                ends.second().expectNothing(Duration.ZERO);
                ends.second().request(1);
            }
            expectEnd(name, ends.second());
            seen.clear();
        });
    }

    @ParameterizedTest
    @EnumSource
    void whatAFunctionThrowsThatHearsOfAFailureIsOfferedBelow(Tier tier) {
        functionsOnFailure().forEach((name, function) -> {
            Source<Integer, ?> failing = Source.of(7, 8).map(n -> n == 7 ? n : thrown());
            Source<Integer, ?> throwing = function.apply(failing, () -> {
                throw new IllegalArgumentException("thrown by " + name);
            });
            see(
                    tier,
                    staged(throwing.doOnError(failure -> seen.add(failure.getMessage()))
                            .recover(failure -> -1)));
            assertThat(seen).containsExactly(7, "thrown by " + name, -1);
            assertThat(reported).as(name).hasSize(2);
            seen.clear();
            reported.clear();
        });
    }

    @ParameterizedTest
    @EnumSource
    void whatSupervisionLetsPassIsNoFailure(Tier tier) {
        for (Attributes attributes :
                List.of(Attributes.supervision(Supervision.resume()), Attributes.supervision(Supervision.restart()))) {
            Source<Integer, ?> failing =
                    Source.of(7, 8, 9).map(n -> n == 8 ? thrown() : n).withAttributes(attributes);
            see(tier, staged(failing.doOnError(failure -> hear()).recover(failure -> -1)));
            assertThat(seen).containsExactly(7, 9);
            seen.clear();
        }
    }

    /** A second goes by, in a turn that gets long, so that timers are heard before anything else. */
    private Integer late(Integer element) {
        time.advance(SECOND);
        while (!StageContext.active().isTurnLong()) {
            Thread.onSpinWait();
        }
        return element;
    }

    @ParameterizedTest
    @EnumSource
    void aTimeoutDoesNotOvertakeAFailure(Tier tier) {
        for (boolean isAwaited : new boolean[] {true, false}) {
            Source<Integer, ?> recovering = TestSource.<Integer>probe()
                    .async()
                    .map(this::late)
                    .recover(failure -> {
                        hear();
                        return -1;
                    })
                    .completionTimeout(SECOND);
            Pair<TestSource<Integer>, TestSink<Integer>> ends = between(tier, recovering);
            ends.first().send(7).fail(lost);
            ends.second().request(isAwaited ? 2 : 1).expectNext(7);
            if (isAwaited) {
                ends.second().expectNext(-1).expectComplete();
            } else {
                assertThat(ends.second().expectError()).isInstanceOf(TimeoutException.class);
            }
            assertThat(seen).containsExactly("end");
            seen.clear();
        }
    }

    /** The seven is on its way through so many stages that the timer is heard before the function is called. */
    @ParameterizedTest
    @EnumSource
    void aTimeoutThatIsHeardBeforeAFailureIsToldComesAfterIt(Tier tier) {
        Source<Integer, ?> below = TestSource.<Integer>probe()
                .async()
                .map(this::late)
                .recover(failure -> {
                    hear();
                    return -1;
                })
                .completionTimeout(SECOND);
        for (int stages = 0; stages < 200; stages++) {
            below = staged(below);
        }
        Pair<TestSource<Integer>, TestSink<Integer>> ends = between(tier, below);
        ends.first().send(7).fail(lost);
        ends.second().request(1).expectNext(7);
        assertThat(ends.second().expectError()).isInstanceOf(TimeoutException.class);
        assertThat(seen).containsExactly("end");
    }
}
