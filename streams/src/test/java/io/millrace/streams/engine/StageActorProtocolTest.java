package io.millrace.streams.engine;

import static io.millrace.streams.Await.await;
import static io.millrace.streams.Await.awaitFailure;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Await;
import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.failure.BufferOverflowException;
import io.millrace.streams.failure.StageStoppedException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.MailboxLimit;
import io.millrace.streams.stage.OutHandler;
import io.millrace.streams.stage.StageActorRef;
import io.millrace.testkit.Behaviour;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What people say to a stage besides telling: ask, watch, limits, senders. */
final class StageActorProtocolTest extends EngineTest {
    private final BlockingQueue<Object> handled = new LinkedBlockingQueue<>();

    /** What the actor understands. */
    private sealed interface Command {
        record Ask(StageActorRef.ReplyTo<String> replyTo, boolean answer) implements Command {}

        record Note(String text) implements Command {}

        record WaitFor(CountDownLatch latch) implements Command {}

        record WhoSent() implements Command {}

        record End() implements Command {}
    }

    /** Pushes what it is told while it is asked for, and counts what it could not push. */
    private final class Actor extends GraphStageLogic implements OutHandler {
        private final SourceShape<Object> shape;
        private final StageActorRef<Command> ref;

        Actor(SourceShape<Object> shape, @Nullable MailboxLimit limit) {
            super(shape);
            this.shape = shape;
            ref = limit == null ? stageActor(this::onCommand) : stageActor(this::onCommand, limit);
            setHandler(shape.out(), this);
        }

        @Override
        public void onPull() {
            // The actor pushes.
        }

        private void onCommand(Command command) throws Exception {
            if (command instanceof Command.Ask ask) {
                if (ask.answer()) {
                    ask.replyTo().tell("yes");
                }
            } else if (command instanceof Command.Note note) {
                handled.add(note.text());
                if (isAvailable(shape.out())) {
                    push(shape.out(), note.text());
                }
            } else if (command instanceof Command.WaitFor wait) {
                wait.latch().await();
            } else if (command instanceof Command.WhoSent) {
                handled.add(ref.<Command>sender());
            } else {
                completeStage();
            }
        }
    }

    private StageActorRef<Command> start(@Nullable MailboxLimit limit) {
        return source(limit).to(Sink.ignore()).run(runtime);
    }

    private Source<Object, StageActorRef<Command>> source(@Nullable MailboxLimit limit) {
        return Source.fromGraph(TestStages.<Object, StageActorRef<Command>>source(shape -> {
            Actor actor = new Actor(shape, limit);
            return new LogicAndValue<>(actor, actor.ref);
        }));
    }

    @Test
    void questionGetsItsAnswerOrFailsWhenTheStageStopsOrTheTimeIsOver() throws Exception {
        StageActorRef<Command> ref = start(null);
        assertThat(await(ref.<String>ask(replyTo -> new Command.Ask(replyTo, true), Duration.ofSeconds(10))))
                .isEqualTo("yes");
        assertThatThrownBy(
                        () -> await(ref.<String>ask(replyTo -> new Command.Ask(replyTo, false), Duration.ofMillis(20))))
                .hasRootCauseInstanceOf(TimeoutException.class);
        CompletionStage<String> open = ref.ask(replyTo -> new Command.Ask(replyTo, false), Duration.ofSeconds(20));
        ref.tell(new Command.End());
        assertThatThrownBy(() -> await(open)).hasRootCauseInstanceOf(StageStoppedException.class);
        assertThatThrownBy(
                        () -> await(ref.<String>ask(replyTo -> new Command.Ask(replyTo, true), Duration.ofSeconds(20))))
                .hasRootCauseInstanceOf(StageStoppedException.class);
    }

    @Test
    @Behaviour("ACT-5")
    void watchFiresOnceTheOtherHasStoppedAlsoIfItHadAlreadyAndNotAfterUnwatch() throws Exception {
        StageActorRef<Command> watcher = start(null);
        StageActorRef<Command> watched = start(null);
        StageActorRef<Command> forgotten = start(null);
        watcher.watch(watched, new Command.Note("gone"));
        watcher.watch(forgotten, new Command.Note("never"));
        watcher.unwatch(forgotten);
        watched.tell(new Command.End());
        forgotten.tell(new Command.End());
        assertThat(handled.poll(10, SECONDS)).isEqualTo("gone");
        await(forgotten.whenTerminated());
        watcher.watch(watched, new Command.Note("gone before"));
        assertThat(handled.poll(10, SECONDS)).isEqualTo("gone before");
        assertThat(handled).isEmpty();
        watcher.tell(new Command.End());
    }

    @Test
    @Behaviour("ACT-5")
    void aWatcherThatCannotBeToldIsReportedAndKeepsNobodyElseFromHearing() throws Exception {
        StageActorRef<Command> watched = start(null);
        CountDownLatch hold = new CountDownLatch(1);
        StageActorRef<Command> full = start(MailboxLimit.failing(1));
        full.tell(new Command.WaitFor(hold));
        fill(full);
        for (int i = 0; i < 8; i++) {
            start(null).watch(watched, new Command.Note("gone"));
        }
        List<CompletionStage<String>> open = IntStream.range(0, 8)
                .mapToObj(i -> watched.<String>ask(reply -> new Command.Ask(reply, false), Duration.ofHours(1)))
                .toList();
        full.watch(watched, new Command.Note("never"));
        watched.tell(new Command.End());
        for (CompletionStage<String> question : open) {
            assertThat(awaitFailure(question)).isInstanceOf(StageStoppedException.class);
        }
        for (int i = 0; i < 8; i++) {
            assertThat(handled.poll(10, SECONDS)).isEqualTo("gone");
        }
        Await.until(() -> !reported.isEmpty());
        assertThat(reported)
                .singleElement()
                .satisfies(failure -> assertThat(failure)
                        .hasMessageContaining("could not be told")
                        .hasCauseInstanceOf(BufferOverflowException.class));
        full.watch(watched, new Command.Note("never"));
        assertThat(reported).hasSize(2);
        hold.countDown();
        runtime.close();
    }

    /** Fills a mailbox for one message whose stage is about to take a first one. */
    private static void fill(StageActorRef<Command> ref) {
        Await.until(() -> {
            try {
                ref.tell(new Command.Note("fills"));
                return true;
            } catch (BufferOverflowException notTakenYet) {
                assertThat(notTakenYet).hasMessageContaining("full");
                return false;
            }
        });
    }

    @Test
    void anActionAtTheEndRunsOnceAlsoIfTheStageHadStoppedAlreadyAndNotIfTakenBack() throws Exception {
        StageActorRef<Command> ref = start(null);
        Runnable kept = ref.onTermination(() -> handled.add("at the end"));
        ref.onTermination(() -> handled.add("never")).run();
        ref.tell(new Command.End());
        assertThat(handled.poll(10, SECONDS)).isEqualTo("at the end");
        ref.onTermination(() -> handled.add("at once"));
        assertThat(handled.poll()).isEqualTo("at once");
        kept.run();
        assertThat(handled).isEmpty();
    }

    @Test
    void handlerFindsTheSenderOfTheMessageItHandles() throws Exception {
        StageActorRef<Command> receiver = start(null);
        StageActorRef<Command> sender = start(null);
        receiver.tell(new Command.WhoSent(), sender);
        receiver.tell(new Command.WhoSent());
        assertThat(handled.poll(10, SECONDS)).isEqualTo(java.util.Optional.of(sender));
        assertThat(handled.poll(10, SECONDS)).isEqualTo(java.util.Optional.empty());
        receiver.tell(new Command.End());
        sender.tell(new Command.End());
    }

    @Test
    void fullMailboxRefusesDropsOrHasTheSenderWait() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        StageActorRef<Command> failing = start(MailboxLimit.failing(2));
        StageActorRef<Command> dropping = start(MailboxLimit.droppingNewest(2));
        StageActorRef<Command> blocking = start(MailboxLimit.blocking(1, Duration.ofMillis(30)));
        CountDownLatch holding = new CountDownLatch(1);
        failing.tell(new Command.WaitFor(holding));
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 4; i++) {
                        failing.tell(new Command.Note("f" + i));
                    }
                })
                .isInstanceOf(BufferOverflowException.class)
                .hasMessageContaining("holds 2 messages");
        holding.countDown();
        dropping.tell(new Command.Note("ready"));
        Await.until(() -> handled.contains("ready"));
        dropping.tell(new Command.WaitFor(open));
        for (int i = 0; i < 10; i++) {
            dropping.tell(new Command.Note("d" + i));
        }
        assertThat(dropping.droppedCount()).isBetween(8L, 9L);
        assertThat(runtime.snapshot().droppedMessages()).isEqualTo(dropping.droppedCount());
        open.countDown();
        CountDownLatch shut = new CountDownLatch(1);
        blocking.tell(new Command.WaitFor(shut));
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 3; i++) {
                        blocking.tell(new Command.Note("b" + i));
                    }
                })
                .isInstanceOf(BufferOverflowException.class)
                .hasMessageContaining("also after PT0.03S");
        shut.countDown();
        end(failing);
        end(dropping);
        end(blocking);
    }

    /** Ends a stage whose mailbox may still be full. */
    private static void end(StageActorRef<Command> ref) {
        long deadline = System.nanoTime() + SECONDS.toNanos(20);
        boolean told = false;
        while (!ref.isTerminated() && System.nanoTime() < deadline) {
            long dropped = ref.droppedCount();
            try {
                if (!told) {
                    ref.tell(new Command.End());
                    told = ref.droppedCount() == dropped;
                }
            } catch (BufferOverflowException full) {
                assertThat(full).hasMessageContaining("full");
            }
            Thread.onSpinWait();
        }
        assertThat(ref.isTerminated()).isTrue();
    }

    @Test
    @Behaviour({"ACT-2", "ACT-7"})
    void pushingEachMessageWhileThereIsDemandDropsNoneOfAMillion() throws Exception {
        for (int batch : new int[] {1, 16, 1000}) {
            handled.clear();
            Pair<StageActorRef<Command>, CompletionStage<Integer>> running = source(null)
                    .withAttributes(Attributes.drainBatch(batch))
                    .toMat(Sink.fold(0, (count, text) -> count + 1), Keep.both())
                    .run(runtime);
            Command.Note note = new Command.Note("x");
            int count = batch == 16 ? 1_000_000 : 50_000;
            for (int i = 0; i < count; i++) {
                running.first().tell(note);
            }
            running.first().tell(new Command.End());
            assertThat(await(running.second())).isEqualTo(count);
        }
    }
}
