package io.millrace.streams.operator.sources;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Keep;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.SourceQueue;
import io.millrace.streams.SourceQueue.Offer;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.failure.BufferOverflowException;
import io.millrace.streams.failure.StreamException;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.OverflowStrategy;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.operator.OperatorTest;
import io.millrace.testkit.Operator;
import io.millrace.testkit.TestSink;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a queue that is full does, and that nothing offered is lost. */
@Operator("queue")
final class SourceQueueTest extends OperatorTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private Pair<SourceQueue<Integer>, TestSink<Integer>> run(int capacity, OverflowStrategy strategy) {
        return Source.<Integer>queue(capacity, strategy)
                .toMat(TestSink.<Integer>probe(), Keep.both())
                .run(runtime);
    }

    @ParameterizedTest
    @EnumSource
    void aFullQueueDoesWhatItsStrategySays(OverflowStrategy strategy) {
        Pair<SourceQueue<Integer>, TestSink<Integer>> running = run(2, strategy);
        SourceQueue<Integer> queue = running.first();
        assertThat(queue.offer(1)).isEqualTo(Offer.ENQUEUED);
        assertThat(queue.offer(2)).isEqualTo(Offer.ENQUEUED);
        Offer third = queue.offer(3);
        if (strategy == OverflowStrategy.FAIL) {
            assertThat(third).isEqualTo(Offer.FULL);
            assertThat(running.second().expectError()).isInstanceOf(BufferOverflowException.class);
            assertThat(queue.offer(4)).isEqualTo(Offer.CLOSED);
            return;
        }
        queue.complete();
        assertThat(queue.offer(4)).isEqualTo(Offer.CLOSED);
        TestSink<Integer> sink = running.second().request(5);
        switch (strategy) {
            case BACKPRESSURE -> sink.expectNext(1, 2);
            case DROP_NEW -> sink.expectNext(1, 2);
            case DROP_HEAD -> sink.expectNext(2, 3);
            case DROP_TAIL -> sink.expectNext(1, 3);
            case DROP_BUFFER -> sink.expectNext(3);
            default -> throw new AssertionError(strategy);
        }
        sink.expectComplete();
        assertThat(third)
                .isEqualTo(
                        switch (strategy) {
                            case BACKPRESSURE -> Offer.FULL;
                            case DROP_NEW -> Offer.DROPPED;
                            default -> Offer.ENQUEUED;
                        });
    }

    @Test
    void aFailureOvertakesWhatIsQueued() {
        Pair<SourceQueue<Integer>, TestSink<Integer>> running = run(2, OverflowStrategy.BACKPRESSURE);
        running.first().offer(1);
        running.first().complete();
        running.first().fail(new IllegalStateException("mine"));
        assertThat(running.second().expectError()).hasMessage("mine");
        assertThat(running.first().size()).isZero();
    }

    @Test
    void aFailureOvertakesACompletionThatTheStageHasJustSeen() {
        Pair<SourceQueue<Integer>, TestSink<Integer>> running = run(2, OverflowStrategy.BACKPRESSURE);
        SourceQueue<Integer> queue = running.first();
        synchronized (queue) {
            queue.offer(1);
            queue.complete();
            while (!isWaitedFor()) {
                Thread.onSpinWait();
            }
            queue.fail(new IllegalStateException("mine"));
        }
        assertThat(running.second().expectError()).hasMessage("mine");
    }

    /** Whether some thread waits for a lock that this thread holds. */
    private static boolean isWaitedFor() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return Stream.of(threads.getThreadInfo(threads.getAllThreadIds()))
                .anyMatch(thread -> thread != null
                        && thread.getLockOwnerId() == Thread.currentThread().getId());
    }

    @Test
    void cancellationClosesTheQueueAndEmptiesIt() {
        Pair<SourceQueue<Integer>, TestSink<Integer>> running = run(2, OverflowStrategy.BACKPRESSURE);
        running.first().offer(1);
        running.second().cancel();
        nothingRuns();
        assertThat(running.first().isClosed()).isTrue();
        assertThat(running.first().size()).isZero();
        assertThat(running.first().offer(2)).isEqualTo(Offer.CLOSED);
    }

    @Test
    void aQueueHoldsAtLeastOneElement() {
        assertThatThrownBy(() -> Source.queue(0)).hasMessageContaining("not 0");
    }

    @Test
    void nothingThatManyThreadsOfferIsLostAndEachThreadsOrderIsKept() throws Exception {
        int threads = 3;
        int each = 20_000;
        Pair<SourceQueue<int[]>, CompletionStage<List<int[]>>> running =
                Source.<int[]>queue(8).toMat(Sink.<int[]>seq(), Keep.both()).run(runtime);
        ExecutorService offering = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<Void>> work = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                work.add(offers(running.first(), thread, each));
            }
            for (Future<Void> done : offering.invokeAll(work)) {
                done.get();
            }
        } finally {
            offering.shutdown();
        }
        running.first().complete();
        List<int[]> emitted = await(running.second());
        assertThat(emitted).hasSize(threads * each);
        int[] next = new int[threads];
        for (int[] element : emitted) {
            assertThat(element[1]).isEqualTo(next[element[0]]++);
        }
    }

    @Test
    void anOfferWaitsForRoomAndIsToldWhenItHasIt() {
        Pair<SourceQueue<Integer>, TestSink<Integer>> running = run(1, OverflowStrategy.BACKPRESSURE);
        SourceQueue<Integer> queue = running.first();
        CompletableFuture<Offer> first = queue.offerAsync(1).toCompletableFuture();
        CompletableFuture<Offer> second = queue.offerAsync(2).toCompletableFuture();
        CompletableFuture<Offer> third = queue.offerAsync(3).toCompletableFuture();
        assertThat(first).isCompletedWithValue(Offer.ENQUEUED);
        assertThat(second).isNotDone();
        running.second().request(1).expectNext(1);
        assertThat(second).succeedsWithin(PATIENCE).isEqualTo(Offer.ENQUEUED);
        assertThat(third).isNotDone();
        queue.complete();
        assertThat(queue.offerAsync(4).toCompletableFuture()).isCompletedWithValue(Offer.CLOSED);
        running.second().request(3).expectNext(2, 3).expectComplete();
        assertThat(third).isCompletedWithValue(Offer.ENQUEUED);
    }

    @Test
    void offersThatWaitAreRefusedWhenTheStreamEnds() {
        Pair<SourceQueue<Integer>, TestSink<Integer>> cancelled = run(1, OverflowStrategy.BACKPRESSURE);
        cancelled.first().offer(1);
        CompletionStage<Offer> first = cancelled.first().offerAsync(2);
        cancelled.second().cancel();
        assertThat(first.toCompletableFuture()).succeedsWithin(PATIENCE).isEqualTo(Offer.CLOSED);
        Pair<SourceQueue<Integer>, TestSink<Integer>> failed = run(1, OverflowStrategy.BACKPRESSURE);
        failed.first().offer(1);
        CompletionStage<Offer> second = failed.first().offerAsync(2);
        failed.first().fail(new IllegalStateException("mine"));
        assertThat(second.toCompletableFuture()).isCompletedWithValue(Offer.CLOSED);
    }

    @Test
    void onlySoManyOffersWait() {
        Pair<SourceQueue<Integer>, TestSink<Integer>> running = run(1, OverflowStrategy.BACKPRESSURE);
        running.first().offer(0);
        for (int i = 0; i < SourceQueue.MAX_WAITING; i++) {
            assertThat(running.first().offerAsync(i).toCompletableFuture()).isNotDone();
        }
        assertThat(running.first().offerAsync(-1).toCompletableFuture())
                .failsWithin(PATIENCE)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(BufferOverflowException.class);
        running.second().cancel();
    }

    @Test
    void anOfferWithAnotherStrategyIsAnsweredAtOnce() {
        Pair<SourceQueue<Integer>, TestSink<Integer>> running = run(1, OverflowStrategy.DROP_NEW);
        running.first().offer(1);
        assertThat(running.first().offerAsync(2).toCompletableFuture()).isCompletedWithValue(Offer.DROPPED);
        running.second().cancel();
    }

    @Test
    void completionTellsHowTheStreamEnded() {
        Pair<SourceQueue<Integer>, TestSink<Integer>> running = run(2, OverflowStrategy.BACKPRESSURE);
        CompletableFuture<Done> completed = running.first().completion().toCompletableFuture();
        running.first().offer(1);
        running.first().complete();
        assertThat(completed).isNotDone();
        running.second().request(1).expectNext(1).expectComplete();
        assertThat(completed).succeedsWithin(PATIENCE);
        Pair<SourceQueue<Integer>, TestSink<Integer>> cancelled = run(2, OverflowStrategy.BACKPRESSURE);
        cancelled.second().cancel();
        assertThat(cancelled.first().completion().toCompletableFuture()).succeedsWithin(PATIENCE);
        Pair<SourceQueue<Integer>, TestSink<Integer>> failed = run(2, OverflowStrategy.BACKPRESSURE);
        failed.first().fail(new IllegalStateException("mine"));
        assertThat(failed.first().completion().toCompletableFuture())
                .failsWithin(PATIENCE)
                .withThrowableOfType(ExecutionException.class)
                .withMessageContaining("mine");
        failed.second().expectError();
    }

    @Test
    void everyOfferThatIsAwaitedArrivesInOrder() throws Exception {
        Pair<SourceQueue<Integer>, CompletionStage<List<Integer>>> running =
                Source.<Integer>queue(4).toMat(Sink.<Integer>seq(), Keep.both()).run(runtime);
        CompletionStage<Offer> last = CompletableFuture.completedFuture(Offer.ENQUEUED);
        for (int i = 0; i < 500; i++) {
            last = running.first().offerAsync(i);
        }
        assertThat(await(last)).isEqualTo(Offer.ENQUEUED);
        running.first().complete();
        assertThat(await(running.second()))
                .containsExactlyElementsOf(IntStream.range(0, 500).boxed().toList());
    }

    private static Callable<Void> offers(SourceQueue<int[]> queue, int thread, int count) {
        return () -> {
            for (int i = 0; i < count; i++) {
                while (queue.offer(new int[] {thread, i}) != Offer.ENQUEUED) {
                    Thread.onSpinWait();
                }
            }
            return null;
        };
    }

    @Test
    void aFullQueueIsToldToTheReporterAndWhatItWasFailedWithIsNot() {
        List<StreamException> reports = Collections.synchronizedList(new ArrayList<>());
        StreamRuntime other = StreamRuntime.create(RuntimeSettings.defaults().withFailureReporter(reports::add));
        for (boolean isFull : new boolean[] {true, false}) {
            var ends = Source.<Integer>queue(1, OverflowStrategy.FAIL)
                    .toMat(TestSink.<Integer>probe(), Keep.both())
                    .run(other);
            if (isFull) {
                ends.first().offer(1);
                ends.first().offer(2);
            } else {
                ends.first().fail(new IllegalStateException("mine"));
            }
            assertThat(ends.second().expectError()).isNotNull();
        }
        other.close();
        assertThat(reports)
                .singleElement()
                .satisfies(report -> assertThat(report).hasRootCauseInstanceOf(BufferOverflowException.class));
    }

    @Test
    void offersOfManyThreadsForTheLastPlaceWaitForRoomAndNoneIsRefused() throws Exception {
        for (int round = 0; round < 200; round++) {
            Pair<SourceQueue<Integer>, TestSink<Integer>> running = run(1, OverflowStrategy.BACKPRESSURE);
            SourceQueue<Integer> queue = running.first();
            List<CompletableFuture<Offer>> outcomes = new ArrayList<>();
            List<Thread> producers = new ArrayList<>();
            synchronized (queue) {
                for (int i = 0; i < 4; i++) {
                    CompletableFuture<Offer> outcome = new CompletableFuture<>();
                    outcomes.add(outcome);
                    producers.add(new Thread(
                            () -> queue.offerAsync(1).whenComplete((offer, failure) -> outcome.complete(offer))));
                }
                producers.forEach(Thread::start);
                while (!producers.stream().allMatch(producer -> producer.getState() == Thread.State.BLOCKED)) {
                    Thread.onSpinWait();
                }
            }
            for (Thread producer : producers) {
                producer.join();
            }
            running.second().request(4).expectNext(1, 1, 1, 1);
            assertThat(outcomes)
                    .allSatisfy(outcome ->
                            assertThat(outcome).succeedsWithin(PATIENCE).isEqualTo(Offer.ENQUEUED));
            running.second().cancel();
        }
    }
}
