package io.millrace.streams.engine;

import static io.millrace.streams.Await.await;
import static io.millrace.streams.Await.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Await;
import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.failure.StageStoppedException;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.AsyncCallback;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;
import io.millrace.streams.stage.StageActorRef;
import io.millrace.streams.stage.StageConsumer;
import io.millrace.testkit.Behaviour;
import io.millrace.testkit.TestSink;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

final class StageActorTest extends EngineTest {
    /** A source with an actor and a callback, both open to the test from the constructor on. */
    private static final class Actor extends GraphStageLogic implements OutHandler {
        static final Object END = new Object();
        final StageActorRef<Object> ref = stageActor(this::onMessage);
        final AsyncCallback<StageConsumer<Actor>> callback = asyncCallback(action -> action.accept(this));
        final SourceShape<Object> shape;
        boolean started;

        Actor(SourceShape<Object> shape) {
            super(shape);
            this.shape = shape;
            setHandler(shape.out(), this);
        }

        StageActorRef<Object> become(StageConsumer<Object> handler) {
            return stageActor(handler);
        }

        void emitOut(Object element) {
            emit(shape.out(), element);
        }

        void finish() {
            completeStage();
        }

        @Override
        public void preStart() {
            started = true;
        }

        @Override
        public void onPull() {
            // Elements come as messages.
        }

        private void onMessage(Object message) {
            if (message instanceof RuntimeException failure) {
                throw failure;
            }
            if (message == END) {
                finish();
                return;
            }
            emitOut(started ? message : "too early: " + message);
        }
    }

    private static Source<Object, Actor> actor() {
        return Source.fromGraph(TestStages.<Object, Actor>source(shape -> TestStages.itself(new Actor(shape))));
    }

    @Test
    @Behaviour("ACT-1")
    void sameRefOnEveryCallAndALaterCallSwapsTheBehaviour() throws Exception {
        Pair<Actor, TestSink<Object>> running =
                actor().toMat(TestSink.probe(), Keep.both()).run(runtime);
        Actor actor = running.first();
        running.second().request(10);
        actor.ref.tell("a");
        running.second().expectNext("a");
        CompletableFuture<StageActorRef<Object>> again = new CompletableFuture<>();
        actor.callback.invoke(stage -> again.complete(stage.become(message -> stage.emitOut("new " + message))));
        assertThat(await(again)).isSameAs(actor.ref);
        actor.ref.tell("b");
        running.second().expectNext("new b");
        running.second().cancel();
    }

    @Test
    @Behaviour("ACT-2")
    void effectsOfAMessageAreVisibleToTheNextOne() throws Exception {
        ActorSource source = new ActorSource();
        int messages = 200_000;
        Pair<StageActorRef<Integer>, CompletionStage<Integer>> running = Source.fromGraph(source)
                .map(x -> x)
                .toMat(Sink.<Integer, Integer>fold(0, (count, x) -> count + 1), Keep.both())
                .run(runtime);
        for (int i = 0; i < messages; i++) {
            running.first().tell(i);
        }
        running.first().tell(-1);
        assertThat(await(running.second())).isEqualTo(messages);
        assertThat(source.dropped).hasValue(0);
    }

    /** Starts slowly, and counts what comes. */
    private static final class SlowStart extends GraphStageLogic implements InHandler {
        private final Inlet<Integer> in;
        private final CompletableFuture<Integer> total = new CompletableFuture<>();
        private int count;

        SlowStart(SinkShape<Integer> shape) {
            super(shape);
            in = shape.in();
            setHandler(in, this);
        }

        @Override
        public void preStart() {
            pull(in);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }

        @Override
        public void onPush() {
            grab(in);
            count++;
            pull(in);
        }

        @Override
        public void postStop() {
            total.complete(count);
        }
    }

    @Test
    @Behaviour({"ACT-2", "ACT-4"})
    void theFirstMessageFindsTheDemandOfTheStartHoweverLongThatTook() throws Exception {
        ActorSource source = new ActorSource();
        Pair<StageActorRef<Integer>, SlowStart> running = Source.fromGraph(source)
                .toMat(
                        TestStages.<Integer, SlowStart>sink(shape -> TestStages.itself(new SlowStart(shape))),
                        Keep.both())
                .run(runtime);
        for (int message : new int[] {1, 2, -1}) {
            running.first().tell(message);
        }
        assertThat(await(running.second().total)).isEqualTo(2);
        assertThat(source.dropped).hasValue(0);
    }

    @Test
    @Behaviour("ACT-3")
    void messagesOfEachOfAHundredSendersKeepTheirOrder() throws Exception {
        Pair<Actor, CompletionStage<List<Object>>> running =
                actor().toMat(Sink.seq(), Keep.both()).run(runtime);
        int senders = 100;
        int each = 200;
        List<Thread> threads = new ArrayList<>();
        CountDownLatch go = new CountDownLatch(1);
        for (int s = 0; s < senders; s++) {
            int sender = s;
            Thread thread = new Thread(() -> {
                try {
                    go.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return;
                }
                for (int i = 0; i < each; i++) {
                    running.first().ref.tell(sender * each + i);
                }
            });
            thread.start();
            threads.add(thread);
        }
        go.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        running.first().ref.tell(Actor.END);
        List<Object> all = await(running.second());
        assertThat(all).hasSize(senders * each);
        int[] next = new int[senders];
        for (Object element : all) {
            int value = (Integer) element;
            assertThat(value % each).isEqualTo(next[value / each]++);
        }
    }

    @Test
    @Behaviour({"ACT-4", "ACT-8"})
    void messagesSentFromTheConstructorArriveInOrderAfterPreStart() {
        var source = TestStages.<Object, NotUsed>source(shape -> {
            Actor actor = new Actor(shape);
            actor.ref.tell("eager 1");
            actor.ref.tell("eager 2");
            return new LogicAndValue<>(actor, NotUsed.NOT_USED);
        });
        TestSink<Object> sink = Source.fromGraph(source).runWith(TestSink.probe(), runtime);
        sink.request(2).expectNext("eager 1", "eager 2");
        sink.cancel();
    }

    @Test
    @Behaviour("ACT-5")
    void messagesAfterTheStageHasStoppedAreDroppedAndCounted() throws Exception {
        Pair<Actor, TestSink<Object>> running =
                actor().toMat(TestSink.probe(), Keep.both()).run(runtime);
        StageActorRef<Object> ref = running.first().ref;
        CompletableFuture<Done> unwatched = ref.whenTerminated().toCompletableFuture();
        assertThat(ref.isTerminated()).isFalse();
        unwatched.cancel(false);
        running.second().cancel();
        await(ref.whenTerminated());
        ref.tell("late");
        ref.tell("later");
        assertThat(ref.isTerminated()).isTrue();
        assertThat(ref.droppedCount()).isEqualTo(2);
        assertThat(await(ref.whenTerminated())).isEqualTo(Done.DONE);
        assertThat(unwatched).isCancelled();
    }

    @Test
    @Behaviour("ACT-6")
    void exceptionInTheHandlerFailsTheStageAndIsReported() {
        Pair<Actor, TestSink<Object>> running =
                actor().toMat(TestSink.probe(), Keep.both()).run(runtime);
        RuntimeException thrown = new IllegalArgumentException("mine");
        running.first().ref.tell(thrown);
        assertThat(running.second().expectError()).isSameAs(thrown);
        assertThat(reported)
                .singleElement()
                .satisfies(report -> assertThat(report).hasCause(thrown));
    }

    @Test
    @Behaviour("ACT-8")
    void feedbackTellsWhatBecameOfTheValue() throws Exception {
        Pair<Actor, TestSink<Object>> running =
                actor().toMat(TestSink.probe(), Keep.both()).run(runtime);
        AsyncCallback<StageConsumer<Actor>> callback = running.first().callback;
        running.second().request(1);
        assertThat(await(callback.invokeWithFeedback(stage -> stage.emitOut("x"))))
                .isEqualTo(Done.DONE);
        running.second().expectNext("x");
        RuntimeException thrown = new IllegalArgumentException("mine");
        assertThat(awaitFailure(callback.invokeWithFeedback(stage -> {
                    throw thrown;
                })))
                .isSameAs(thrown);
        assertThat(running.second().expectError()).isSameAs(thrown);
        assertThat(awaitFailure(callback.invokeWithFeedback(Actor::finish))).isInstanceOf(StageStoppedException.class);
    }

    @Test
    @Behaviour("ACT-8")
    void everyFeedbackIsAnsweredWhileTheStageStops() throws Exception {
        for (int round = 0; round < 300; round++) {
            Pair<Actor, TestSink<Object>> running =
                    actor().toMat(TestSink.probe(), Keep.both()).run(runtime);
            var answers = ConcurrentHashMap.<CompletionStage<Done>>newKeySet();
            Thread sender = new Thread(() -> {
                for (int i = 0; i < 50; i++) {
                    answers.add(running.first().callback.invokeWithFeedback(stage -> {}));
                }
            });
            sender.start();
            running.second().cancel();
            sender.join();
            for (CompletionStage<Done> answer : answers) {
                Await.until(() -> answer.toCompletableFuture().isDone());
            }
        }
    }
}
