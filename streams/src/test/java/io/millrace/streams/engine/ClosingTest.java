package io.millrace.streams.engine;

import static io.millrace.streams.Await.await;
import static io.millrace.streams.Await.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Await;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.failure.AbruptTerminationException;
import io.millrace.streams.failure.StreamException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Outcome;
import io.millrace.streams.graph.RetrySettings;
import io.millrace.streams.graph.Supervision;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.schedule.Scheduler;
import io.millrace.testkit.Behaviour;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Closing a runtime ends all of its streams by force: none makes anything of the end of another, or of what it can begin no more. */
final class ClosingTest {
    private final List<StreamException> reported = new CopyOnWriteArrayList<>();
    private final StreamRuntime runtime = StreamRuntime.create(settings());
    private final CountDownLatch begun = new CountDownLatch(1);

    /** Makes a stream that runs others; the counter counts calls of functions that are not to be called when it ends. */
    @FunctionalInterface
    private interface Running {
        Source<Integer, ?> of(Source<Integer, ?> source, AtomicInteger calls);
    }

    private RuntimeSettings settings() {
        return RuntimeSettings.defaults()
                .withName("of-this-test")
                .withThreads(2)
                .withFailureReporter(reported::add)
                .withCloseTimeout(Duration.ofMinutes(1));
    }

    @AfterEach
    void close() {
        runtime.close();
    }

    private static CompletionStage<Integer> endlessIn(StreamRuntime here) {
        return endless().runWith(Sink.head(), here);
    }

    private static Source<Integer, NotUsed> endless() {
        return Source.<Integer>never().map(n -> n);
    }

    private static Source<Integer, ?> counted(AtomicInteger runs, Source<Integer, ?> source) {
        return Source.lazy(() -> {
            runs.incrementAndGet();
            return source.mapMaterializedValue(value -> NotUsed.NOT_USED);
        });
    }

    private static Map<String, Running> streamsThatRunOthers() {
        Map<String, Running> cases = new TreeMap<>();
        cases.put("recover", (source, calls) -> endlessly(source).recover(failure -> calls.incrementAndGet()));
        cases.put(
                "over a boundary",
                (source, calls) -> endlessly(source).async().recover(failure -> calls.incrementAndGet()));
        cases.put(
                "recoverWith",
                (source, calls) -> endlessly(source).recoverWith(failure -> Source.of(calls.incrementAndGet())));
        cases.put(
                "onErrorComplete",
                (source, calls) -> endlessly(source).onErrorComplete(failure -> calls.incrementAndGet() > 0));
        cases.put(
                "inner retry",
                (source, calls) ->
                        source.flatMapConcat(n -> counted(calls, endless()).retry(RetrySettings.times(3))));
        cases.put("retry", (source, calls) -> counted(calls, endlessly(source)).retry(RetrySettings.times(3)));
        return cases;
    }

    private static Source<Integer, ?> endlessly(Source<Integer, ?> source) {
        return source.flatMapConcat(n -> endless());
    }

    @TestFactory
    @Behaviour("MAT-1")
    Stream<DynamicTest> noStreamMakesAnythingOfTheForcedEndOfOneThatItRuns() {
        return streamsThatRunOthers().entrySet().stream()
                .map(each -> DynamicTest.dynamicTest(each.getKey(), () -> endsByForce(each.getValue())));
    }

    /** On an executor that runs each turn at once, who waits for a stream is told of its end before the next one is ended. */
    private void endsByForce(Running stream) throws Exception {
        AtomicInteger calls = new AtomicInteger();
        CompletableFuture<Integer> go = new CompletableFuture<>();
        StreamRuntime inTurn = StreamRuntime.create(settings().withExecutor(Runnable::run));
        CompletionStage<List<Integer>> list =
                stream.of(Source.fromCompletionStage(go), calls).runWith(Sink.seq(), inTurn);
        go.complete(1);
        int before = calls.get();
        inTurn.close();
        isTold(awaitFailure(list));
        assertThat(calls).hasValue(before);
    }

    private void isTold(Throwable failure) {
        assertThat(failure)
                .isInstanceOf(AbruptTerminationException.class)
                .hasMessageContaining("of-this-test was closed");
        assertThat(reported).isEmpty();
    }

    /** A stream of a resource, which tells of the outcome that its cleanup is given. */
    private static Source<Integer, NotUsed> usingWhen(
            CompletableFuture<Integer> made,
            ThrowingFunction<Integer, Source<Integer, NotUsed>> body,
            CompletableFuture<Outcome> outcome) {
        return Source.usingWhen(() -> made, body, (resource, how) -> {
            outcome.complete(how);
            return CompletableFuture.completedFuture(Done.DONE);
        });
    }

    @Test
    void aResourceIsCleanedUpAsAfterACancellation() throws Exception {
        CompletableFuture<Integer> go = new CompletableFuture<>();
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        StreamRuntime inTurn = StreamRuntime.create(settings().withExecutor(Runnable::run));
        CompletionStage<Done> end =
                usingWhen(go, resource -> endless(), outcome).runWith(Sink.ignore(), inTurn);
        go.complete(1);
        inTurn.close();
        isTold(awaitFailure(end));
        assertThat(await(outcome)).isInstanceOf(Outcome.Cancelled.class);
    }

    @Test
    @Behaviour("MAT-1")
    void aStreamOfFuturesMakesNothingOfTheForcedEndOfAnotherAndNorDoesItsSupervision() throws Exception {
        List<BiFunction<Source<Integer, ?>, StreamRuntime, Source<Integer, ?>>> operators = List.of(
                (source, here) -> source.mapAsync(1, n -> endlessIn(here)),
                (source, here) -> source.mapAsyncUnordered(1, n -> endlessIn(here)),
                (source, here) -> source.foldAsync(0, (sum, n) -> endlessIn(here)),
                (source, here) -> source.foldAsync(0, (sum, n) -> endlessIn(here))
                        .withAttributes(Attributes.supervision(Supervision.resume())),
                (source, here) -> source.scanAsync(0, (sum, n) -> endlessIn(here)),
                (source, here) -> source.flatMapConcat(n -> Source.fromCompletionStage(endlessIn(here))));
        for (BiFunction<Source<Integer, ?>, StreamRuntime, Source<Integer, ?>> operator : operators) {
            CompletableFuture<Integer> go = new CompletableFuture<>();
            StreamRuntime inTurn = StreamRuntime.create(settings().withExecutor(Runnable::run));
            CompletionStage<Integer> first =
                    operator.apply(Source.fromCompletionStage(go), inTurn).runWith(Sink.last(), inTurn);
            go.complete(1);
            inTurn.close();
            isTold(awaitFailure(first));
        }
    }

    @Test
    void whatAStreamHasDoneWhenItClosesItsRuntimeStands() throws Exception {
        CompletionStage<Done> end = Source.range(1, 3)
                .runForeach(
                        n -> {
                            if (n == 3) {
                                runtime.close();
                            }
                        },
                        runtime);
        assertThat(await(end)).isEqualTo(Done.DONE);
    }

    /** A stage finds its runtime closed when it is about to begin another stream. */
    @Test
    @Behaviour("MAT-1")
    void aStreamThatCanBeginNoOtherEndsByForce() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        CompletionStage<List<Integer>> list = Source.single(1)
                .flatMapConcat(n -> onceClosed(endless()))
                .recover(failure -> calls.incrementAndGet())
                .runWith(Sink.seq(), runtime);
        Await.await(begun, "the stage is called");
        runtime.close();
        isTold(awaitFailure(list));
        assertThat(calls).hasValue(0);
    }

    @Test
    void aFallbackThatCanNotBeginIsAskedForOnce() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        CompletionStage<List<Integer>> list = Source.<Integer>failed(new IOException("of this test"))
                .recoverWithRetries(9, failure -> {
                    calls.incrementAndGet();
                    return onceClosed(endless());
                })
                .runWith(Sink.seq(), runtime);
        Await.await(begun, "the stage is called");
        runtime.close();
        isTold(awaitFailure(list));
        assertThat(calls).hasValue(1);
    }

    @Test
    void aResourceOfWhichNoStreamBeginsIsCleanedUpAsAfterACancellation() throws Exception {
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        CompletionStage<Done> end = usingWhen(
                        CompletableFuture.completedFuture(1), resource -> onceClosed(endless()), outcome)
                .runWith(Sink.ignore(), runtime);
        Await.await(begun, "the stage is called");
        runtime.close();
        isTold(awaitFailure(end));
        assertThat(await(outcome)).isInstanceOf(Outcome.Cancelled.class);
    }

    @Test
    void aStageThatStartsATimerMeanwhileEndsByForce() throws Exception {
        CompletionStage<List<List<Integer>>> list = Source.single(1)
                .map(n -> {
                    begun.countDown();
                    awaitRefusal(runtime.scheduler());
                    return n;
                })
                .groupedWithin(10, Duration.ofHours(1))
                .runWith(Sink.seq(), runtime);
        Await.await(begun, "the stage is called");
        Source.single(1).runForeach(n -> runtime.close(), runtime);
        isTold(awaitFailure(list));
    }

    private <T> T onceClosed(T value) {
        begun.countDown();
        while (!runtime.isClosed()) {
            Thread.onSpinWait();
        }
        return value;
    }

    private static void awaitRefusal(Scheduler scheduler) {
        try {
            while (true) {
                scheduler.schedule(() -> {}, Duration.ofHours(1)).dispose();
            }
        } catch (RejectedExecutionException isShutDown) {
            assertThat(isShutDown).isNotNull();
        }
    }
}
