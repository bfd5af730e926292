package io.millrace.streams.operator.futures;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.ThrowingBiFunction;
import io.millrace.streams.operator.LinearStage;
import io.millrace.streams.schedule.Durations;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.StageActorRef;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;

/**
 * Replaces each element by the reply of a stage to a message made of it, some at a time, in the order of the elements.
 * All wait equally long, so that one timer does, set for the oldest question.
 */
public final class AskStage<I, Q, R> extends LinearStage<I, R> {
    private static final String TIMER = "reply";

    private final int parallelism;
    private final StageActorRef<Q> actor;
    private final ThrowingBiFunction<? super I, ? super StageActorRef.ReplyTo<R>, ? extends Q> message;
    private final Duration timeout;

    public AskStage(
            int parallelism,
            StageActorRef<Q> actor,
            ThrowingBiFunction<? super I, ? super StageActorRef.ReplyTo<R>, ? extends Q> message,
            Duration timeout) {
        super("ask");
        this.parallelism = FuturesInOrder.checkedParallelism(parallelism);
        this.actor = Objects.requireNonNull(actor, "actor");
        this.message = Objects.requireNonNull(message, "message");
        this.timeout = Durations.positive("ask", timeout);
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new AskLogic(inherited);
    }

    private record Question<R>(CompletableFuture<R> reply, long dueNanos) {}

    private final class AskLogic extends FuturesInOrder<I, R> {
        private final Deque<Question<R>> questions = new ArrayDeque<>();

        AskLogic(Attributes inherited) {
            super(AskStage.this, parallelism, inherited);
        }

        @Override
        void begin(Place<I, R> place) throws Exception {
            await(place, () -> ask(place.takeElement()));
        }

        private CompletionStage<R> ask(I element) throws Exception {
            CompletableFuture<R> reply = actor.ask(replyTo -> message.apply(element, replyTo));
            forgetAnswered();
            questions.add(new Question<>(reply, nowNanos() + Durations.nanos(timeout)));
            if (!isTimerActive(TIMER)) {
                scheduleOnce(TIMER, timeout);
            }
            return reply;
        }

        private void forgetAnswered() {
            Question<R> oldest = questions.peek();
            while (oldest != null && oldest.reply().isDone()) {
                questions.remove();
                oldest = questions.peek();
            }
        }

        @Override
        public void onTimer(Object key) {
            forgetAnswered();
            Question<R> oldest = questions.peek();
            while (oldest != null && oldest.dueNanos() - nowNanos() <= 0) {
                oldest.reply().completeExceptionally(new TimeoutException("no reply within " + timeout));
                forgetAnswered();
                oldest = questions.peek();
            }
            if (oldest != null) {
                scheduleOnce(TIMER, Duration.ofNanos(oldest.dueNanos() - nowNanos()));
            }
        }

        /** Takes back what nobody waits for any more. */
        @Override
        public void postStop() {
            questions.forEach(question -> question.reply().cancel(false));
        }
    }
}
