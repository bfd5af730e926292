package io.millrace.streams.engine;

import static io.millrace.streams.Await.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Await;
import io.millrace.streams.Keep;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.failure.AbruptTerminationException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Done;
import io.millrace.streams.schedule.Scheduler;
import io.millrace.streams.schedule.Schedulers;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.testkit.Behaviour;
import io.millrace.testkit.StreamLeakCheck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Closing a runtime whose streams end on the thread that closes it, as their executor runs them there or takes no more. */
final class InPlaceClosingTest extends EngineTest {
    private static final int MANY = 100;
    private static final Executor IN_PLACE = Runnable::run;
    private static final Attributes NOWHERE_ELSE = Attributes.of("nowhere else");

    private final CountDownLatch stuck = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private final AtomicInteger interrupts = new AtomicInteger();
    private final AtomicBoolean isLeftInterrupted = new AtomicBoolean();
    private final Queue<Thread> ending = new ConcurrentLinkedQueue<>();
    private final List<CompletionStage<Done>> ends = new ArrayList<>();

    @Override
    protected RuntimeSettings settings() {
        return super.settings().withCloseTimeout(Duration.ofMillis(400));
    }

    @AfterEach
    void letGo() {
        release.countDown();
    }

    private StreamRuntime on(Executor executor) {
        return StreamRuntime.create(settings().withExecutor(executor).withFailureReporter(reported::add));
    }

    /** Waits until it is interrupted. */
    private void block() {
        stuck.countDown();
        try {
            release.await();
        } catch (InterruptedException e) {
            interrupts.incrementAndGet();
            Thread.currentThread().interrupt(); // as code should that does not end its thread itself
        }
    }

    /** Waits whatever happens, as a call into native code does. */
    private void blockDeaf() {
        stuck.countDown();
        boolean waits = true;
        while (waits) {
            try {
                release.await();
                waits = false;
            } catch (InterruptedException e) {
                interrupts.incrementAndGet();
            }
        }
    }

    /** Runs a stream whose source does this as it stops. */
    private void run(StreamRuntime here, Attributes place, Runnable asItStops) {
        ends.add(Source.<Integer, GraphStageLogic>fromGraph(TestStages.source(shape ->
                        TestStages.itself(new GraphStageLogic(shape) {
                            {
                                setHandler(shape.out(), () -> {});
                            }

                            @Override
                            public void postStop() {
                                ending.add(Thread.currentThread());
                                asItStops.run();
                            }
                        })))
                .watchTermination(Keep.right())
                .to(Sink.ignore())
                .withAttributes(place)
                .run(here));
    }

    private Thread closing(StreamRuntime here) {
        return started(() -> {
            here.close();
            isLeftInterrupted.set(Thread.currentThread().isInterrupted());
        });
    }

    private static Thread started(Runnable task) {
        Thread thread = new Thread(task, "closer");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void haveFailed() throws Exception {
        for (CompletionStage<Done> end : ends) {
            assertThat(awaitFailure(end)).isInstanceOf(AbruptTerminationException.class);
        }
    }

    private void runSome(StreamRuntime here, Attributes place) {
        run(here, place, () -> {});
        run(here, place, this::block);
        run(here, place, this::block);
        run(here, place, () -> {});
    }

    private void isClosedInTime(StreamRuntime here) throws Exception {
        Thread closer = closing(here);
        Await.until("the runtime is closed", () -> !closer.isAlive());
        haveFailed();
        assertThat(interrupts).as("interrupts").hasPositiveValue();
        assertThat(isLeftInterrupted)
                .as("whether the thread is left interrupted")
                .isFalse();
        assertThat(ending).hasSize(ends.size()).containsOnly(closer);
        StreamLeakCheck.assertNoStreams(here);
    }

    @Test
    @Behaviour("MAT-6")
    void whatIsStuckAsItStopsIsInterruptedWhereTheExecutorRunsInPlace() throws Exception {
        StreamRuntime inPlace = on(IN_PLACE);
        runSome(inPlace, NOWHERE_ELSE);
        isClosedInTime(inPlace);
    }

    @Test
    @Behaviour("MAT-6")
    void alsoWhereThatIsTheExecutorOfAStream() throws Exception {
        try (Scheduler trampoline = Schedulers.trampoline()) {
            StreamRuntime own = StreamRuntime.create(settings().withFailureReporter(reported::add));
            runSome(own, Attributes.dispatcher(IN_PLACE));
            runSome(own, Attributes.dispatcher(trampoline));
            isClosedInTime(own);
        }
    }

    @Test
    @Behaviour("MAT-6")
    void alsoWhereTheExecutorWasShutDownBefore() throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        StreamRuntime onIt = on(executor);
        runSome(onIt, NOWHERE_ELSE);
        executor.shutdown();
        assertThat(executor.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        isClosedInTime(onIt);
    }

    @Test
    @Behaviour("MAT-6")
    void asManyAsThereAreAreInterruptedOneAfterTheOther() throws Exception {
        StreamRuntime inPlace = on(IN_PLACE);
        for (int i = 0; i < MANY; i++) {
            run(inPlace, NOWHERE_ELSE, this::blockTwice);
        }
        isClosedInTime(inPlace);
        assertThat(interrupts).hasValue(2 * MANY);
    }

    private void blockTwice() {
        block();
        boolean unused = Thread.interrupted();
        block();
    }

    @Test
    @Behaviour("MAT-6")
    void futuresFailThoughWhoClosesIsStuckForGoodAndStagesEndThereOnceItIsLetGo() throws Exception {
        StreamRuntime inPlace = on(IN_PLACE);
        run(inPlace, NOWHERE_ELSE, () -> {});
        run(inPlace, NOWHERE_ELSE, this::blockDeaf);
        Thread closer = closing(inPlace);
        haveFailed();
        Await.until("both are reported", () -> reported.size() == 2);
        assertThat(reported.get(0)).hasMessageContaining("a stage is stuck in a call that does not heed interrupts");
        assertThat(reported.get(1)).hasMessageContaining("ends on the thread that closes the runtime, which is stuck");
        assertThat(closer.isAlive()).isTrue();
        assertThat(ending).containsExactly(closer);
        assertThat(interrupts).hasPositiveValue();
        inPlace.close(); // waits as long as the first one might, and is back
        release.countDown();
        Await.until("the runtime is closed", () -> !closer.isAlive());
        assertThat(ending).containsExactly(closer, closer);
        assertThat(isLeftInterrupted).isFalse();
        assertThat(reported).hasSize(2);
        StreamLeakCheck.assertNoStreams(inPlace);
    }

    /** A stream that hears of the end of another, as that is given up, is run by no thread that keeps time. */
    @Test
    @Behaviour("MAT-6")
    void whatAnotherStreamMakesOfAnEndHoldsUpNoTimeouts() throws Exception {
        StreamRuntime inPlace = on(IN_PLACE);
        StreamRuntime other = on(IN_PLACE);
        CompletableFuture<Done> hears = new CompletableFuture<>();
        CompletionStage<Done> heard = Source.fromCompletionStage(hears)
                .map(done -> {
                    blockDeaf();
                    return done;
                })
                .runWith(Sink.ignore(), other);
        run(inPlace, NOWHERE_ELSE, () -> {});
        run(inPlace, NOWHERE_ELSE, this::blockDeaf);
        CompletionStage<Done> unused = ends.get(1).whenComplete((done, failure) -> hears.complete(Done.DONE));
        Thread closer = closing(inPlace);
        haveFailed();
        Await.until("both are reported", () -> reported.size() == 2);
        release.countDown();
        closer.join();
        Await.await(heard);
        other.close();
    }

    @Test
    @Behaviour("MAT-6")
    void aStreamThatClosesARuntimeIsInterruptedInWhatThatEndsOnly() throws Exception {
        StreamRuntime inPlace = on(IN_PLACE);
        runSome(inPlace, NOWHERE_ELSE);
        Thread closer = started(() -> Source.single(1)
                .runForeach(
                        n -> {
                            inPlace.close();
                            isLeftInterrupted.set(Thread.currentThread().isInterrupted());
                        },
                        inPlace));
        Await.until("the stream is over", () -> !closer.isAlive());
        haveFailed();
        assertThat(interrupts).hasPositiveValue();
        assertThat(isLeftInterrupted).isFalse();
    }

    /** Also where the executor is the user's, and streams end on a thread of it. */
    @Test
    @Behaviour("MAT-6")
    void whoClosesMayHoldALockThatTheFailureReporterTakes() throws Exception {
        Object lock = new Object();
        ExecutorService executor = Executors.newSingleThreadExecutor();
        StreamRuntime onIt =
                StreamRuntime.create(settings().withExecutor(executor).withFailureReporter(failure -> {
                    synchronized (lock) {
                        reported.add(failure);
                    }
                }));
        run(onIt, NOWHERE_ELSE, this::blockDeaf);
        Thread closer = started(() -> {
            synchronized (lock) {
                onIt.close();
            }
        });
        Await.until("the runtime is closed", () -> !closer.isAlive());
        haveFailed();
        assertThat(reported).hasSize(1);
        release.countDown();
        executor.shutdown();
        assertThat(executor.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    @Behaviour("MAT-6")
    void futuresHaveFailedOnceARuntimeIsClosedThatLeavesNoTime() throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        StreamRuntime onIt = StreamRuntime.create(settings()
                .withCloseTimeout(Duration.ZERO)
                .withExecutor(executor)
                .withFailureReporter(reported::add));
        for (int i = 0; i < MANY; i++) {
            run(onIt, NOWHERE_ELSE, this::blockDeaf);
        }
        onIt.close();
        assertThat(ends).allMatch(end -> end.toCompletableFuture().isDone());
        release.countDown();
        executor.shutdown();
        assertThat(executor.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void whoIsInterruptedBeforeIsSoAfterwards() throws Exception {
        StreamRuntime inPlace = on(IN_PLACE);
        run(inPlace, NOWHERE_ELSE, () -> {});
        Thread closer = started(() -> {
            Thread.currentThread().interrupt();
            inPlace.close();
            isLeftInterrupted.set(Thread.currentThread().isInterrupted());
        });
        closer.join();
        assertThat(isLeftInterrupted).isTrue();
    }

    /** As an event loop does, or the thread of a user interface. */
    @Test
    void streamsEndOnTheOneThreadOfTheirExecutorWhoeverCloses() throws Exception {
        for (boolean isClosedThere : List.of(true, false)) {
            ExecutorService loop = Executors.newSingleThreadExecutor();
            Thread own = loop.submit(Thread::currentThread).get();
            StreamRuntime onLoop = on(task -> {
                if (Thread.currentThread() == own) {
                    task.run();
                } else {
                    loop.execute(task);
                }
            });
            ending.clear();
            run(onLoop, NOWHERE_ELSE, () -> {});
            run(onLoop, NOWHERE_ELSE, this::block);
            if (isClosedThere) {
                CompletableFuture<Void> closed = CompletableFuture.runAsync(onLoop::close, loop);
                Await.until("the runtime is closed", closed::isDone);
            } else {
                onLoop.close();
                release.countDown(); // its thread is not the runtime's, which interrupts it nowhere
            }
            haveFailed();
            loop.shutdown();
            assertThat(loop.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
            assertThat(ending).hasSize(2).containsOnly(own);
            StreamLeakCheck.assertNoStreams(onLoop);
        }
    }
}
