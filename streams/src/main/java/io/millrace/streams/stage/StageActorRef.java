package io.millrace.streams.stage;

import io.millrace.streams.engine.Mailbox;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.StageStoppedException;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.schedule.Durations;
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
 * The address of a running stage: any thread may send it messages. It may be kept longer than the stage lives.
 *
 * <p><b>Threads</b>: any.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code atEnd}: what is to be done once the stage has stopped; whoever removes an entry does it or forgets
 * it. An entry is added before it is looked whether the stage has stopped, and those there are taken once it has.
 * {@code listening}: set once, by compare-and-set.<br>
 * <b>Proved by</b>: StageActorProtocolTest.
 */
public final class StageActorRef<T> {
    private final Mailbox<T> channel;
    private final Map<Object, Runnable> atEnd = new ConcurrentHashMap<>(2);
    private final AtomicBoolean listening = new AtomicBoolean();

    StageActorRef(Mailbox<T> channel) {
        this.channel = channel;
    }

    Mailbox<T> channel() {
        return channel;
    }

    /**
     * Sends a message; blocks only where the mailbox has a limit that says so. Messages of one sender keep their order;
     * those sent before the stage has started wait for it; those that come after it has stopped are dropped and counted.
     *
     * @throws io.millrace.streams.graph.BufferOverflowException when the mailbox is full and its limit says so
     */
    public void tell(T message) {
        channel.send(message);
    }

    /** As {@link #tell(Object)}; the handler finds the sender by {@link #sender}. */
    public void tell(T message, StageActorRef<?> from) {
        channel.send(message, from);
    }

    /** Who sent the message that this stage is handling now, if it said so; to be called in the handler. */
    @SuppressWarnings("unchecked")
    public <R> Optional<StageActorRef<R>> sender() {
        return Optional.ofNullable((StageActorRef<R>) channel.sender());
    }

    /**
     * Sends a message that bears where to reply to, and hands back the reply. Fails with a
     * {@link StageStoppedException} if the stage stops without a reply, and with a
     * {@link java.util.concurrent.TimeoutException} if there is none in time. Throws what the function throws, and what
     * {@link #tell(Object)} does.
     */
    public <R> CompletionStage<R> ask(Function<? super ReplyTo<R>, ? extends T> message, Duration timeout) {
        CompletableFuture<R> reply = expectReply();
        try {
            channel.send(message.apply((ReplyTo<R>) reply::complete));
        } catch (Throwable failure) {
            reply.completeExceptionally(failure);
            throw failure;
        }
        return reply.orTimeout(Durations.nanos(timeout), TimeUnit.NANOSECONDS);
    }

    /**
     * As {@link #ask(Function, Duration)} without a limit in time, for those with a clock of their own: whoever completes
     * the future takes the question back. Throws what the function throws.
     */
    public <R> CompletableFuture<R> ask(ThrowingFunction<? super ReplyTo<R>, ? extends T> message) throws Exception {
        CompletableFuture<R> reply = expectReply();
        try {
            channel.send(message.apply((ReplyTo<R>) reply::complete));
        } catch (Exception failure) {
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
            channel.whenClosed().whenComplete((done, failure) -> onEnd());
        }
        if (channel.isClosed()) {
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
            channel.report("it has stopped, and one who watched it could not be told", failure);
        }
    }

    /** How many questions are open and watches kept. */
    int awaitingEnd() {
        return atEnd.size();
    }

    /** Where the answer to one question goes; only the first reply counts. Any thread may reply. */
    @FunctionalInterface
    public interface ReplyTo<R> {
        void tell(R reply);
    }

    /** Completes once the stage has stopped, for whatever reason. */
    public CompletionStage<Done> whenTerminated() {
        return channel.whenClosed();
    }

    /**
     * Runs the action once the stage has stopped, at once if it has already, on the thread that finds it so. What is handed
     * back takes the action back, which is then kept no longer: for who comes and goes while the stage lives on.
     */
    public Runnable onTermination(Runnable action) {
        Object key = new Object();
        atEnd(key, action);
        return () -> atEnd.remove(key);
    }

    /**
     * Sends this stage the message once the other stage has stopped, also if it has already; replaces an earlier watch. When
     * that cannot be sent, as where the mailbox of this stage is full, the failure reporter is told.
     */
    public void watch(StageActorRef<?> other, T message) {
        other.atEnd(this, () -> tell(message));
    }

    /** Ends the watch of the other stage; where that stops at the same time, the message may still come after this. */
    public void unwatch(StageActorRef<?> other) {
        other.atEnd.remove(this);
    }

    public boolean isTerminated() {
        return channel.isClosed();
    }

    /** How many messages were dropped: because the stage had stopped, or because its mailbox was full. */
    public long droppedCount() {
        return channel.droppedCount();
    }
}
