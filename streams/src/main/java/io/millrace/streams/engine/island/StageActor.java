package io.millrace.streams.engine.island;

import io.millrace.streams.failure.StageStoppedException;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.schedule.Durations;
import io.millrace.streams.stage.StageActorRef;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * A mailbox as the address of its stage, with those that are told of its end.
 *
 * <p><b>Threads</b>: any.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code atEnd}: what is to be done once the stage has stopped; whoever removes an entry does it or forgets
 * it. A watch has an entry on both sides, and whichever stage stops first takes the other's away. An entry is added before it is looked whether the stage has stopped, or is stuck and was given up, and those there are taken once it has.
 * {@code listening}: set once, by compare-and-set.<br>
 * <b>Proved by</b>: StageActorProtocolTest.
 */
final class StageActor<T> implements StageActorRef<T> {
    private final Mailbox<T> mailbox;
    private final Map<Object, Runnable> atEnd = new ConcurrentHashMap<>(2);
    private final AtomicBoolean listening = new AtomicBoolean();

    StageActor(Mailbox<T> mailbox) {
        this.mailbox = mailbox;
    }

    Mailbox<T> mailbox() {
        return mailbox;
    }

    @Override
    public void tell(T message) {
        mailbox.invoke(message);
    }

    @Override
    public void tell(T message, StageActorRef<?> from) {
        mailbox.invoke(message, from);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <R> Optional<StageActorRef<R>> sender() {
        return Optional.ofNullable((StageActorRef<R>) mailbox.sender());
    }

    @Override
    public <R> CompletionStage<R> ask(Function<? super ReplyTo<R>, ? extends T> message, Duration timeout) {
        CompletableFuture<R> reply = expectReply();
        try {
            mailbox.invoke(message.apply((ReplyTo<R>) reply::complete));
        } catch (Throwable failure) {
            reply.completeExceptionally(failure);
            throw failure;
        }
        return reply.orTimeout(Durations.nanos(timeout), TimeUnit.NANOSECONDS);
    }

    @Override
    public <R> CompletableFuture<R> ask(ThrowingFunction<? super ReplyTo<R>, ? extends T> message) throws Exception {
        CompletableFuture<R> reply = expectReply();
        try {
            mailbox.invoke(message.apply((ReplyTo<R>) reply::complete));
        } catch (Throwable failure) {
            reply.completeExceptionally(failure);
            throw failure;
        }
        return reply;
    }

    private <R> CompletableFuture<R> expectReply() {
        CompletableFuture<R> reply = new CompletableFuture<>();
        Object question = new Object();
        atEnd(
                question,
                () -> reply.completeExceptionally(
                        new StageStoppedException("the stage that was asked has stopped without a reply")));
        CompletionStage<R> answered = reply;
        answered.whenComplete((answer, failure) -> atEnd.remove(question));
        return reply;
    }

    private void atEnd(Object key, Runnable action) {
        atEnd.put(key, action);
        if (listening.compareAndSet(false, true)) {
            mailbox.whenClosed().whenComplete((done, failure) -> onEnd());
        }
        if (mailbox.hasEnded()) {
            onEnd();
        }
    }

    private void onEnd() {
        for (Object key : List.copyOf(atEnd.keySet())) {
            Runnable action = atEnd.remove(key);
            if (action != null) {
                runAtEnd(action);
            }
        }
    }

    /** Whoever waits for the end besides must hear of it though one cannot be told. */
    private void runAtEnd(Runnable action) {
        try {
            action.run();
        } catch (Throwable failure) {
            mailbox.report("it has stopped, and one who watched it could not be told", failure);
        }
    }

    /** How many questions are open and watches kept. */
    int awaitingEnd() {
        return atEnd.size();
    }

    @Override
    public CompletionStage<Done> whenTerminated() {
        return mailbox.whenClosed();
    }

    @Override
    public Runnable onTermination(Runnable action) {
        Object key = new Object();
        atEnd(key, action);
        return () -> atEnd.remove(key);
    }

    @Override
    public void watch(StageActorRef<?> other, T message) {
        StageActor<?> watched = (StageActor<?>) other;
        Watching watching = new Watching(watched);
        atEnd(watching, () -> watched.atEnd.remove(this));
        watched.atEnd(this, () -> {
            atEnd.remove(watching);
            tell(message);
        });
        if (!atEnd.containsKey(watching)) { // one of the two has stopped
            watched.atEnd.remove(this);
        }
    }

    @Override
    public void unwatch(StageActorRef<?> other) {
        StageActor<?> watched = (StageActor<?>) other;
        watched.atEnd.remove(this);
        atEnd.remove(new Watching(watched));
    }

    /** The key of what a watcher does at its own end: it takes back its watch of this one. */
    private record Watching(StageActor<?> watched) {}

    @Override
    public boolean isTerminated() {
        return mailbox.isClosed();
    }

    @Override
    public long droppedCount() {
        return mailbox.droppedCount();
    }
}
