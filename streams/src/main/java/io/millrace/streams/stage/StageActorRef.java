package io.millrace.streams.stage;

import io.millrace.streams.failure.StageStoppedException;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.ThrowingFunction;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The address of a running stage: any thread may send it messages. It may be kept longer than the stage lives. A stage that is
 * stuck in a call when its runtime is closed counts as stopped for questions and watches, though {@link #isTerminated} says when
 * it has.
 */
public interface StageActorRef<T> {
    /** Where the answer to one question goes; only the first reply counts. Any thread may reply. */
    @FunctionalInterface
    interface ReplyTo<R> {
        void tell(R reply);
    }

    /**
     * Sends a message; blocks only where the mailbox has a limit that says so. Messages of one sender keep their order;
     * those sent before the stage has started wait for it; those that come after it has stopped are dropped and counted.
     *
     * @throws io.millrace.streams.failure.BufferOverflowException when the mailbox is full and its limit says so
     */
    void tell(T message);

    /** As {@link #tell(Object)}; the handler finds the sender by {@link #sender}. */
    void tell(T message, StageActorRef<?> from);

    /** Who sent the message that this stage is handling now, if it said so; to be called in the handler. */
    <R> Optional<StageActorRef<R>> sender();

    /**
     * Sends a message that bears where to reply to, and returns the reply. Fails with a
     * {@link StageStoppedException} if the stage stops without a reply, and with a
     * {@link java.util.concurrent.TimeoutException} if there is none in time. Throws what the function throws, and what
     * {@link #tell(Object)} does.
     */
    <R> CompletionStage<R> ask(Function<? super ReplyTo<R>, ? extends T> message, Duration timeout);

    /**
     * As {@link #ask(Function, Duration)} without a limit in time, for those with a clock of their own: whoever completes
     * the future takes the question back. Throws what the function throws.
     */
    <R> CompletableFuture<R> ask(ThrowingFunction<? super ReplyTo<R>, ? extends T> message) throws Exception;

    /**
     * Completes once the stage has stopped, for whatever reason; fails with an
     * {@link io.millrace.streams.failure.AbruptTerminationException} if it was stuck when its runtime was closed.
     */
    CompletionStage<Done> whenTerminated();

    /**
     * Runs the action once the stage has stopped, at once if it has already, on the thread that finds it so. What is returned
     * takes the action back, which is then kept no longer: for users of a stage that outlives them.
     */
    Runnable onTermination(Runnable action);

    /**
     * Sends this stage the message once the other stage has stopped, also if it has already; replaces an earlier watch. When
     * that cannot be sent, as where the mailbox of this stage is full, the failure reporter is told.
     */
    void watch(StageActorRef<?> other, T message);

    /** Ends the watch of the other stage; where that stops at the same time, the message may still come after this. */
    void unwatch(StageActorRef<?> other);

    boolean isTerminated();

    /** How many messages were dropped: because the stage had stopped, or because its mailbox was full. */
    long droppedCount();
}
