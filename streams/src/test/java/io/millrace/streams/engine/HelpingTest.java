package io.millrace.streams.engine;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.streams.Await;
import io.millrace.streams.Keep;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.testkit.Behaviour;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who waits for a stream that comes from plain origins alone runs it; for all others a worker does. */
@Timeout(60)
final class HelpingTest extends EngineTest {
    private final AtomicReference<Thread> ran = new AtomicReference<>();

    @Override
    protected RuntimeSettings settings() {
        return super.settings().withThreads(1).withCloseTimeout(Duration.ofSeconds(2));
    }

    private CompletableFuture<List<Integer>> numbers(int count) {
        return Source.range(0, count)
                .map(this::seen)
                .runWith(Sink.seq(), runtime)
                .toCompletableFuture();
    }

    private int seen(int n) {
        ran.set(Thread.currentThread());
        return n;
    }

    private boolean ranHere() {
        return ran.get() == Thread.currentThread();
    }

    /** The monitor may come by between a run and the wait, so once in several times will do. */
    @Test
    void whoWaitsRunsTheStream() throws Exception {
        Await.until("by joining", () -> {
            assertThat(numbers(3).join()).containsExactly(0, 1, 2);
            return ranHere();
        });
        ran.set(null);
        for (int i = 0; i < 1_000 && !ranHere(); i++) {
            assertThat(numbers(3).get()).containsExactly(0, 1, 2);
        }
        assertThat(ranHere()).isTrue();
    }

    /** Its worker would not look for what is left of the stream after its first turn. */
    @Test
    void aStageThatWaitsForAStreamDoesNotRunIt() throws Exception {
        try (StreamRuntime own = StreamRuntime.create(super.settings().withThreads(2))) {
            for (int i = 0; i < 20; i++) {
                CompletableFuture<List<Integer>> slow = Source.range(0, 2)
                        .map(n -> {
                            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
                            return n;
                        })
                        .runWith(Sink.seq(), own)
                        .toCompletableFuture();
                CompletionStage<List<List<Integer>>> waited = Source.single(slow)
                        .async()
                        .map(CompletableFuture::join)
                        .async()
                        .runWith(Sink.seq(), own);
                Await.until("it has ended", () -> waited.toCompletableFuture().isDone());
                assertThat(await(waited)).containsExactly(List.of(0, 1));
            }
        }
    }

    @Test
    void whatIsMadeOfTheResultInTheGraphWaitsTheSame() {
        Await.until("it ran here", () -> {
            CompletionStage<Integer> size = Source.range(0, 5)
                    .map(this::seen)
                    .toMat(Sink.seq(), (left, list) -> list.thenApply(List::size))
                    .run(runtime);
            assertThat(size.toCompletableFuture().join()).isEqualTo(5);
            return ranHere();
        });
    }

    @Test
    void aStreamForWhichNobodyWaitsRunsAllTheSame() {
        CompletableFuture<List<Integer>> result = numbers(3);
        Await.until("it is done", result::isDone);
        assertThat(ranHere()).isFalse();
    }

    @Test
    void eachThatIsRunAfterAnotherSendsThatOneOff() throws Exception {
        List<CompletableFuture<List<Integer>>> results = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            results.add(numbers(i % 10));
        }
        for (int i = 0; i < results.size(); i++) {
            assertThat(await(results.get(i))).hasSize(i % 10);
        }
    }

    @Test
    void aGraphThatGivesTheResultOfAnotherStreamKeepsNoneFromRunning() throws Exception {
        for (int i = 0; i < 100; i++) {
            CompletableFuture<List<Integer>> first = numbers(3);
            CountDownLatch second = new CountDownLatch(2);
            CompletionStage<List<Integer>> value = Source.range(0, 2)
                    .toMat(Sink.foreach(n -> second.countDown()), (left, done) -> first)
                    .run(runtime);
            assertThat(await(value)).hasSize(3);
            Await.await(second, "the second has run, too");
        }
    }

    @Test
    void whoDependsOnAResultDoesNotRunTheStream() {
        CompletableFuture<Integer> size = numbers(3).thenApply(List::size);
        assertThat(size.join()).isEqualTo(3);
        assertThat(ranHere()).isFalse();
    }

    @Test
    void aWaitWithATimeoutKeepsIt() {
        CountDownLatch released = new CountDownLatch(1);
        CompletableFuture<List<Integer>> result = Source.range(0, 3)
                .map(n -> {
                    released.await();
                    return seen(n);
                })
                .runWith(Sink.seq(), runtime)
                .toCompletableFuture();
        assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> result.get(20, TimeUnit.MILLISECONDS));
        released.countDown();
        assertThat(result.join()).hasSize(3);
        assertThat(ranHere()).isFalse();
    }

    @Test
    @Behaviour("INT-14")
    void anInterruptThatCameBeforeIsForTheWait() throws Exception {
        int interrupted = 0;
        for (int i = 0; i < 200; i++) { // the monitor may come by before the wait
            CompletableFuture<List<Integer>> result = Source.range(0, 3)
                    .map(n -> {
                        assertThat(Thread.currentThread().isInterrupted()).isFalse();
                        return seen(n);
                    })
                    .runWith(Sink.seq(), runtime)
                    .toCompletableFuture();
            Thread.currentThread().interrupt();
            try {
                result.get();
            } catch (InterruptedException e) {
                interrupted++;
            } finally {
                Thread.interrupted();
            }
            assertThat(await(result)).hasSize(3);
        }
        assertThat(interrupted).isPositive();
    }

    /** Waits for a stream without an end on a thread of its own, which is interrupted once it runs the stream, if it does. */
    private final class InterruptedWait {
        private final AtomicBoolean ends = new AtomicBoolean();
        private final FutureTask<Done> waiting;
        private final Thread waiter;
        private final boolean helped;

        InterruptedWait(Wait wait) {
            waiting = new FutureTask<>(() -> wait.on(Source.repeat(7)
                    .map(HelpingTest.this::seen)
                    .takeWhile(n -> !ends.get())
                    .runWith(Sink.ignore(), runtime)
                    .toCompletableFuture()));
            ran.set(null);
            waiter = new Thread(waiting, "waiter");
            waiter.start();
            Await.until("it runs", () -> ran.get() != null);
            helped = ran.get() == waiter;
            waiter.interrupt();
        }
    }

    /** Waits for a future in some way. */
    private interface Wait {
        Done on(CompletableFuture<Done> result) throws Exception;
    }

    @Test
    @Behaviour("INT-14")
    void whoRunsTheStreamForWhichHeWaitsCanBeInterrupted() {
        Await.until("the waiter ran it", () -> {
            InterruptedWait wait = new InterruptedWait(CompletableFuture::get);
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> wait.waiting.get(10, TimeUnit.SECONDS))
                    .withCauseInstanceOf(InterruptedException.class);
            Await.until("the stream goes on", () -> ran.get() != wait.waiter);
            wait.ends.set(true);
            return wait.helped;
        });
    }

    @Test
    @Behaviour("INT-14")
    void whoIsInterruptedAsHeJoinsLeavesTheStreamToOthersAndStaysInterrupted() {
        Await.until("the waiter ran it", () -> {
            AtomicBoolean interrupted = new AtomicBoolean();
            InterruptedWait wait = new InterruptedWait(result -> {
                Done done = result.join();
                interrupted.set(Thread.currentThread().isInterrupted());
                return done;
            });
            Await.until("the rest runs elsewhere", () -> ran.get() != wait.waiter);
            wait.ends.set(true);
            assertThat(wait.waiting).succeedsWithin(Duration.ofSeconds(10));
            assertThat(interrupted).isTrue();
            return wait.helped;
        });
    }

    @Test
    @Behaviour("MAT-6")
    void closingInterruptsWhoWaitsInAFunction() throws Exception {
        CountDownLatch within = new CountDownLatch(1);
        StreamRuntime own = StreamRuntime.create(settings());
        FutureTask<Object> waiting = new FutureTask<>(() -> Source.range(0, 3)
                .map(n -> {
                    within.countDown();
                    new CountDownLatch(1).await();
                    return n;
                })
                .runWith(Sink.seq(), own)
                .toCompletableFuture()
                .join());
        Thread waiter = new Thread(waiting, "waiter");
        waiter.start();
        within.await();
        own.close();
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> waiting.get(10, TimeUnit.SECONDS))
                .withCauseInstanceOf(CompletionException.class);
    }

    /** Takes all there is, and tells of the first. */
    private static final class TellsOfTheFirst extends GraphStageLogic implements InHandler {
        private final Inlet<Integer> in;
        private final CompletableFuture<Done> first = promise();

        private TellsOfTheFirst(SinkShape<Integer> shape) {
            super(shape);
            in = shape.in();
            setHandler(in, this);
        }

        static LogicAndValue<CompletionStage<Done>> valued(SinkShape<Integer> shape) {
            TellsOfTheFirst logic = new TellsOfTheFirst(shape);
            return new LogicAndValue<>(logic, logic.first);
        }

        @Override
        public void preStart() {
            pull(in);
        }

        @Override
        public void onPush() {
            grab(in);
            first.complete(Done.DONE);
            pull(in);
        }
    }

    @Test
    void whoWaitsForAPartOfAStreamLeavesTheRestToOthers() {
        StreamRuntime own = StreamRuntime.create(settings());
        CompletionStage<Done> first = Source.repeat(7)
                .map(this::seen)
                .toMat(TestStages.<Integer, CompletionStage<Done>>sink(TellsOfTheFirst::valued), Keep.right())
                .run(own);
        first.toCompletableFuture().join();
        Await.until("the rest runs elsewhere", () -> !ranHere());
        own.close();
    }

    @Test
    void aLongStreamEndsWhereItIsAwaitedAndOthersRunMeanwhile() throws Exception {
        int count = 3_000_000;
        AtomicReference<CompletableFuture<List<Integer>>> other = new AtomicReference<>();
        CompletionStage<Integer> longer = Source.range(0, count)
                .map(n -> {
                    if (n == count / 2) {
                        other.set(numbers(1));
                    }
                    return seen(n);
                })
                .runWith(Sink.fold(0, (sum, n) -> sum + 1), runtime);
        assertThat(longer.toCompletableFuture().join()).isEqualTo(count);
        assertThat(await(other.get())).containsExactly(0);
    }

    @Test
    void aFunctionMayWaitForAnotherStream() {
        CompletionStage<Integer> total =
                Source.range(0, 100).map(n -> numbers(n).join().size()).runWith(Sink.fold(0, Integer::sum), runtime);
        assertThat(total.toCompletableFuture().join()).isEqualTo(4_950);
    }

    @Test
    @Behaviour("ACT-9")
    void nothingIsLostWhereManyThreadsWaitAndOthersDoNot() throws Exception {
        runByMany(5_000, () -> numbers(5));
    }

    @Test
    @Behaviour("ACT-9")
    void nothingIsLostWhereManyThreadsWaitForStreamsThatRest() throws Exception {
        runByMany(
                1_000,
                () -> Source.range(0, 5)
                        .mapAsync(2, n -> CompletableFuture.supplyAsync(() -> n))
                        .runWith(Sink.seq(), runtime)
                        .toCompletableFuture());
    }

    /** Several threads run each stream, which gives five elements, so many times. */
    private static void runByMany(int each, Supplier<CompletableFuture<List<Integer>>> stream) throws Exception {
        int threads = 4;
        List<FutureTask<Integer>> tasks = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            FutureTask<Integer> task = new FutureTask<>(() -> runSome(each, stream));
            tasks.add(task);
            new Thread(task, "runner-" + t).start();
        }
        for (FutureTask<Integer> task : tasks) {
            assertThat(task.get(50, TimeUnit.SECONDS)).isEqualTo(each * 5);
        }
    }

    private static int runSome(int times, Supplier<CompletableFuture<List<Integer>>> stream) {
        int elements = 0;
        List<CompletableFuture<List<Integer>>> later = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            CompletableFuture<List<Integer>> result = stream.get();
            if (i % 3 == 0) {
                later.add(result);
            } else {
                elements += result.join().size();
            }
        }
        for (CompletableFuture<List<Integer>> result : later) {
            elements += result.join().size();
        }
        return elements;
    }
}
