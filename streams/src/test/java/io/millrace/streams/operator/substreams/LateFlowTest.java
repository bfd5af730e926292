package io.millrace.streams.operator.substreams;

import static io.millrace.streams.Await.await;
import static io.millrace.streams.Await.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Flow;
import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.failure.AbruptTerminationException;
import io.millrace.streams.failure.NeverMaterializedException;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.RetrySettings;
import io.millrace.streams.operator.OperatorTest;
import io.millrace.testkit.Operator;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.TestSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

/** Flows and sinks that come with the first element or with a future, and futures that are made when they are asked for. */
final class LateFlowTest extends OperatorTest {
    private final IllegalStateException mine = new IllegalStateException("mine");

    /** Both ends of a flow, and its value. */
    private record Ends<M>(TestSource<Integer> in, CompletionStage<M> value, TestSink<Integer> out) {}

    private <M> Ends<M> run(Flow<Integer, Integer, CompletionStage<M>> flow) {
        return TestSource.<Integer>probe()
                .viaMat(flow, Keep.<TestSource<Integer>, CompletionStage<M>>both())
                .toMat(TestSink.<Integer>probe(), (ends, out) -> new Ends<>(ends.first(), ends.second(), out))
                .run(runtime);
    }

    private static Flow<Integer, Integer, String> negation() {
        return Flow.of((Integer n) -> -n).mapMaterializedValue(none -> "value");
    }

    @Test
    @Operator("lazy")
    void aLazyFlowIsMadeWithTheFirstElementAndForEachRun() throws Exception {
        AtomicInteger made = new AtomicInteger();
        Flow<Integer, Integer, CompletionStage<String>> lazy = Flow.lazy(() -> {
            made.incrementAndGet();
            return negation();
        });
        Ends<String> ends = run(lazy);
        ends.out().request(3);
        ends.in().expectPull();
        assertThat(made).hasValue(0);
        ends.in().send(1);
        ends.out().expectNext(-1);
        assertThat(await(ends.value())).isEqualTo("value");
        ends.in().send(2).send(3).complete();
        ends.out().expectNext(-2, -3).expectComplete();
        assertThat(all(Source.range(0, 1_000).via(lazy))).hasSize(1_000).startsWith(0, -1, -2);
        assertThat(made).hasValue(2);
    }

    @Test
    @Operator("lazy")
    void aLazyFlowWithoutAnElementIsNeverMade() {
        Ends<String> completed = run(Flow.lazy(LateFlowTest::negation));
        completed.in().complete();
        completed.out().request(1).expectComplete();
        isNeverMade(completed.value()).hasMessageContaining("the stream ended").hasNoCause();
        Ends<String> failed = run(Flow.lazy(LateFlowTest::negation));
        failed.in().fail(mine);
        assertThat(failed.out().expectError()).isSameAs(mine);
        isNeverMade(failed.value()).hasCause(mine);
        Ends<String> cancelled = run(Flow.lazy(LateFlowTest::negation));
        cancelled.out().cancel();
        cancelled.in().awaitCancellation();
        isNeverMade(cancelled.value()).hasMessageContaining("the stream ended");
    }

    private static AbstractThrowableAssert<?, ?> isNeverMade(CompletionStage<?> value) {
        return assertThatThrownBy(() -> await(value)).cause().isInstanceOf(NeverMaterializedException.class);
    }

    @Test
    @Operator({"lazy", "fromCompletionStage"})
    void aFlowThatCannotBeMadeFailsAll() {
        for (Flow<Integer, Integer, CompletionStage<String>> broken : List.of(
                Flow.<Integer, Integer, String>lazy(() -> {
                    throw mine;
                }),
                Flow.<Integer, Integer, String>fromCompletionStage(CompletableFuture.failedFuture(mine)))) {
            Ends<String> ends = run(broken);
            ends.out().request(1);
            ends.in().send(1);
            assertThat(ends.out().expectError()).isSameAs(mine);
            assertThat(ends.in().awaitCancellation()).isSameAs(mine);
            isNeverMade(ends.value()).hasMessageContaining("could not be made").hasCause(mine);
        }
    }

    @Test
    @Operator("fromCompletionStage")
    void nothingIsTakenBeforeTheFlowIsThere() throws Exception {
        CompletableFuture<Flow<Integer, Integer, String>> later = new CompletableFuture<>();
        Ends<String> ends = run(Flow.fromCompletionStage(later));
        ends.out().request(1);
        ends.in().send(1).complete();
        assertThat(ends.value().toCompletableFuture()).isNotDone();
        later.complete(negation());
        ends.out().expectNext(-1).expectComplete();
        assertThat(await(ends.value())).isEqualTo("value");
    }

    @Test
    @Operator("fromCompletionStage")
    void aFlowIsRunForAStreamThatEndedBefore() {
        CompletableFuture<Flow<Integer, Integer, NotUsed>> later = new CompletableFuture<>();
        Ends<NotUsed> ends = run(Flow.fromCompletionStage(later));
        ends.in().complete();
        later.complete(Flow.<Integer>create().fold(7, Integer::sum));
        ends.out().request(1).expectNext(7).expectComplete();
    }

    @Test
    @Operator("fromCompletionStage")
    void aFutureThatFailsLaterFailsAll() {
        CompletableFuture<Flow<Integer, Integer, String>> later = new CompletableFuture<>();
        Ends<String> ends = run(Flow.fromCompletionStage(later));
        later.completeExceptionally(mine);
        assertThat(ends.out().expectError()).isSameAs(mine);
        assertThat(ends.in().awaitCancellation()).isSameAs(mine);
        isNeverMade(ends.value()).hasCause(mine);
        Ends<String> failing = run(Flow.fromCompletionStage(new CompletableFuture<>()));
        failing.in().fail(mine);
        assertThat(failing.out().expectError()).isSameAs(mine);
        isNeverMade(failing.value()).hasCause(mine);
        Ends<String> cancelled = run(Flow.fromCompletionStage(new CompletableFuture<>()));
        cancelled.out().cancel(mine);
        assertThat(cancelled.in().awaitCancellation()).isSameAs(mine);
        isNeverMade(cancelled.value()).hasCause(mine);
    }

    @Test
    @Operator({"lazy", "fromCompletionStage"})
    void bothEndsEndAsThoseOfTheFlow() throws Exception {
        Ends<CompletionStage<List<Integer>>> ends =
                run(Flow.lazy(() -> Flow.fromSinkAndSourceMat(Sink.<Integer>seq(), Source.of(7), Keep.left())));
        ends.out().request(2);
        ends.in().send(1);
        ends.out().expectNext(7).expectComplete();
        ends.in().send(2).complete();
        assertThat(await(await(ends.value()))).containsExactly(1, 2);
        Ends<NotUsed> first = run(Flow.lazy(() -> Flow.<Integer>create().take(1)));
        first.out().request(1);
        first.in().send(1);
        first.out().expectNext(1).expectComplete();
        first.in().awaitCancellation();
        Ends<NotUsed> failing = run(Flow.lazy(() -> Flow.<Integer>create().map(n -> {
            throw mine;
        })));
        failing.out().request(1);
        failing.in().send(1);
        assertThat(failing.out().expectError()).isSameAs(mine);
        failing.in().awaitCancellation();
        Ends<NotUsed> recovering = run(Flow.lazy(() -> Flow.<Integer>create().recover(failure -> 5)));
        recovering.out().request(2);
        recovering.in().send(1);
        recovering.out().expectNext(1);
        recovering.in().fail(mine);
        recovering.out().expectNext(5).expectComplete();
        Ends<NotUsed> leaving = run(Flow.lazy(Flow::<Integer>create));
        leaving.out().request(1);
        leaving.in().send(1);
        leaving.out().expectNext(1).cancel(mine);
        assertThat(leaving.in().awaitCancellation()).isSameAs(mine);
    }

    @Test
    @Operator("fromCompletionStage")
    void aSinkOfAFutureTakesEverything() throws Exception {
        CompletableFuture<Sink<Integer, CompletionStage<List<Integer>>>> later = new CompletableFuture<>();
        Sink<Integer, CompletionStage<CompletionStage<List<Integer>>>> sink = Sink.fromCompletionStage(later);
        CompletionStage<CompletionStage<List<Integer>>> early =
                Source.range(0, 100).runWith(sink, runtime);
        CompletionStage<CompletionStage<List<Integer>>> empty =
                Source.<Integer>empty().runWith(sink, runtime);
        later.complete(Sink.seq());
        assertThat(await(await(early))).hasSize(100).startsWith(0, 1, 2);
        assertThat(await(await(empty))).isEmpty();
        CompletableFuture<Sink<Integer, CompletionStage<Integer>>> head =
                CompletableFuture.completedFuture(Sink.<Integer>head());
        Pair<TestSource<Integer>, CompletionStage<CompletionStage<Integer>>> ends = TestSource.<Integer>probe()
                .toMat(Sink.fromCompletionStage(head), Keep.both())
                .run(runtime);
        ends.first().send(5);
        assertThat(await(await(ends.second()))).isEqualTo(5);
        ends.first().awaitCancellation();
    }

    @Test
    @Operator("fromCompletionStage")
    void aSinkOfAFutureThatFailsCancels() {
        CompletableFuture<Sink<Integer, NotUsed>> failed = CompletableFuture.failedFuture(mine);
        Pair<TestSource<Integer>, CompletionStage<NotUsed>> ends = TestSource.<Integer>probe()
                .toMat(Sink.fromCompletionStage(failed), Keep.both())
                .run(runtime);
        assertThat(ends.first().awaitCancellation()).isSameAs(mine);
        isNeverMade(ends.second()).hasCause(mine);
        CompletableFuture<Sink<Integer, NotUsed>> nothing = CompletableFuture.completedFuture(null);
        isNeverMade(Source.<Integer>never().runWith(Sink.fromCompletionStage(nothing), runtime))
                .hasMessageContaining("null");
        CompletableFuture<Flow<Integer, Integer, NotUsed>> noFlow = CompletableFuture.completedFuture(null);
        isNeverMade(Source.<Integer>never()
                        .viaMat(Flow.fromCompletionStage(noFlow), Keep.right())
                        .to(Sink.ignore())
                        .run(runtime))
                .hasMessageContaining("fromCompletionStage")
                .hasMessageNotContaining("foreachAsync");
    }

    @Test
    @Operator("fromCompletionStage")
    void aClosedRuntimeFailsTheValue() throws Exception {
        StreamRuntime closing = StreamRuntime.create();
        CompletionStage<NotUsed> value = Source.<Integer>never()
                .runWith(Sink.fromCompletionStage(new CompletableFuture<Sink<Integer, NotUsed>>()), closing);
        closing.close();
        assertThat(awaitFailure(value)).hasRootCauseInstanceOf(AbruptTerminationException.class);
    }

    @Test
    @Operator("lazyCompletionStage")
    void theFutureIsMadeWhenAskedForAndForEachRun() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        Source<Integer, NotUsed> call = Source.lazyCompletionStage(() -> calls.incrementAndGet() < 3
                ? CompletableFuture.failedFuture(mine)
                : CompletableFuture.completedFuture(calls.get()));
        TestSink<Integer> sink = call.runWith(TestSink.probe(), runtime);
        sink.cancel();
        nothingRuns();
        assertThat(calls).hasValue(0);
        assertThat(failureOf(call)).isSameAs(mine);
        assertThat(all(call.retry(RetrySettings.times(5)))).containsExactly(3);
    }
}
