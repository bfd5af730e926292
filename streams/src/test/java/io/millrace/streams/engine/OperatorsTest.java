package io.millrace.streams.engine;

import static io.millrace.streams.Await.await;
import static io.millrace.streams.Await.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.SinkQueue;
import io.millrace.streams.Source;
import io.millrace.streams.SourceQueue;
import io.millrace.streams.failure.BufferOverflowException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.OverflowStrategy;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.Supervision;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.TestSource;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class OperatorsTest extends EngineTest {
    private <T> List<T> all(Source<T, ?> source) throws InterruptedException {
        return await(source.runWith(Sink.seq(), runtime));
    }

    @Test
    void sourcesEmitWhatTheySay() throws Exception {
        assertThat(all(Source.empty())).isEmpty();
        assertThat(all(Source.single("x"))).containsExactly("x");
        assertThat(all(Source.of(1, 2, 3))).containsExactly(1, 2, 3);
        assertThat(all(Source.from(List.of()))).isEmpty();
        assertThat(all(Source.range(3, 6))).containsExactly(3, 4, 5);
        assertThat(all(Source.range(6, 3))).isEmpty();
        assertThat(all(Source.repeat(7).take(3))).containsExactly(7, 7, 7);
        assertThat(all(Source.unfold(1, n -> n > 100 ? Optional.empty() : Optional.of(new Pair<>(n * 3, n)))))
                .containsExactly(1, 3, 9, 27, 81);
    }

    @Test
    void operatorsDoWhatTheySay() throws Exception {
        assertThat(all(Source.range(0, 10)
                        .filter(x -> x % 2 == 0)
                        .map(x -> "n" + x)
                        .drop(1)
                        .take(2)))
                .containsExactly("n2", "n4");
        assertThat(all(Source.range(0, 10).takeWhile(x -> x < 3))).containsExactly(0, 1, 2);
        assertThat(all(Source.range(0, 10).take(0))).isEmpty();
        assertThat(all(Source.range(1, 4).mapConcat(x -> List.of(x, x * 10)))).containsExactly(1, 10, 2, 20, 3, 30);
        assertThat(all(Source.range(1, 4).mapConcat(x -> List.of()))).isEmpty();
        assertThat(all(Source.range(1, 4).scan(0, Integer::sum))).containsExactly(0, 1, 3, 6);
        assertThat(all(Source.<Integer>empty().scan(5, Integer::sum))).containsExactly(5);
        assertThat(all(Source.range(1, 4).fold(0, Integer::sum))).containsExactly(6);
        assertThat(all(Source.of(1, 2).concat(Source.of(3)).concat(Source.empty())))
                .containsExactly(1, 2, 3);
        assertThat(all(Source.of(1, 2).merge(Source.of(3, 4)))).containsExactlyInAnyOrder(1, 2, 3, 4);
        assertThat(all(Source.of(1, 2, 3).zip(Source.of("a", "b"))))
                .containsExactly(new Pair<>(1, "a"), new Pair<>(2, "b"));
    }

    @Test
    void recoverReplacesAFailureByOneElement() throws Exception {
        assertThat(all(Source.of(1, 2)
                        .concat(Source.failed(new IllegalStateException("mine")))
                        .recover(failure -> 9)))
                .containsExactly(1, 2, 9);
    }

    @Test
    void mapAsyncKeepsTheOrderWhateverCompletesFirst() {
        List<CompletableFuture<String>> futures = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            futures.add(new CompletableFuture<>());
        }
        TestSink<String> sink = Source.range(0, 3).mapAsync(3, futures::get).runWith(TestSink.probe(), runtime);
        sink.request(3);
        futures.get(2).complete("c");
        futures.get(1).complete("b");
        futures.get(0).complete("a");
        sink.expectNext("a", "b", "c").expectComplete();
    }

    @Test
    void mapAsyncFailsWithWhatTheFutureFailedWith() {
        RuntimeException thrown = new IllegalStateException("mine");
        TestSink<Object> sink = Source.single(1)
                .mapAsync(
                        1,
                        x -> CompletableFuture.supplyAsync(() -> {
                            throw thrown;
                        }))
                .runWith(TestSink.probe(), runtime);
        sink.request(1);
        assertThat(sink.expectError()).isSameAs(thrown);
    }

    @Test
    void fullBufferDoesWhatItsStrategySays() {
        for (OverflowStrategy strategy : OverflowStrategy.values()) {
            Pair<TestSource<Integer>, TestSink<Integer>> probes = TestSource.<Integer>probe()
                    .buffer(2, strategy)
                    .toMat(TestSink.probe(), Keep.both())
                    .run(runtime);
            probes.first().send(1).send(2).send(3);
            if (strategy == OverflowStrategy.FAIL) {
                assertThat(probes.second().expectError()).isInstanceOf(BufferOverflowException.class);
                continue;
            }
            probes.first().expectPull().expectPull();
            if (strategy != OverflowStrategy.BACKPRESSURE) {
                probes.first().expectPull().expectPull();
            }
            probes.second().request(5);
            switch (strategy) {
                case BACKPRESSURE -> probes.second().expectNext(1, 2, 3);
                case DROP_HEAD -> probes.second().expectNext(2, 3);
                case DROP_TAIL -> probes.second().expectNext(1, 3);
                case DROP_NEW -> probes.second().expectNext(1, 2);
                case DROP_BUFFER -> probes.second().expectNext(3);
                default -> throw new AssertionError(strategy);
            }
            probes.first().complete();
            probes.second().expectComplete();
        }
    }

    @Test
    void sinksGiveBackWhatTheySay() throws Exception {
        assertThat(await(Source.range(0, 3).runWith(Sink.ignore(), runtime))).isEqualTo(Done.DONE);
        assertThat(await(Source.range(5, 9).runWith(Sink.head(), runtime))).isEqualTo(5);
        assertThat(await(Source.range(5, 9).runWith(Sink.last(), runtime))).isEqualTo(8);
        assertThat(await(Source.range(5, 9).runWith(Sink.collect(Collectors.counting()), runtime)))
                .isEqualTo(4L);
        assertThat(awaitFailure(Source.empty().runWith(Sink.head(), runtime)))
                .isInstanceOf(NoSuchElementException.class);
        assertThat(awaitFailure(Source.empty().runWith(Sink.last(), runtime)))
                .isInstanceOf(NoSuchElementException.class);
        CompletableFuture<Optional<Throwable>> ended = new CompletableFuture<>();
        Source.range(0, 3).runWith(Sink.onComplete(ended::complete), runtime);
        assertThat(await(ended)).isEmpty();
        CompletionStage<Done> watched = Source.range(0, 3)
                .watchTermination(Keep.right())
                .to(Sink.ignore())
                .run(runtime);
        assertThat(await(watched)).isEqualTo(Done.DONE);
    }

    @Test
    void queueHandsOutElementsThenTheEnd() throws Exception {
        SinkQueue<Integer> queue = Source.range(0, 2).runWith(Sink.queue(), runtime);
        assertThat(await(queue.pull())).contains(0);
        assertThat(await(queue.pull())).contains(1);
        assertThat(await(queue.pull())).isEmpty();
        assertThat(await(queue.pull())).isEmpty();
        RuntimeException thrown = new IllegalStateException("mine");
        SinkQueue<Integer> failed = Source.<Integer>failed(thrown).runWith(Sink.queue(), runtime);
        assertThat(awaitFailure(failed.pull())).isSameAs(thrown);
    }

    @Test
    void offeredElementsAreBoundedAndDeliveredBeforeTheEnd() {
        Pair<SourceQueue<Integer>, TestSink<Integer>> running =
                Source.<Integer>queue(2).toMat(TestSink.probe(), Keep.both()).run(runtime);
        SourceQueue<Integer> queue = running.first();
        assertThat(queue.offer(1)).isEqualTo(SourceQueue.Offer.ENQUEUED);
        assertThat(queue.offer(2)).isEqualTo(SourceQueue.Offer.ENQUEUED);
        assertThat(queue.offer(3)).isEqualTo(SourceQueue.Offer.FULL);
        queue.complete();
        assertThat(queue.offer(4)).isEqualTo(SourceQueue.Offer.CLOSED);
        running.second().request(5).expectNext(1, 2).expectComplete();
    }

    @Test
    void mapAsyncUnorderedEmitsWhatCompletesFirst() {
        List<CompletableFuture<String>> futures =
                List.of(new CompletableFuture<>(), new CompletableFuture<>(), new CompletableFuture<>());
        TestSink<String> sink =
                Source.range(0, 3).mapAsyncUnordered(2, futures::get).runWith(TestSink.probe(), runtime);
        sink.request(2);
        futures.get(1).complete("b");
        sink.expectNext("b");
        futures.get(2).complete("c");
        sink.expectNext("c");
        futures.get(0).complete("a");
        sink.request(1).expectNext("a").expectComplete();
        RuntimeException thrown = new IllegalStateException("mine");
        TestSink<Object> failing = Source.range(0, 3)
                .mapAsyncUnordered(2, x -> CompletableFuture.failedFuture(thrown))
                .runWith(TestSink.probe(), runtime);
        failing.request(1);
        assertThat(failing.expectError()).isSameAs(thrown);
    }

    @Test
    void futuresAreSourcesAndFailuresAreMapped() throws Exception {
        assertThat(all(Source.fromCompletionStage(CompletableFuture.supplyAsync(() -> 5))))
                .containsExactly(5);
        TestSink<Object> sink = Source.fromCompletionStage(
                        CompletableFuture.failedFuture(new IllegalStateException("mine")))
                .mapError(failure -> new IllegalArgumentException("theirs", failure))
                .runWith(TestSink.probe(), runtime);
        assertThat(sink.expectError()).hasMessage("theirs").hasRootCauseMessage("mine");
        assertThat(all(Source.range(0, 2).mapError(failure -> failure))).containsExactly(0, 1);
    }

    @Test
    void supervisionDropsElementsWhoseFutureFailsOrIsNotMade() throws Exception {
        ThrowingFunction<Integer, CompletionStage<Integer>> halves = n -> switch (n % 4) {
            case 1 -> throw new IllegalStateException("not made");
            case 2 ->
                CompletableFuture.supplyAsync(() -> {
                    throw new IllegalStateException("failed");
                });
            case 3 -> CompletableFuture.completedFuture(null);
            default -> CompletableFuture.completedFuture(n);
        };
        Attributes resume = Attributes.supervision(Supervision.resume());
        assertThat(all(Source.range(0, 11).mapAsync(3, halves).withAttributes(resume)))
                .containsExactly(0, 4, 8);
        assertThat(all(Source.range(0, 11).mapAsyncUnordered(3, halves).withAttributes(resume)))
                .containsExactlyInAnyOrder(0, 4, 8);
        assertThat(awaitFailure(Source.range(2, 3).mapAsync(3, halves).runWith(Sink.seq(), runtime)))
                .hasMessage("failed");
        Attributes stopOnNull = Attributes.supervision(failure ->
                failure instanceof NullPointerException ? Supervision.Directive.STOP : Supervision.Directive.RESTART);
        assertThat(awaitFailure(Source.range(0, 9)
                        .mapAsync(3, halves)
                        .withAttributes(stopOnNull)
                        .runWith(Sink.seq(), runtime)))
                .isInstanceOf(NullPointerException.class);
    }
}
