package io.millrace.streams.engine;

import static io.millrace.streams.Await.await;
import static io.millrace.streams.Await.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Await;
import io.millrace.streams.ConnectableSource;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.failure.AbruptTerminationException;
import io.millrace.streams.graph.Done;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A runtime that is closed once its streams have ended. */
final class GracefulClosingTest extends EngineTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    private Thread closing(Duration grace) {
        Thread closer = new Thread(() -> runtime.close(grace), "closer");
        closer.setDaemon(true);
        closer.start();
        return closer;
    }

    private static void waits(Thread closer) {
        Await.until(() -> closer.getState() == Thread.State.TIMED_WAITING);
    }

    private CompletionStage<List<Integer>> streamThatRunsAnother(CompletionStage<Integer> first) {
        return Source.fromCompletionStage(first)
                .flatMapConcat(n -> Source.range(0, n))
                .mapAsync(
                        1,
                        n -> CompletableFuture.completedFuture(n)
                                .thenComposeAsync(
                                        m -> Source.single(m).map(k -> k * 10).runWith(Sink.head(), runtime)))
                .runWith(Sink.seq(), runtime);
    }

    @Test
    void streamsAndThoseThatTheyRunEndInTheGrace() throws Exception {
        CompletableFuture<Integer> first = new CompletableFuture<>();
        CompletionStage<List<Integer>> list = streamThatRunsAnother(first);
        Thread closer = closing(LONG);
        waits(closer);
        assertThat(runtime.isClosed()).isFalse();
        first.complete(3);
        assertThat(await(list)).containsExactly(0, 10, 20);
        closer.join();
        assertThat(runtime.isClosed()).isTrue();
        assertThatThrownBy(() -> Source.of(1).runWith(Sink.ignore(), runtime))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aStreamThatBeginsInTheGraceIsWaitedFor() throws Exception {
        CompletableFuture<Integer> first = new CompletableFuture<>();
        CompletableFuture<Integer> second = new CompletableFuture<>();
        CompletionStage<Integer> one = Source.fromCompletionStage(first).runWith(Sink.head(), runtime);
        Thread closer = closing(LONG);
        waits(closer);
        CompletionStage<Integer> two = Source.fromCompletionStage(second).runWith(Sink.head(), runtime);
        first.complete(1);
        assertThat(await(one)).isEqualTo(1);
        waits(closer);
        assertThat(runtime.isClosed()).isFalse();
        second.complete(2);
        assertThat(await(two)).isEqualTo(2);
        closer.join();
    }

    @Test
    void whatLastsLongerThanTheGraceIsEnded() throws Exception {
        CompletionStage<Done> endless = Source.never().runWith(Sink.ignore(), runtime);
        runtime.close(Duration.ofMillis(1));
        assertThat(awaitFailure(endless)).isInstanceOf(AbruptTerminationException.class);
        assertThat(runtime.isClosed()).isTrue();
    }

    @Test
    void whoIsInterruptedMeanwhileClosesAtOnce() throws Exception {
        CompletionStage<Done> endless = Source.never().runWith(Sink.ignore(), runtime);
        Thread closer = closing(LONG);
        waits(closer);
        closer.interrupt();
        assertThat(awaitFailure(endless)).isInstanceOf(AbruptTerminationException.class);
        closer.join();
    }

    @Test
    void aStreamThatClosesItsRuntimeGoesOnToItsEnd() throws Exception {
        CompletableFuture<Integer> last = new CompletableFuture<>();
        CompletionStage<List<Integer>> list = Source.of(1, 2)
                .map(n -> {
                    runtime.close(LONG);
                    return n;
                })
                .mapAsync(2, n -> last)
                .runWith(Sink.seq(), runtime);
        Await.until(() -> last.getNumberOfDependents() == 2);
        last.complete(5);
        assertThat(await(list)).containsExactly(5, 5);
        Await.until(runtime::isClosed);
    }

    @Test
    void aSecondCloseEndsTheGrace() throws Exception {
        CompletionStage<Done> endless = Source.never().runWith(Sink.ignore(), runtime);
        Thread closer = closing(LONG);
        waits(closer);
        runtime.close();
        assertThat(awaitFailure(endless)).isInstanceOf(AbruptTerminationException.class);
        closer.join();
    }

    @Test
    void aSecondCloseEndsTheGraceAlsoWhereAStageIsStuck() throws Exception {
        CountDownLatch stuck = new CountDownLatch(1);
        CountDownLatch free = new CountDownLatch(1);
        Source.of(1)
                .map(n -> {
                    stuck.countDown();
                    awaitUninterruptibly(free);
                    return n;
                })
                .runWith(Sink.ignore(), runtime);
        Await.await(stuck, "the stage is called");
        Thread closer = closing(LONG);
        waits(closer);
        Thread second = new Thread(runtime::close, "second closer");
        second.start();
        try {
            Await.until("the end of the grace", () -> !closer.isAlive());
        } finally {
            free.countDown();
        }
        second.join();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            Thread.onSpinWait();
        }
    }

    /** A consumer in another runtime has come, and the source begins anew once it is there to see the first element. */
    @Test
    void aSharedSourceThatIsAboutToBeginAnewIsWaitedFor() throws Exception {
        Queue<Runnable> turns = new ConcurrentLinkedQueue<>();
        AtomicInteger runs = new AtomicInteger();
        Source<Integer, ?> shared = Source.lazy(() -> Source.of(runs.incrementAndGet()))
                .publish(runtime)
                .refCount();
        try (StreamRuntime consumers = StreamRuntime.create(settings().withExecutor(turns::add))) {
            assertThat(resultOf(shared, consumers, turns)).containsExactly(1);
            Await.until(() -> runtime.snapshot().streams().isEmpty());
            CompletionStage<List<Integer>> second = shared.runWith(Sink.seq(), consumers);
            Thread closer = closing(LONG);
            Await.until(() -> closer.getState() == Thread.State.TIMED_WAITING || !closer.isAlive());
            assertThat(runtime.isClosed()).isFalse();
            giveTurnsUntil(second, turns);
            assertThat(await(second)).containsExactly(2);
            closer.join();
        }
    }

    @Test
    void aSharedSourceThatIsAboutToBeginIsNotWaitedForOnceTheRuntimeCloses() throws Exception {
        Queue<Runnable> turns = new ConcurrentLinkedQueue<>();
        Source<Integer, ?> shared = Source.of(1).publish(runtime).refCount();
        try (StreamRuntime consumers = StreamRuntime.create(settings().withExecutor(turns::add))) {
            CompletionStage<List<Integer>> list = shared.runWith(Sink.seq(), consumers);
            Thread closer = closing(LONG);
            waits(closer);
            runtime.close();
            closer.join();
            giveTurnsUntil(list, turns);
            assertThat(awaitFailure(list)).hasMessageContaining("runtime test is closed");
        }
    }

    @Test
    void aSharedSourceThatWasDisposedBeforeItBeganIsNotWaitedFor() throws Exception {
        Queue<Runnable> turns = new ConcurrentLinkedQueue<>();
        ConnectableSource<Integer> shared = Source.of(1).publish(runtime);
        try (StreamRuntime consumers = StreamRuntime.create(settings().withExecutor(turns::add))) {
            CompletionStage<List<Integer>> list = shared.source().runWith(Sink.seq(), consumers);
            shared.connect().dispose();
            Thread closer = closing(LONG);
            Await.until(() -> !closer.isAlive());
            giveTurnsUntil(list, turns);
        }
    }

    private static List<Integer> resultOf(Source<Integer, ?> source, StreamRuntime runtime, Queue<Runnable> turns)
            throws Exception {
        CompletionStage<List<Integer>> list = source.runWith(Sink.seq(), runtime);
        giveTurnsUntil(list, turns);
        return await(list);
    }

    private static void giveTurnsUntil(CompletionStage<?> isDone, Queue<Runnable> turns) {
        Await.until(() -> {
            Runnable turn = turns.poll();
            if (turn != null) {
                turn.run();
            }
            return isDone.toCompletableFuture().isDone();
        });
    }

    @Test
    void theSharedRuntimeIsNotClosed() {
        assertThatThrownBy(() -> StreamRuntime.shared().close(Duration.ZERO))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("create one of your own");
    }
}
