package io.millrace.streams.engine;

import static io.millrace.streams.Await.await;
import static io.millrace.streams.Await.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Await;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.SinkQueue;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.engine.pool.TaskExecutor;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.ContextHook;
import io.millrace.streams.graph.Done;
import io.millrace.streams.schedule.Disposable;
import io.millrace.streams.schedule.Scheduler;
import io.millrace.streams.schedule.Schedulers;
import io.millrace.streams.schedule.Worker;
import io.millrace.testkit.Behaviour;
import io.millrace.testkit.StreamLeakCheck;
import io.millrace.testkit.TrackedScheduler;
import io.millrace.testkit.VirtualTimeScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** An island whose turn never comes, or breaks off, ends its stream all the same. */
final class LostTurnsTest extends EngineTest {
    private static final int ROUNDS = 300;

    /** However long a thread is paused meanwhile, closing does not give up. */
    @Override
    protected RuntimeSettings settings() {
        return super.settings().withCloseTimeout(Duration.ofMinutes(1));
    }

    private CompletionStage<Done> neverOn(Scheduler scheduler) {
        return Source.never().subscribeOn(scheduler).runWith(Sink.ignore(), runtime);
    }

    private StreamRuntime on(Executor executor) {
        return StreamRuntime.create(settings().withExecutor(executor).withFailureReporter(reported::add));
    }

    @Test
    void closingOnAStreamsOwnThreadStopsStagesThatBlock() throws Exception {
        int streams = 50;
        AtomicInteger closed = new AtomicInteger();
        for (int i = 0; i < streams; i++) {
            SinkQueue<Integer> queue = Source.<Integer, Integer>unfoldResource(
                            () -> 1, x -> Optional.of(1), x -> closed.incrementAndGet())
                    .withAttributes(Attributes.blocking())
                    .runWith(Sink.queue(), runtime);
            await(queue.pull());
        }
        Source.single(1)
                .map(x -> {
                    runtime.close();
                    return x;
                })
                .runWith(Sink.ignore(), runtime);
        Await.until(() -> runtime.snapshot().streams().isEmpty());
        assertThat(closed).hasValue(streams);
    }

    @Test
    void aTurnBehindABusyTaskEndsWithTheShutdownOfItsScheduler() throws Exception {
        ExecutorService one = Executors.newSingleThreadExecutor();
        dropsATurnBehindABusyTask(Schedulers.single());
        dropsATurnBehindABusyTask(Schedulers.from(one));
        dropsATurnBehindABusyTask(new TrackedScheduler(Schedulers.single()));
        one.shutdown();
    }

    private void dropsATurnBehindABusyTask(Scheduler scheduler) throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        scheduler.schedule(() -> {
            busy.countDown();
            Await.until(() -> gate.getCount() == 0);
        });
        assertThat(busy.await(20, TimeUnit.SECONDS)).isTrue();
        CompletionStage<Done> result = neverOn(scheduler);
        scheduler.shutdown();
        gate.countDown();
        assertThat(awaitFailure(result)).hasMessageContaining("takes no more work");
        StreamLeakCheck.assertNoStreams(runtime);
    }

    @Test
    void aTurnThatWaitsForVirtualTimeEndsWithTheShutdown() throws Exception {
        for (Scheduler scheduler :
                List.of(new VirtualTimeScheduler(), new TrackedScheduler(new VirtualTimeScheduler()))) {
            CompletionStage<Done> result = neverOn(scheduler);
            scheduler.shutdown();
            assertThat(awaitFailure(result)).hasMessageContaining("takes no more work");
        }
    }

    @Test
    void aWorkerThatIsDisposedEndsTheStream() throws Exception {
        try (Scheduler scheduler = new DisposedWorkers();
                Scheduler tracked = new TrackedScheduler(scheduler)) {
            assertThat(awaitFailure(neverOn(scheduler))).hasMessageContaining("takes no more work");
            assertThat(awaitFailure(neverOn(tracked))).hasMessageContaining("takes no more work");
        }
    }

    /** A scheduler whose workers are disposed before anybody has them, as by a shutdown at that moment. */
    private static final class DisposedWorkers implements Scheduler {
        private final Scheduler single = Schedulers.single();

        @Override
        public Worker createWorker() {
            Worker worker = single.createWorker();
            worker.dispose();
            return worker;
        }

        @Override
        public Disposable schedule(Runnable task) {
            return single.schedule(task);
        }

        @Override
        public Disposable schedule(Runnable task, Duration delay) {
            return single.schedule(task, delay);
        }

        @Override
        public Disposable schedulePeriodically(Runnable task, Duration initialDelay, Duration period) {
            return single.schedulePeriodically(task, initialDelay, period);
        }

        @Override
        public long nowNanos() {
            return single.nowNanos();
        }

        @Override
        public void start() {
            single.start();
        }

        @Override
        public void shutdown() {
            single.shutdown();
        }
    }

    @Test
    void streamsThatStartWhileTheirSchedulerIsShutDownCanBeEnded() throws Exception {
        List<Supplier<Scheduler>> kinds =
                List.of(Schedulers::newThread, Schedulers::single, Schedulers::elastic, VirtualTimeScheduler::new);
        for (int i = 0; i < ROUNDS; i++) {
            Scheduler scheduler = kinds.get(i % kinds.size()).get();
            Thread other = new Thread(scheduler::shutdown);
            other.start();
            neverOn(scheduler);
            other.join();
        }
        runtime.close();
        assertThat(reported).isEmpty();
        assertThat(runtime.snapshot().streams()).isEmpty();
    }

    @Test
    void whateverAnExecutorThrowsEndsTheStream() throws Exception {
        failsOn(task -> {
            throw new IllegalStateException("no thread on purpose");
        });
        failsOn(task -> {
            throw new OutOfMemoryError("no thread on purpose");
        });
    }

    private void failsOn(Executor executor) throws Exception {
        try (StreamRuntime own = on(executor)) {
            assertThat(awaitFailure(Source.never().runWith(Sink.ignore(), own)))
                    .hasMessageContaining("takes no more work")
                    .hasRootCauseMessage("no thread on purpose");
            StreamLeakCheck.assertNoStreams(own);
        }
    }

    @Test
    void anExecutorThatThrowsAfterTheTurnOrTakesItTwiceGivesItOnce() throws Exception {
        Executor twice = turn -> {
            turn.run();
            turn.run();
        };
        Executor throwing = turn -> {
            turn.run();
            throw new IllegalStateException("too late on purpose");
        };
        for (Executor executor : List.of(twice, throwing)) {
            AtomicInteger elements = new AtomicInteger();
            AtomicInteger stops = new AtomicInteger();
            try (StreamRuntime own = on(executor)) {
                await(Source.range(0, 10).runWith(Sink.foreach(x -> elements.incrementAndGet()), own));
                Source.never()
                        .watchTermination((value, end) -> end.whenComplete((done, failure) -> stops.incrementAndGet()))
                        .to(Sink.ignore())
                        .run(own);
            }
            assertThat(elements).hasValue(10);
            assertThat(stops).hasValue(1);
        }
        assertThat(reported).isEmpty();
    }

    @Test
    void aContextHookThatThrowsEndsTheStream() throws Exception {
        AtomicBoolean isInTurn = new AtomicBoolean();
        breaksOff(new ContextHook() {
            @Override
            public Object capture() {
                if (isInTurn.compareAndSet(false, true)) {
                    return "context of who runs it";
                }
                throw new IllegalStateException("no context on purpose");
            }

            @Override
            public void restore(Object captured) {}
        });
        breaksOff(new ContextHook() {
            @Override
            public Object capture() {
                return "context";
            }

            @Override
            public void restore(Object captured) {
                throw new IllegalStateException("no context on purpose");
            }
        });
    }

    private void breaksOff(ContextHook hook) throws Exception {
        reported.clear();
        try (StreamRuntime own =
                StreamRuntime.create(settings().withContextHook(hook).withFailureReporter(reported::add))) {
            assertThat(awaitFailure(Source.never().runWith(Sink.ignore(), own))).hasMessage("no context on purpose");
            Await.until(() -> own.snapshot().streams().isEmpty());
        }
        assertThat(reported).singleElement().asString().contains("no context on purpose");
    }

    /** A thread that has no memory for its first turn. */
    private static final class ShortOfMemory extends Thread {
        private final AtomicBoolean isShort;

        ShortOfMemory(Runnable task, AtomicBoolean isShort) {
            super(task);
            this.isShort = isShort;
        }

        /** Asked for where a thread looks for a turn. */
        @Override
        public long getId() {
            if (isShort.compareAndSet(true, false)) {
                throw new OutOfMemoryError("no memory on purpose");
            }
            return super.getId();
        }
    }

    @Test
    @Behaviour("MAT-6")
    void aTurnForWhichThereIsNoMemoryEndsTheStream() throws Exception {
        AtomicBoolean isShort = new AtomicBoolean(true);
        try (StreamRuntime own = on(task -> new ShortOfMemory(task, isShort).start())) {
            assertThat(awaitFailure(Source.never().runWith(Sink.ignore(), own))).hasMessage("no memory on purpose");
            StreamLeakCheck.assertNoStreams(own);
        }
        assertThat(reported).singleElement().asString().contains("no memory on purpose");
    }

    /** Runs tasks on the thread that gives them; it is as if that were always the monitor. */
    private static final class GivenByTheMonitor implements TaskExecutor {
        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public boolean mightRunOnMonitor() {
            return true;
        }
    }

    @Test
    @Behaviour("MAT-6")
    void aTurnThatIsHandedOverAsTheRuntimeClosesIsNotLost() {
        for (int i = 0; i < ROUNDS; i++) {
            StreamRuntime own = StreamRuntime.create(
                    settings().withCloseTimeout(Duration.ofNanos(1)).withFailureReporter(reported::add));
            Source.never()
                    .withAttributes(Attributes.dispatcher(new GivenByTheMonitor()))
                    .runWith(Sink.ignore(), own);
            own.close();
            StreamLeakCheck.assertNoStreams(own);
        }
    }
}
