package io.millrace.streams.engine;

import static io.millrace.streams.Await.await;
import static io.millrace.streams.Await.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Await;
import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.SinkQueue;
import io.millrace.streams.Source;
import io.millrace.streams.SourceQueue;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.failure.AbruptTerminationException;
import io.millrace.streams.failure.StageStoppedException;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.OverflowStrategy;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.AsyncCallback;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;
import io.millrace.streams.stage.StageActorRef;
import io.millrace.testkit.Behaviour;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Closing a runtime whose stages are in the midst of a call that does not return. */
class StuckStagesTest extends EngineTest {
    private final CountDownLatch stuck = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private final AtomicBoolean interrupted = new AtomicBoolean();
    private final AtomicBoolean resourceClosed = new AtomicBoolean();
    private final AtomicInteger handlings = new AtomicInteger();
    private final StreamRuntime closing = StreamRuntime.create(
            settings().withCloseTimeout(Duration.ofMillis(400)).withFailureReporter(reported::add));

    @AfterEach
    void letGo() {
        release.countDown();
        Await.until(() -> closing.snapshot().streams().isEmpty());
    }

    /** Waits until it is interrupted. */
    private void block() throws InterruptedException {
        stuck.countDown();
        try {
            release.await();
        } catch (InterruptedException e) {
            interrupted.set(true);
            throw e;
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
                interrupted.set(true);
            }
        }
    }

    private static void isAbrupt(CompletionStage<?> future) throws Exception {
        assertThat(future.toCompletableFuture()).isDone();
        assertThat(awaitFailure(future)).isInstanceOf(AbruptTerminationException.class);
    }

    @Test
    @Behaviour("MAT-6")
    void blockedWriterIsInterruptedAndItsStreamClosed() throws Exception {
        CompletionStage<Long> written = Source.repeat(1)
                .map(n -> ByteBuffer.wrap(new byte[8]))
                .runWith(
                        Sink.toOutputStream(() -> new OutputStream() {
                            @Override
                            public void write(int value) {}

                            @Override
                            public void write(byte[] bytes, int from, int count) {
                                try {
                                    block();
                                } catch (InterruptedException e) {
                                    Thread.currentThread().interrupt();
                                }
                            }

                            @Override
                            public void close() {
                                resourceClosed.set(true);
                            }
                        }),
                        closing);
        stuck.await();
        closing.close();
        isAbrupt(written);
        Await.until(resourceClosed::get);
        Await.until(interrupted::get);
    }

    @Test
    @Behaviour("MAT-6")
    void everyFutureIsThereThoughAReaderHeedsNoInterruptAndItsResourceIsClosedOnceItLetsGo() throws Exception {
        Source<Integer, ?> reading = Source.unfoldResource(
                () -> 1,
                resource -> {
                    blockDeaf();
                    return Optional.of(resource);
                },
                resource -> resourceClosed.set(true));
        Pair<CompletionStage<Done>, CompletionStage<Done>> futures = reading.watchTermination(Keep.right())
                .toMat(Sink.<Integer>ignore(), Keep.both())
                .run(closing);
        stuck.await();
        closing.close();
        isAbrupt(futures.first());
        isAbrupt(futures.second());
        Await.until(interrupted::get);
        assertThat(resourceClosed).isFalse();
        assertThat(reported)
                .singleElement()
                .satisfies(report ->
                        assertThat(report).hasMessageContaining("stuck in a call that does not heed interrupts"));
        release.countDown();
        Await.until(resourceClosed::get);
    }

    @Test
    @Behaviour("MAT-6")
    void futuresOfEveryKindFailThoughADispatcherThreadIsStuck() throws Exception {
        List<CompletionStage<?>> futures = new ArrayList<>();
        Source<Integer, CompletionStage<Done>> busy = Source.range(0, 5)
                .watchTermination(Keep.right())
                .map(n -> {
                    blockDeaf();
                    return n;
                });
        Pair<CompletionStage<Done>, CompletionStage<List<Integer>>> fused =
                busy.toMat(Sink.<Integer>seq(), Keep.both()).run(closing);
        futures.add(fused.first());
        futures.add(fused.second());
        stuck.await();
        futures.add(Source.lazy(() -> busy).toMat(Sink.ignore(), Keep.left()).run(closing));
        futures.add(busy.async().runWith(Sink.lazy(Sink::ignore), closing));
        futures.add(busy.runWith(Sink.head(), closing));
        futures.add(Source.<Integer>maybe().to(Sink.ignore()).run(closing));
        closing.close();
        for (CompletionStage<?> future : futures) {
            assertThat(future.toCompletableFuture()).isDone();
        }
    }

    @Test
    @Behaviour("MAT-6")
    void streamThatClosesItsOwnRuntimeHasTheStuckOnesSeenTo() throws Exception {
        CompletionStage<Done> stuckOne = Source.single(1)
                .map(n -> {
                    blockDeaf();
                    return n;
                })
                .runWith(Sink.ignore(), closing);
        stuck.await();
        Source.single(1).runWith(Sink.foreach(n -> closing.close()), closing);
        assertThat(awaitFailure(stuckOne)).isInstanceOf(AbruptTerminationException.class);
    }

    /** A source that is stuck in its first message. */
    private final class DeafActor extends GraphStageLogic implements OutHandler {
        private final StageActorRef<Object> ref = stageActor(message -> handle());
        private final AsyncCallback<Integer> callback = asyncCallback(message -> handle());
        private final CountDownLatch handling = new CountDownLatch(1);

        DeafActor(SourceShape<Object> shape) {
            super(shape);
            setHandler(shape.out(), this);
        }

        private void handle() {
            handling.countDown();
            handlings.incrementAndGet();
            blockDeaf();
        }

        @Override
        public void onPull() {
            // Nothing comes.
        }
    }

    private DeafActor deafActor() {
        return Source.fromGraph(TestStages.<Object, DeafActor>source(shape -> TestStages.itself(new DeafActor(shape))))
                .to(Sink.ignore())
                .run(closing);
    }

    @Test
    @Behaviour("MAT-6")
    void anActorOfAStuckStageTellsItsEndAlsoToThoseThatAskAfterTheClosing() throws Exception {
        DeafActor watched = deafActor();
        DeafActor unwatched = deafActor();
        watched.ref.tell("stuck");
        unwatched.ref.tell("stuck");
        Await.await(watched.handling, "the one that is watched is stuck");
        Await.await(unwatched.handling, "the other one is stuck");
        CompletionStage<Done> terminated = watched.ref.whenTerminated();
        AtomicLong dropped = new AtomicLong(-1);
        CompletionStage<Done> unused = terminated.whenComplete(
                (done, failure) -> dropped.set(CompletableFuture.supplyAsync(watched.ref::droppedCount)
                        .orTimeout(10, TimeUnit.SECONDS)
                        .join()));
        closing.close();
        isAbrupt(terminated);
        assertThat(dropped)
                .as("messages dropped, asked from another thread meanwhile")
                .hasValue(0);
        for (DeafActor actor : List.of(watched, unwatched)) {
            CompletableFuture<String> reply = actor.ref.<String>ask(to -> "nobody handles this");
            assertThat(reply).isDone();
            assertThat(awaitFailure(reply)).isInstanceOf(StageStoppedException.class);
            isAbrupt(actor.ref.whenTerminated());
            CountDownLatch told = new CountDownLatch(1);
            Runnable unusedTakeBack = actor.ref.onTermination(told::countDown);
            assertThat(told.getCount()).isZero();
        }
    }

    @Test
    @Behaviour("MAT-6")
    void whatIsPulledFromAQueueBehindAStuckStageFails() throws Exception {
        SinkQueue<Integer> queue = Source.repeat(1)
                .map(n -> {
                    blockDeaf();
                    return n;
                })
                .runWith(Sink.queue(), closing);
        CompletionStage<Optional<Integer>> asked = queue.pull();
        stuck.await();
        CompletionStage<Optional<Integer>> unheard = queue.pull();
        closing.close();
        isAbrupt(asked);
        isAbrupt(unheard);
        isAbrupt(queue.pull());
    }

    @Test
    @Behaviour("MAT-6")
    void whatWaitsForRoomInAQueueBeforeAStuckStageIsRefused() throws Exception {
        SourceQueue<Integer> queue = Source.<Integer>queue(1, OverflowStrategy.BACKPRESSURE)
                .map(n -> {
                    blockDeaf();
                    return n;
                })
                .to(Sink.ignore())
                .run(closing);
        assertThat(queue.offer(1)).isEqualTo(SourceQueue.Offer.ENQUEUED);
        stuck.await();
        assertThat(queue.offer(2)).isEqualTo(SourceQueue.Offer.ENQUEUED);
        CompletionStage<SourceQueue.Offer> waiting = queue.offerAsync(3);
        closing.close();
        isAbrupt(queue.completion());
        assertThat(waiting.toCompletableFuture()).isCompletedWithValue(SourceQueue.Offer.CLOSED);
        assertThat(queue.offerAsync(4).toCompletableFuture()).isCompletedWithValue(SourceQueue.Offer.CLOSED);
    }

    /** Asserts that messages are refused, and not handled either once the stuck stage goes on. */
    private void areRefused(List<CompletionStage<Done>> queued) throws Exception {
        int before = handlings.get();
        for (CompletionStage<Done> feedback : queued) {
            assertThat(feedback.toCompletableFuture()).isDone();
            assertThat(awaitFailure(feedback)).isInstanceOf(StageStoppedException.class);
        }
        release.countDown();
        Await.until("the stream has ended", () -> closing.snapshot().streams().isEmpty());
        assertThat(handlings).as("messages that were handled").hasValue(before);
    }

    private static List<CompletionStage<Done>> sendMany(AsyncCallback<Integer> callback) {
        List<CompletionStage<Done>> sent = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            sent.add(callback.invokeWithFeedback(i));
        }
        return sent;
    }

    @Test
    @Behaviour("MAT-6")
    void whoSendsToAStuckStageHearsThatItDoesNotHandleTheMessage() throws Exception {
        DeafActor actor = deafActor();
        CompletionStage<Done> handled = actor.callback.invokeWithFeedback(1);
        stuck.await();
        List<CompletionStage<Done>> queued = sendMany(actor.callback);
        closing.close();
        isAbrupt(handled);
        queued.add(actor.callback.invokeWithFeedback(1));
        areRefused(queued);
    }

    /** A sink that counts messages, and asks for elements. */
    private final class MessageSink extends GraphStageLogic implements InHandler {
        private final AsyncCallback<Integer> callback = asyncCallback(message -> handlings.incrementAndGet());
        private final Inlet<Integer> in;

        MessageSink(SinkShape<Integer> shape) {
            super(shape);
            in = shape.in();
            setHandler(in, this);
        }

        @Override
        public void preStart() {
            pull(in);
        }

        @Override
        public void onPush() {
            pull(in);
        }
    }

    @Test
    @Behaviour("MAT-6")
    void aMessageThatWasRefusedBehindAStuckStageIsNotHandledAfterwards() throws Exception {
        Pair<SourceQueue<Integer>, MessageSink> stream = Source.<Integer>queue(1, OverflowStrategy.BACKPRESSURE)
                .map(n -> {
                    blockDeaf();
                    return n;
                })
                .toMat(
                        Sink.fromGraph(TestStages.<Integer, MessageSink>sink(
                                shape -> TestStages.itself(new MessageSink(shape)))),
                        Keep.both())
                .run(closing);
        Await.await(stream.second().callback.invokeWithFeedback(0));
        assertThat(stream.first().offer(1)).isEqualTo(SourceQueue.Offer.ENQUEUED);
        stuck.await();
        List<CompletionStage<Done>> queued = sendMany(stream.second().callback);
        closing.close();
        areRefused(queued);
    }

    /** A source that is stuck as it stops. */
    private Source<Integer, GraphStageLogic> stuckAsItStops() {
        return Source.fromGraph(TestStages.source(shape -> TestStages.itself(new GraphStageLogic(shape) {
            {
                setHandler(shape.out(), () -> {});
            }

            @Override
            public void postStop() {
                blockDeaf();
            }
        })));
    }

    @Test
    @Behaviour("MAT-6")
    void theFutureOfALazySourceInsideAnotherThatIsStuckFails() throws Exception {
        Source<Integer, CompletionStage<CompletionStage<NotUsed>>> nested = Source.lazy(() -> Source.lazy(() -> {
            blockDeaf();
            return Source.of(1);
        }));
        CompletionStage<CompletionStage<NotUsed>> outer =
                nested.to(Sink.ignore()).run(closing);
        stuck.await();
        closing.close();
        isAbrupt(await(outer));
    }

    @Test
    void aSecondCloseWaitsForTheStreamsToo() throws Exception {
        StreamRuntime slow = StreamRuntime.create(settings().withCloseTimeout(Duration.ofMinutes(1)));
        slow.materialize(stuckAsItStops().to(Sink.ignore()));
        List<Thread> closers = List.of(new Thread(slow::close, "first"), new Thread(slow::close, "second"));
        closers.get(0).start();
        Await.await(stuck, "the stage is stopped");
        closers.get(1).start();
        Await.until(() -> closers.get(1).getState() == Thread.State.TIMED_WAITING
                || closers.get(1).getState() == Thread.State.TERMINATED);
        assertThat(closers).allMatch(Thread::isAlive);
        release.countDown();
        for (Thread closer : closers) {
            closer.join();
        }
        assertThat(slow.snapshot().streams()).isEmpty();
    }

    /** It would wait for itself. */
    @Test
    void aSecondCloseByWhoIsToldOfTheFirstOneDoesNotWait() throws Exception {
        CompletionStage<Done> end = stuckAsItStops()
                .watchTermination(Keep.right())
                .to(Sink.ignore())
                .run(closing);
        CompletionStage<Done> closedAgain = end.whenComplete((done, failure) -> closing.close());
        closing.close();
        isAbrupt(closedAgain);
        assertThat(reported).hasSize(1);
    }
}
