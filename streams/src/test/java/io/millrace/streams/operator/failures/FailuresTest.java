package io.millrace.streams.operator.failures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.millrace.streams.Flow;
import io.millrace.streams.Keep;
import io.millrace.streams.KillSwitches;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.UniqueKillSwitch;
import io.millrace.streams.failure.NeverMaterializedException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Backoff;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.RestartSettings;
import io.millrace.streams.graph.RetrySettings;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.OutHandler;
import io.millrace.testkit.Operator;
import io.millrace.testkit.StreamLeakCheck;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.TestSource;
import io.millrace.testkit.VirtualTimeScheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Failures and what goes on after them, on a clock moved by hand and on the test's own thread. */
class FailuresTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private final IOException mine = new IOException("mine");

    private final VirtualTimeScheduler time = new VirtualTimeScheduler();
    private final StreamRuntime runtime = StreamRuntime.create(
            RuntimeSettings.defaults().withExecutor(Runnable::run).withFailureReporter(failure -> {}), time);

    @AfterEach
    void nothingIsLeft() {
        StreamLeakCheck.assertNoStreams(runtime);
        assertThat(time.waiting()).isZero();
        runtime.close();
    }

    /** Fails as it is started, before any signal. */
    private final class FailsAtStart extends GraphStage<SourceShape<Integer>> {
        private final SourceShape<Integer> shape = SourceShape.of(Outlet.create("failsAtStart.out"));

        @Override
        public SourceShape<Integer> shape() {
            return shape;
        }

        @Override
        public GraphStageLogic createLogic(Attributes inherited) {
            return new Logic(shape);
        }

        private final class Logic extends GraphStageLogic implements OutHandler {
            Logic(SourceShape<Integer> shape) {
                super(shape);
                setHandler(shape.out(), this);
            }

            @Override
            public void preStart() throws Exception {
                throw mine;
            }

            @Override
            public void onPull() {}
        }
    }

    private <T> List<T> all(Source<T, ?> source) throws Exception {
        return source.runWith(Sink.seq(), runtime).toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    private Throwable failureOf(Source<?, ?> source) {
        CompletionStage<?> end = source.runWith(Sink.ignore(), runtime);
        Throwable thrown = catchThrowable(() -> end.toCompletableFuture().get(20, TimeUnit.SECONDS));
        assertThat(thrown).isNotNull();
        return thrown.getCause();
    }

    private Source<Integer, NotUsed> failing(Integer... before) {
        return Source.of(before).concat(Source.failed(mine));
    }

    @Test
    @Operator({"recover", "recoverWith", "mapError", "onErrorComplete"})
    void whatTheirFunctionsThrowOrLeaveOutFailsTheStream() {
        RuntimeException other = new IllegalStateException("other");
        assertThat(failureOf(failing(1).recover(failure -> {
                    throw other;
                })))
                .isSameAs(other);
        assertThat(failureOf(failing(1).recoverWith(failure -> {
                    throw other;
                })))
                .isSameAs(other);
        assertThat(failureOf(failing(1).mapError(failure -> {
                    throw other;
                })))
                .isSameAs(other);
        assertThat(failureOf(failing(1).onErrorComplete(failure -> {
                    throw other;
                })))
                .isSameAs(other);
        assertThat(failureOf(failing(1).recover(failure -> null))).isInstanceOf(NullPointerException.class);
        assertThat(failureOf(failing(1).recoverWith(failure -> null))).isInstanceOf(NullPointerException.class);
        assertThat(failureOf(failing(1).mapError(failure -> null))).isInstanceOf(NullPointerException.class);
    }

    @Test
    @Operator("recoverWith")
    void theFunctionSeesTheFailureItself() throws Exception {
        assertThat(all(failing(1)
                        .map(String::valueOf)
                        .recoverWith(failure -> Source.of(failure.getMessage(), "" + (failure == mine)))))
                .containsExactly("1", "mine", "true");
    }

    @Test
    @Operator("recoverWith")
    void theSourceThatGoesOnIsAskedOneByOneAndCancelled() {
        Pair<TestSource<Integer>, Source<Integer, NotUsed>> other =
                TestSource.<Integer>probe().preMaterialize(runtime);
        TestSink<Integer> sink =
                failing().recoverWith(failure -> other.second()).runWith(TestSink.probe(), runtime);
        sink.request(1);
        other.first().send(1);
        sink.expectNext(1).expectNothing(Duration.ZERO);
        sink.request(1);
        other.first().send(2);
        sink.expectNext(2);
        sink.cancel(mine);
        assertThat(other.first().awaitCancellation()).isNotNull();
    }

    @Test
    @Operator("recoverWithRetries")
    void attemptsBelowOneAreRefused() {
        assertThatThrownBy(() -> failing().recoverWithRetries(0, failure -> Source.empty()))
                .hasMessage("attempts must be at least 1, not 0");
    }

    @Test
    @Operator("recoverWithRetries")
    void aSourceThatFailsAsItIsStartedCountsAsAFailure() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        assertThat(all(failing(1)
                        .recoverWithRetries(
                                3,
                                failure -> attempts.incrementAndGet() == 3
                                        ? Source.single(2)
                                        : Source.fromGraph(new FailsAtStart()))))
                .containsExactly(1, 2);
        assertThat(failureOf(failing(1).recoverWith(failure -> Source.fromGraph(new FailsAtStart()))))
                .isSameAs(mine);
    }

    @Test
    @Operator("onErrorComplete")
    void onlyFailuresForWhichTheConditionHoldsComplete() throws Exception {
        assertThat(all(failing(1).onErrorComplete(failure -> failure instanceof IOException)))
                .containsExactly(1);
        assertThat(failureOf(failing(1).onErrorComplete(failure -> failure instanceof RuntimeException)))
                .isSameAs(mine);
    }

    @Test
    @Operator("onErrorContinue")
    void theConsumerIsToldAndErrorsThatAreNoExceptionsStillFail() throws Exception {
        List<Throwable> told = new ArrayList<>();
        assertThat(all(Source.of("1", "x", "3")
                        .map(Integer::parseInt)
                        .map(n -> n * 2)
                        .onErrorContinue(told::add)))
                .containsExactly(2, 6);
        assertThat(told).singleElement().isInstanceOf(NumberFormatException.class);
        assertThat(failureOf(Source.single(1)
                        .map(n -> {
                            throw new AssertionError("mine");
                        })
                        .onErrorContinue(told::add)))
                .isInstanceOf(AssertionError.class);
        assertThat(told).hasSize(1);
    }

    @Test
    @Operator("retry")
    void aSourceThatFailsIsRunAgainAndItsElementsGoOn() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        Source<Integer, NotUsed> third = Source.single(1)
                .concat(Source.single(2).map(n -> {
                    if (runs.incrementAndGet() < 3) {
                        throw mine;
                    }
                    return n;
                }));
        assertThat(all(third.retry(RetrySettings.times(2)))).containsExactly(1, 1, 1, 2);
        assertThat(failureOf(failing(1).retry(RetrySettings.times(5)))).isSameAs(mine);
        runs.set(-2);
        assertThat(failureOf(third.retry(RetrySettings.times(2)))).isSameAs(mine);
    }

    @Test
    @Operator("retry")
    void onlyFailuresThatAreMeantAreRetried() {
        AtomicInteger runs = new AtomicInteger();
        Source<Integer, NotUsed> counted = failing().mapError(failure -> {
            runs.incrementAndGet();
            return failure;
        });
        assertThat(failureOf(counted.retry(RetrySettings.times(3).withRetryOn(f -> f instanceof RuntimeException))))
                .isSameAs(mine);
        assertThat(runs).hasValue(1);
        assertThat(failureOf(counted.retry(RetrySettings.times(3).withRetryOn(f -> f instanceof IOException))))
                .isSameAs(mine);
        assertThat(runs).hasValue(5);
    }

    /** Cannot be made, by what its function for a first state throws. */
    private static Source<Integer, NotUsed> unmakeable(RuntimeException why) {
        return Source.single(1).via(unmakeableFlow(why));
    }

    private static Flow<Integer, Integer, NotUsed> unmakeableFlow(RuntimeException why) {
        return Flow.<Integer>create()
                .statefulMapAsync(
                        () -> {
                            throw why;
                        },
                        (state, n) -> CompletableFuture.completedFuture(new Pair<>(state, n)),
                        state -> Optional.empty());
    }

    @TestFactory
    Stream<DynamicTest> aSourceInsideThatCannotBeMadeFailsWithWhatWasThrown() {
        IllegalStateException why = new IllegalStateException("why");
        RestartSettings never =
                RestartSettings.of(Backoff.exponential(SECOND, SECOND)).withRestartOn(failure -> failure != why);
        Map<String, Source<Integer, ?>> all = new LinkedHashMap<>();
        all.put("recoverWith", failing().recoverWith(failure -> unmakeable(why)));
        all.put("recoverWithRetries", failing().recoverWithRetries(3, failure -> unmakeable(why)));
        all.put("restarting", Source.restarting(never, () -> unmakeable(why)));
        all.put(
                "usingWhen",
                Source.usingWhen(
                        () -> CompletableFuture.completedFuture(1),
                        n -> unmakeable(why),
                        (n, outcome) -> CompletableFuture.completedFuture(1)));
        all.put("lazy", Source.lazy(() -> unmakeable(why)));
        all.put("concatLazy", Source.<Integer>empty().concatLazy(unmakeable(why)));
        all.put("flatMapConcat", Source.single(1).flatMapConcat(n -> unmakeable(why)));
        all.put("switchMap", Source.single(1).switchMap(n -> unmakeable(why)));
        all.put("expandRecursively", Source.single(1).expandRecursively(n -> unmakeable(why)));
        all.put("switchOnFirst", Source.single(1).switchOnFirst(first -> unmakeableFlow(why)));
        return all.entrySet().stream()
                .map(entry -> DynamicTest.dynamicTest(entry.getKey(), () -> {
                    assertThat(failureOf(entry.getValue())).isSameAs(why);
                    assertThat(all(entry.getValue()
                                    .recover(IllegalStateException.class, failure -> failure == why ? 7 : 0)))
                            .endsWith(7);
                }));
    }

    @Test
    @Operator({"timeout", "lazy"})
    void soDoAFallbackTheSinkOfASubstreamAndTheValueOfALazySink() {
        IllegalStateException why = new IllegalStateException("why");
        TestSource<Integer> grouped = TestSource.<Integer>probe()
                .groupBy(2, n -> n)
                .to(unmakeableFlow(why).to(Sink.ignore()))
                .run(runtime)
                .send(1);
        assertThat(grouped.awaitCancellation()).isSameAs(why);
        TestSink<Integer> sink = Source.<Integer>never()
                .timeout(SECOND, unmakeable(why))
                .runWith(TestSink.<Integer>probe(), runtime)
                .request(1);
        time.advance(Duration.ofSeconds(3));
        assertThat(sink.expectError()).isSameAs(why);
        CompletionStage<NotUsed> value =
                Source.single(1).runWith(Sink.lazy(() -> unmakeableFlow(why).to(Sink.ignore())), runtime);
        assertThat(catchThrowable(() -> value.toCompletableFuture().get(20, TimeUnit.SECONDS)))
                .cause()
                .isInstanceOf(NeverMaterializedException.class)
                .cause()
                .isSameAs(why);
    }

    /** Fails with mine when it runs first, and cannot be made from then on. */
    private Source<Integer, NotUsed> unmakeableAgain(RuntimeException why, AtomicInteger runs) {
        return Source.single(1)
                .statefulMapAsync(
                        () -> {
                            if (runs.incrementAndGet() > 1) {
                                throw why;
                            }
                            return 0;
                        },
                        (state, n) -> CompletableFuture.failedFuture(mine),
                        state -> Optional.empty());
    }

    @Test
    @Operator("retry")
    void retryOnSeesWhatWasThrownWhenTheSourceCannotBeMade() {
        IllegalStateException why = new IllegalStateException("why");
        List<Throwable> seen = new ArrayList<>();
        RetrySettings settings = RetrySettings.times(5).withRetryOn(failure -> {
            seen.add(failure);
            return failure != why;
        });
        assertThat(failureOf(unmakeableAgain(why, new AtomicInteger()).retry(settings)))
                .isSameAs(why);
        assertThat(seen).containsExactly(mine, why);
    }

    @Test
    @Operator({"retry", "recoverWithRetries"})
    void anyNumberOfRetriesWithoutAWaitDoesNotNest() {
        IllegalStateException why = new IllegalStateException("why");
        AtomicInteger runs = new AtomicInteger();
        assertThat(failureOf(unmakeableAgain(why, runs).retry(RetrySettings.times(100_000))))
                .isSameAs(why);
        assertThat(runs).hasValue(100_001);
        AtomicInteger attempts = new AtomicInteger();
        assertThat(failureOf(failing(1).recoverWithRetries(100_000, failure -> {
                    attempts.incrementAndGet();
                    return unmakeable(why);
                })))
                .isSameAs(why);
        assertThat(attempts).hasValue(100_000);
    }

    @Test
    @Operator("retry")
    void whatCanNeverBeMadeCanBeEndedMeanwhile() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        AtomicReference<UniqueKillSwitch> end = new AtomicReference<>();
        Source<Integer, NotUsed> failing = Source.single(1)
                .statefulMapAsync(
                        () -> {
                            int run = runs.incrementAndGet();
                            if (run == 100) {
                                end.get().shutdown();
                            }
                            if (run > 1) {
                                throw new IllegalStateException("why");
                            }
                            return 0;
                        },
                        (state, n) -> CompletableFuture.failedFuture(mine),
                        state -> Optional.empty());
        TestSink<Integer> sink = failing.retry(RetrySettings.times(1_000))
                .viaMat(KillSwitches.<Integer>single(), Keep.right())
                .mapMaterializedValue(made -> {
                    end.set(made);
                    return made;
                })
                .runWith(TestSink.<Integer>probe(), runtime)
                .request(1);
        sink.expectComplete();
        assertThat(runs).hasValueBetween(100, 102);
    }

    @Test
    @Operator("retry")
    void retriesWaitAsTheBackoffSays() {
        Backoff backoff = Backoff.exponential(SECOND, Duration.ofSeconds(3)).withSeed(7);
        SplittableRandom same = new SplittableRandom(7);
        TestSink<Integer> sink =
                failing(1).retry(RetrySettings.times(3).withBackoff(backoff)).runWith(TestSink.probe(), runtime);
        sink.request(10).expectNext(1);
        for (long millis : List.of(1000, 2000, 3000)) {
            long nanos = Math.round(millis * 1_000_000 * (1 - 0.2 * same.nextDouble()));
            time.advance(Duration.ofNanos(nanos - 1));
            sink.expectNothing(Duration.ZERO);
            time.advance(Duration.ofNanos(1));
            sink.expectNext(1);
        }
        assertThat(sink.expectError()).isSameAs(mine);
    }

    @Test
    @Operator("retry")
    void cancellationEndsTheWait() {
        RetrySettings settings = RetrySettings.times(3).withBackoff(Backoff.exponential(SECOND, SECOND));
        TestSink<Integer> sink = failing(1).retry(settings).runWith(TestSink.probe(), runtime);
        sink.request(10).expectNext(1);
        assertThat(time.waiting()).isOne();
        sink.cancel();
        assertThat(time.waiting()).isZero();
    }

    @Test
    @Operator("retry")
    void theValueIsThatOfTheFirstRun() throws Exception {
        Pair<TestSource<Integer>, TestSink<Integer>> ends = TestSource.<Integer>probe()
                .retry(RetrySettings.times(1))
                .toMat(TestSink.<Integer>probe(), Keep.both())
                .run(runtime);
        ends.second().request(2);
        ends.first().send(1);
        ends.second().expectNext(1);
        ends.second().cancel();
        ends.first().awaitCancellation();
    }

    @Test
    void settingsOutOfRangeAreRefused() {
        assertThatThrownBy(() -> RetrySettings.times(0)).hasMessage("maxRetries must be at least 1, not 0");
        assertThatThrownBy(() -> Backoff.exponential(SECOND, Duration.ZERO)).hasMessageContaining("longest wait");
        assertThatThrownBy(() -> Backoff.exponential(Duration.ofSeconds(-1), SECOND))
                .hasMessageContaining("first wait");
        assertThatThrownBy(() -> Backoff.NONE.withJitter(1.1)).hasMessage("jitter must be between 0 and 1, not 1.1");
        assertThatThrownBy(() -> RestartSettings.of(Backoff.NONE)).hasMessageContaining("longer than zero");
    }

    @Test
    void theWaitDoublesUpToTheLongestAndJitterTakesAShareOff() {
        Backoff even = Backoff.exponential(SECOND, Duration.ofMinutes(1)).withJitter(0);
        SplittableRandom random = new SplittableRandom(1);
        assertThat(List.of(0, 1, 2, 5, 6, 1000))
                .map(waits -> even.after(waits, random).toSeconds())
                .containsExactly(1L, 2L, 4L, 32L, 60L, 60L);
        Backoff full = even.withJitter(1);
        for (int i = 0; i < 1000; i++) {
            assertThat(full.after(2, random)).isBetween(Duration.ZERO, Duration.ofSeconds(4));
        }
    }
}
