package io.millrace.streams.operator;

import static io.millrace.streams.Await.await;
import static io.millrace.streams.Await.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Flow;
import io.millrace.streams.Keep;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.failure.AbruptTerminationException;
import io.millrace.streams.failure.StreamException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Backoff;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Outcome;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.RestartSettings;
import io.millrace.streams.graph.Supervision;
import io.millrace.testkit.Operator;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.TestSource;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What is done beside a stream when elements, failures and ends go by, and streams that run again. */
class SideEffectsTest extends OperatorTest {
    private final RuntimeException mine = new IllegalStateException("mine");
    private final List<Object> seen = new CopyOnWriteArrayList<>();

    @Test
    @Operator("doOnNext")
    void theConsumerSeesEachElementBeforeDownstreamDoes() throws Exception {
        Source<Integer, NotUsed> numbers =
                Source.of(1, 2).doOnNext(n -> seen.add("doing " + n)).map(n -> n * 10);
        await(numbers.runForeach(seen::add, runtime));
        assertThat(seen).containsExactly("doing 1", 10, "doing 2", 20);
    }

    @Test
    @Operator("doOnNext")
    void whatTheConsumerOfElementsThrowsFailsTheStreamUnlessSupervisionDropsTheElement() throws Exception {
        Source<Integer, NotUsed> numbers = Source.of(1, 2, 3).doOnNext(n -> {
            if (n == 2) {
                throw mine;
            }
        });
        assertThat(failureOf(numbers)).isSameAs(mine);
        assertThat(all(numbers.withAttributes(Attributes.supervision(Supervision.resume()))))
                .containsExactly(1, 3);
    }

    @Test
    @Operator("doOnError")
    void theConsumerSeesTheFailureThatGoesOn() throws Exception {
        Source<Integer, NotUsed> failing = Source.of(1).concat(Source.failed(mine));
        assertThat(failureOf(failing.doOnError(seen::add))).isSameAs(mine);
        assertThat(seen).containsExactly(mine);
        assertThat(all(Source.of(1).doOnError(seen::add))).containsExactly(1);
        assertThat(all(failing.onErrorComplete().doOnError(seen::add))).containsExactly(1);
        assertThat(seen).hasSize(1);
        RuntimeException other = new IllegalArgumentException("other");
        assertThat(failureOf(failing.doOnError(failure -> {
                    throw other;
                })))
                .isSameAs(other);
    }

    @Test
    @Operator("doOnComplete")
    void theActionRunsOnceWhenUpstreamHasCompletedAndNotOtherwise() throws Exception {
        AtomicInteger count = new AtomicInteger();
        Source<Integer, NotUsed> numbers = Source.of(1, 2, 3);
        await(numbers.doOnComplete(() -> seen.add("end")).runForeach(seen::add, runtime));
        assertThat(seen).containsExactly(1, 2, 3, "end");
        await(numbers.take(2).doOnComplete(count::incrementAndGet).runWith(Sink.ignore(), runtime));
        assertThat(count).hasValue(1);
        await(numbers.doOnComplete(count::incrementAndGet).take(2).runWith(Sink.ignore(), runtime));
        failureOf(numbers.concat(Source.failed(mine)).doOnComplete(count::incrementAndGet));
        assertThat(count).hasValue(1);
        assertThat(failureOf(numbers.doOnComplete(() -> {
                    throw mine;
                })))
                .isSameAs(mine);
    }

    @Test
    @Operator("doFinally")
    void theConsumerIsToldOnceHowTheStreamHasEnded() throws Exception {
        await(Source.of(1, 2).doFinally(seen::add).runWith(Sink.ignore(), runtime));
        failureOf(Source.failed(mine).doFinally(seen::add));
        nothingRuns();
        assertThat(seen).containsExactly(new Outcome.Completed(), new Outcome.Failed(mine));
        seen.clear();
        Pair<TestSource<Integer>, TestSink<Integer>> ends = TestSource.<Integer>probe()
                .doFinally(seen::add)
                .toMat(TestSink.<Integer>probe(), Keep.both())
                .run(runtime);
        ends.second().cancel(mine);
        ends.first().awaitCancellation();
        nothingRuns();
        assertThat(seen).containsExactly(new Outcome.Cancelled(mine));
    }

    @Test
    @Operator("doFinally")
    void theConsumerIsToldOfAnEndByForceAndItsOwnFailureIsReported() throws Exception {
        CompletableFuture<StreamException> reported = new CompletableFuture<>();
        StreamRuntime other = StreamRuntime.create(RuntimeSettings.defaults().withFailureReporter(reported::complete));
        CompletableFuture<Object> told = new CompletableFuture<>();
        Source.never()
                .doFinally(outcome -> {
                    told.complete(outcome);
                    throw mine;
                })
                .to(Sink.ignore())
                .run(other);
        other.close();
        assertThat(await(told))
                .isInstanceOfSatisfying(
                        Outcome.Cancelled.class,
                        cancelled -> assertThat(cancelled.cause()).isInstanceOf(AbruptTerminationException.class));
        assertThat(await(reported)).hasCause(mine);
    }

    @Test
    @Operator("recover")
    void aFailureOfAnotherClassGoesOn() throws Exception {
        Source<Integer, NotUsed> failing = Source.of(1).concat(Source.failed(mine));
        assertThat(all(failing.recover(
                        IllegalStateException.class,
                        failure -> failure.getMessage().length())))
                .containsExactly(1, 4);
        assertThat(failureOf(failing.recover(IOException.class, failure -> 0))).isSameAs(mine);
        assertThat(failureOf(failing.onErrorComplete(IOException.class))).isSameAs(mine);
    }

    @Test
    @Operator("repeatTimes")
    void aSourceThatRepeatsRunsSoManyTimesInAllOneAfterTheOther() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        Source<Integer, NotUsed> numbered =
                Source.lazy(() -> Source.of(runs.incrementAndGet(), 0)).mapMaterializedValue(made -> NotUsed.NOT_USED);
        assertThat(all(numbered.repeatTimes(3))).containsExactly(1, 0, 2, 0, 3, 0);
        assertThat(all(Source.of(1, 2).repeatTimes(1))).containsExactly(1, 2);
        runs.set(0);
        assertThat(all(numbered.repeatTimes(9).take(3))).containsExactly(1, 0, 2);
        assertThat(failureOf(Source.of(1).concat(Source.failed(mine)).repeatTimes(2)))
                .isSameAs(mine);
        assertThat(Source.of(1)
                        .mapMaterializedValue(value -> runs.incrementAndGet())
                        .repeatTimes(3)
                        .to(Sink.ignore())
                        .run(runtime))
                .isPositive();
        assertThatThrownBy(() -> Source.of(1).repeatTimes(0)).hasMessage("count must be at least 1, not 0");
    }

    @Test
    void runningForEachElementTellsOfTheEnd() throws Exception {
        assertThat(await(Source.of(1, 2).runForeach(seen::add, runtime))).isEqualTo(Done.DONE);
        assertThat(seen).containsExactly(1, 2);
        assertThat(awaitFailure(Source.of(1, 2)
                        .runForeach(
                                n -> {
                                    throw mine;
                                },
                                runtime)))
                .isSameAs(mine);
    }

    @Test
    @Operator("skipLast")
    void aNegativeCountIsRefused() {
        assertThatThrownBy(() -> Source.of(1).skipLast(-1)).hasMessage("count must be at least 0, not -1");
    }

    @Test
    @Operator({"fromPublisher", "extrapolate", "fromRuntime", "restarting"})
    void whatAUserThrowsAsAStreamStartsIsAFailureAsAnyOther() throws Exception {
        RestartSettings unsure = RestartSettings.of(Backoff.exponential(Duration.ofMillis(1), Duration.ofMillis(1)))
                .withRestartOn(failure -> {
                    throw mine;
                });
        List<Source<Integer, ?>> sources = List.of(
                Source.fromPublisher(subscriber -> {
                    throw mine;
                }),
                Source.of(1)
                        .extrapolate(
                                n -> {
                                    throw mine;
                                },
                                0),
                Source.<Integer, Object>fromRuntime((runtime, attributes) -> {
                    throw mine;
                }),
                Source.restarting(unsure, () -> {
                    throw new IOException("not made");
                }),
                Source.of(1).via(Flow.restarting(unsure, () -> {
                    throw new IOException("not made");
                })));
        List<Object> results = new ArrayList<>();
        for (Source<Integer, ?> source : sources) {
            results.add(await(source.recover(RuntimeException.class, failure -> failure == mine ? 7 : 0)
                    .runWith(Sink.seq(), runtime)
                    .handle((elements, failure) -> failure == null ? elements : failure)));
        }
        assertThat(results).hasSize(5).containsOnly(List.of(7));
    }
}
