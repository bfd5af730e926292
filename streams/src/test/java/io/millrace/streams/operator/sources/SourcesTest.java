package io.millrace.streams.operator.sources;

import static io.millrace.streams.Await.await;
import static io.millrace.streams.Await.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Keep;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.failure.NeverMaterializedException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.Supervision;
import io.millrace.streams.operator.OperatorTest;
import io.millrace.streams.schedule.Disposable;
import io.millrace.testkit.Operator;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.VirtualTimeScheduler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscriber;

/** Sources without resources: what they emit, one by one, how they end, and that each run is a new one. */
final class SourcesTest extends OperatorTest {
    private final RuntimeException mine = new IllegalStateException("mine");

    /** A stage of another library, which is no future and refuses to become one. */
    @SuppressWarnings("unchecked")
    private static <T> CompletionStage<T> stageOnly(CompletableFuture<T> future) {
        return (CompletionStage<T>) Proxy.newProxyInstance(
                SourcesTest.class.getClassLoader(),
                new Class<?>[] {CompletionStage.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("toCompletableFuture")) {
                        throw new UnsupportedOperationException("no future, on purpose");
                    }
                    return method.invoke(future, arguments);
                });
    }

    @Test
    @Operator({"fromCompletionStage", "unfoldAsync"})
    void aStageNeedNotBecomeAFuture() throws Exception {
        CompletableFuture<Integer> one = new CompletableFuture<>();
        CompletionStage<Integer> first =
                Source.fromCompletionStage(stageOnly(one)).runWith(Sink.head(), runtime);
        one.complete(1);
        assertThat(await(first)).isEqualTo(1);
        assertThat(await(Source.fromCompletionStage(stageOnly(one)).runWith(Sink.head(), runtime)))
                .isEqualTo(1);
        assertThat(awaitFailure(Source.fromCompletionStage(stageOnly(CompletableFuture.failedFuture(mine)))
                        .runWith(Sink.ignore(), runtime)))
                .isSameAs(mine);
        Source<Integer, ?> numbers = Source.unfoldAsync(
                0,
                n -> stageOnly(CompletableFuture.supplyAsync(
                        () -> n == 3 ? Optional.empty() : Optional.of(new Pair<>(n + 1, n)))));
        assertThat(await(numbers.runWith(Sink.seq(), runtime))).containsExactly(0, 1, 2);
    }

    @Test
    @Operator({"unfold", "unfoldAsync"})
    void aFirstStateMayBeNull() throws Exception {
        Function<String, Optional<Pair<String, String>>> page = cursor -> cursor == null
                ? Optional.of(new Pair<>("a", "first"))
                : cursor.equals("a") ? Optional.of(new Pair<>(null, "again")) : Optional.empty();
        assertThat(await(
                        Source.<String, String>unfold(null, page::apply).take(3).runWith(Sink.seq(), runtime)))
                .containsExactly("first", "again", "first");
        assertThat(await(Source.<String, String>unfoldAsync(
                                null, cursor -> CompletableFuture.supplyAsync(() -> page.apply(cursor)))
                        .take(3)
                        .runWith(Sink.seq(), runtime)))
                .containsExactly("first", "again", "first");
    }

    private <T> void emitsOneByOne(Source<T, ?> source, List<T> elements) throws Exception {
        for (int run = 0; run < 2; run++) {
            TestSink<T> sink = source.runWith(TestSink.<T>probe(), runtime);
            for (T element : elements) {
                assertThat(sink.request(1).expectNext()).isEqualTo(element);
            }
            sink.request(1).expectComplete();
        }
        if (!elements.isEmpty()) {
            TestSink<T> cancelling = source.runWith(TestSink.<T>probe(), runtime);
            assertThat(cancelling.request(1).expectNext()).isEqualTo(elements.get(0));
            cancelling.cancel();
            nothingRuns();
        }
    }

    @Test
    @Operator({
        "empty",
        "single",
        "of",
        "from",
        "fromIterator",
        "fromOptional",
        "fromStream",
        "range",
        "unfold",
        "unfoldAsync",
        "fromCompletionStage"
    })
    void sourcesOfWhatIsThereEmitItOneByOneInEveryRun() throws Exception {
        List<Integer> numbers = List.of(1, 2, 3);
        emitsOneByOne(Source.empty(), List.of());
        emitsOneByOne(Source.single(1), List.of(1));
        emitsOneByOne(Source.of(1, 2, 3), numbers);
        emitsOneByOne(Source.from(numbers), numbers);
        emitsOneByOne(Source.fromIterator(numbers::iterator), numbers);
        emitsOneByOne(Source.fromOptional(Optional.of(1)), List.of(1));
        emitsOneByOne(Source.fromOptional(Optional.empty()), List.of());
        emitsOneByOne(Source.fromStream(numbers::stream), numbers);
        emitsOneByOne(Source.range(1, 4), numbers);
        emitsOneByOne(Source.unfold(1, n -> n > 3 ? Optional.empty() : Optional.of(new Pair<>(n + 1, n))), numbers);
        emitsOneByOne(
                Source.unfoldAsync(
                        1,
                        n -> CompletableFuture.supplyAsync(
                                () -> n > 3 ? Optional.empty() : Optional.of(new Pair<>(n + 1, n)))),
                numbers);
        emitsOneByOne(Source.fromCompletionStage(CompletableFuture.completedFuture(1)), List.of(1));
        emitsOneByOne(Source.fromCompletionStage(CompletableFuture.supplyAsync(() -> 1)), List.of(1));
    }

    @Test
    @Operator({"repeat", "cycle"})
    void endlessSourcesEmitAsLongAsTheyAreAsked() throws Exception {
        assertThat(all(Source.repeat(7).take(3))).containsExactly(7, 7, 7);
        assertThat(all(Source.cycle(List.of(1, 2)::iterator).take(5))).containsExactly(1, 2, 1, 2, 1);
        TestSink<Integer> sink = Source.cycle(List.of(1)::iterator).runWith(TestSink.probe(), runtime);
        sink.request(2).expectNext(1, 1);
        sink.cancel();
    }

    @Test
    @Operator("cycle")
    void aRoundWithoutElementsFailsTheCycle() throws Exception {
        assertThat(failureOf(Source.cycle(Collections::emptyIterator)))
                .isInstanceOf(NoSuchElementException.class)
                .hasMessageStartingWith("cycle:");
        Iterator<Iterator<Integer>> rounds = List.of(List.of(1).iterator(), Collections.<Integer>emptyIterator())
                .iterator();
        TestSink<Integer> sink = Source.cycle(rounds::next).runWith(TestSink.probe(), runtime);
        sink.request(2).expectNext(1);
        assertThat(sink.expectError()).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    @Operator({"failed", "fromIterator", "unfold", "unfoldAsync", "fromCompletionStage", "fromStream"})
    void failuresOfSourcesArrive() throws Exception {
        assertThat(failureOf(Source.failed(mine))).isSameAs(mine);
        assertThat(failureOf(Source.fromIterator(() -> {
                    throw mine;
                })))
                .isSameAs(mine);
        assertThat(failureOf(Source.unfold(1, n -> {
                    throw mine;
                })))
                .isSameAs(mine);
        assertThat(failureOf(Source.unfoldAsync(1, n -> {
                    throw mine;
                })))
                .isSameAs(mine);
        assertThat(failureOf(Source.unfoldAsync(1, n -> CompletableFuture.failedFuture(mine))))
                .isSameAs(mine);
        assertThat(failureOf(Source.unfoldAsync(
                        1,
                        n -> CompletableFuture.supplyAsync(() -> {
                            throw mine;
                        }))))
                .isSameAs(mine);
        assertThat(failureOf(Source.unfoldAsync(1, n -> CompletableFuture.completedFuture(null))))
                .hasMessageStartingWith("unfoldAsync:");
        assertThat(failureOf(Source.fromCompletionStage(CompletableFuture.failedFuture(mine))))
                .isSameAs(mine);
        assertThat(failureOf(Source.fromCompletionStage(CompletableFuture.supplyAsync(() -> {
                    throw mine;
                }))))
                .isSameAs(mine);
        assertThat(failureOf(Source.fromCompletionStage(CompletableFuture.completedFuture(null))))
                .isInstanceOf(NullPointerException.class);
        assertThat(failureOf(Source.fromStream(() -> {
                    throw mine;
                })))
                .isSameAs(mine);
    }

    @Test
    @Operator({"never", "maybe", "fromCompletionStage", "unfoldAsync"})
    void sourcesThatWaitAreCancelled() throws Exception {
        CompletableFuture<Optional<Pair<Integer, Integer>>> late = new CompletableFuture<>();
        List<Source<Integer, ?>> waiting = List.of(
                Source.never(),
                Source.maybe(),
                Source.fromCompletionStage(new CompletableFuture<Integer>()),
                Source.unfoldAsync(1, n -> late));
        for (Source<Integer, ?> source : waiting) {
            TestSink<Integer> sink = source.runWith(TestSink.probe(), runtime);
            sink.request(1).cancel();
            nothingRuns();
        }
        late.complete(Optional.empty());
    }

    @Test
    @Operator("maybe")
    void maybeEmitsWhatItsFutureIsGiven() throws Exception {
        Pair<CompletableFuture<Optional<Integer>>, CompletionStage<List<Integer>>> run =
                Source.<Integer>maybe().toMat(Sink.seq(), Keep.both()).run(runtime);
        run.first().complete(Optional.of(5));
        assertThat(await(run.second())).containsExactly(5);
        run = Source.<Integer>maybe().toMat(Sink.seq(), Keep.both()).run(runtime);
        run.first().complete(Optional.empty());
        assertThat(await(run.second())).isEmpty();
        run = Source.<Integer>maybe().toMat(Sink.seq(), Keep.both()).run(runtime);
        run.first().completeExceptionally(mine);
        assertThat(awaitFailure(run.second())).isSameAs(mine);
    }

    @Test
    @Operator("tick")
    void ticksEndWhenTheyAreDisposedOf() {
        VirtualTimeScheduler time = new VirtualTimeScheduler();
        RuntimeSettings here = RuntimeSettings.defaults().withExecutor(Runnable::run);
        try (StreamRuntime virtual = StreamRuntime.create(here, time)) {
            Duration second = Duration.ofSeconds(1);
            Pair<Disposable, TestSink<String>> run = Source.tick(second, second, "tick")
                    .toMat(TestSink.<String>probe(), Keep.both())
                    .run(virtual);
            run.second().request(5);
            time.advance(second.multipliedBy(2));
            run.second().expectNext("tick", "tick");
            run.first().dispose();
            run.second().expectComplete();
        }
    }

    @Test
    @Operator({"lazy", "fromRuntime"})
    void innerSourcesAreMadePerRunAndTheirValueIsAFuture() throws Exception {
        AtomicInteger made = new AtomicInteger();
        Source<Integer, CompletionStage<Integer>> lazy =
                Source.lazy(() -> Source.single(5).mapMaterializedValue(nothing -> made.incrementAndGet()));
        for (int run = 1; run <= 2; run++) {
            Pair<CompletionStage<Integer>, TestSink<Integer>> running =
                    lazy.toMat(TestSink.<Integer>probe(), Keep.both()).run(runtime);
            assertThat(made).hasValue(run - 1);
            running.second().request(1).expectNext(5).request(1).expectComplete();
            assertThat(await(running.first())).isEqualTo(run);
        }
        Pair<CompletionStage<Integer>, TestSink<Integer>> unasked =
                lazy.toMat(TestSink.<Integer>probe(), Keep.both()).run(runtime);
        unasked.second().cancel();
        assertThat(awaitFailure(unasked.first())).isInstanceOf(NeverMaterializedException.class);
        Source<String, ?> named = Source.fromRuntime((streams, attributes) -> Source.single(attributes.path()))
                .named("outer");
        assertThat(all(named)).containsExactly("outer");
        assertThat(failureOf(Source.fromRuntime((streams, attributes) -> {
                    throw mine;
                })))
                .isSameAs(mine);
        assertThat(failureOf(Source.lazy(() -> {
                    throw mine;
                })))
                .isSameAs(mine);
    }

    @Test
    @Operator({"fromPublisher", "fromFlowPublisher", "asSubscriber", "asFlowSubscriber"})
    void otherLibrariesMayBeUpstream() throws Exception {
        Source<Integer, ?> numbers = Source.range(1, 4);
        emitsOneByOne(Source.fromPublisher(numbers.toPublisher(runtime)), List.of(1, 2, 3));
        emitsOneByOne(Source.fromFlowPublisher(numbers.toFlowPublisher(runtime)), List.of(1, 2, 3));
        assertThat(failureOf(Source.fromPublisher(Source.failed(mine).toPublisher(runtime))))
                .isSameAs(mine);
        Pair<Subscriber<Integer>, CompletionStage<List<Integer>>> run = Source.<Integer>asSubscriber()
                .toMat(Sink.<Integer>seq(), Keep.both())
                .run(runtime);
        numbers.toPublisher(runtime).subscribe(run.first());
        assertThat(await(run.second())).containsExactly(1, 2, 3);
        Pair<java.util.concurrent.Flow.Subscriber<Integer>, CompletionStage<List<Integer>>> flowRun =
                Source.<Integer>asFlowSubscriber()
                        .toMat(Sink.<Integer>seq(), Keep.both())
                        .run(runtime);
        numbers.toFlowPublisher(runtime).subscribe(flowRun.first());
        assertThat(await(flowRun.second())).containsExactly(1, 2, 3);
    }

    @Test
    @Operator({"mergeAll", "concatAll"})
    void listsOfSourcesAreJoined() throws Exception {
        List<Source<Integer, ?>> sources = List.of(Source.range(1, 3), Source.empty(), Source.single(3));
        assertThat(all(Source.mergeAll(sources))).containsExactlyInAnyOrder(1, 2, 3);
        emitsOneByOne(Source.concatAll(sources), List.of(1, 2, 3));
        List<Source<Integer, ?>> failing = List.of(Source.single(1), Source.failed(mine));
        assertThat(failureOf(Source.mergeAll(failing))).isSameAs(mine);
        TestSink<Integer> last = Source.concatAll(failing).runWith(TestSink.probe(), runtime);
        last.request(2).expectNext(1);
        assertThat(last.expectError()).isSameAs(mine);
        assertThat(all(Source.mergeAll(List.<Source<Integer, ?>>of()))).isEmpty();
        assertThat(all(Source.concatAll(List.<Source<Integer, ?>>of()))).isEmpty();
    }

    @Test
    @Operator({"zipN", "zipWithN"})
    void oneElementOfEachIsZipped() throws Exception {
        List<Source<Integer, ?>> sources = List.of(Source.range(1, 4), Source.range(11, 13), Source.repeat(7));
        emitsOneByOne(Source.zipN(sources), List.of(List.of(1, 11, 7), List.of(2, 12, 7)));
        emitsOneByOne(Source.zipWithN(sources, numbers -> numbers.get(0) + numbers.get(1)), List.of(12, 14));
        emitsOneByOne(Source.zipN(List.of(Source.of(1, 2))), List.of(List.of(1), List.of(2)));
        emitsOneByOne(Source.zipN(List.<Source<Integer, ?>>of()), List.of());
        emitsOneByOne(Source.zipN(List.of(Source.of(1), Source.<Integer>empty())), List.of());
    }

    @Test
    @Operator({"zipN", "zipWithN"})
    void aFailureEndsTheZipAtOnceAndSupervisionDropsWhatThrows() throws Exception {
        assertThat(failureOf(Source.zipN(List.of(Source.never(), Source.failed(mine)))))
                .isSameAs(mine);
        List<Source<Integer, ?>> sources = List.of(Source.of(1, 0, 2), Source.repeat(6));
        Source<Integer, ?> quotients = Source.zipWithN(sources, pair -> pair.get(1) / pair.get(0));
        assertThat(failureOf(quotients)).isInstanceOf(ArithmeticException.class);
        Attributes resume = Attributes.supervision(Supervision.resume());
        assertThat(all(quotients.withAttributes(resume))).containsExactly(6, 3);
        List<Source<Integer, ?>> throwingLast = List.of(Source.of(1, 0), Source.repeat(6));
        assertThat(all(Source.<Integer, Integer>zipWithN(throwingLast, pair -> pair.get(1) / pair.get(0))
                        .withAttributes(resume)))
                .containsExactly(6);
        assertThat(failureOf(Source.zipWithN(sources, pair -> null))).hasMessageStartingWith("zipWithN:");
        assertThatThrownBy(() -> all(Source.zipN(sources)).get(0).add(1))
                .isInstanceOf(UnsupportedOperationException.class);
    }
}
