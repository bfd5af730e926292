package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.inspect.KeptAnswer;
import io.millrace.streams.failure.StageStoppedException;
import io.millrace.streams.stage.AsyncCallback;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The way into a topic's control stage; thread-safe. */
final class TopicMailbox {
    private final TopicName topic;
    private final TopicHome home;
    private final KeptAnswer<TopicFigures> figures;
    private final AsyncCallback<TopicCommand> callback;

    TopicMailbox(
            TopicName topic, TopicHome home, KeptAnswer<TopicFigures> figures, AsyncCallback<TopicCommand> callback) {
        this.topic = topic;
        this.home = home;
        this.figures = figures;
        this.callback = callback;
    }

    void tell(TopicCommand command) {
        callback.invoke(command);
        figures.drop();
    }

    /**
     * Sends a command that carries a reply. If the stage has stopped before it sees the command, a request is asked again
     * of the topic that the directory opens then; the reply to anything else fails.
     */
    <R> CompletionStage<R> ask(Function<CompletableFuture<R>, TopicCommand> command) {
        CompletableFuture<R> reply = new CompletableFuture<>();
        tell(command.apply(reply), reply);
        return reply;
    }

    /** The same with a reply that exists already. */
    void tell(TopicCommand command, CompletableFuture<?> reply) {
        send(command, reply);
        figures.drop();
    }

    /** The topic's figures: those that are kept, or else what it says when it has acted on everything before. */
    CompletionStage<TopicFigures> figures() {
        TopicFigures kept = figures.get(System.nanoTime());
        return kept == null ? askFigures() : CompletableFuture.completedFuture(kept);
    }

    /** What it says of itself when it has acted on everything that it was told before. */
    CompletionStage<TopicFigures> askFigures() {
        KeptAnswer.Question question = figures.ask();
        CompletableFuture<TopicFigures> reply = new CompletableFuture<>();
        send(new TopicCommand.Figures(reply), reply);
        return reply.thenApply(answer -> {
            if (answer.isAtRest()) {
                figures.keep(question, answer, System.nanoTime());
            }
            return answer;
        });
    }

    /** Something happens to the topic that its figures may tell. */
    void changing() {
        figures.drop();
    }

    /** The topic ends; another may answer questions in its place, whose figures are not kept here. */
    void end() {
        figures.end();
    }

    private void send(TopicCommand command, CompletableFuture<?> reply) {
        callback.invokeWithFeedback(command).whenComplete((done, failure) -> {
            if (failure != null) {
                missed(command instanceof TopicCommand.Request request ? request : null, failure, reply);
            }
        });
    }

    private void missed(TopicCommand.@Nullable Request request, Throwable failure, CompletableFuture<?> reply) {
        if (failure instanceof StageStoppedException && request != null) {
            home.again(topic, request);
        } else {
            reply.completeExceptionally(closed(topic));
        }
    }

    /** Sends the outcome of a future when it is done. */
    <T> void tellWhenDone(
            CompletionStage<T> future, BiFunction<@Nullable T, @Nullable Throwable, TopicCommand> command) {
        future.whenComplete((value, failure) -> tell(command.apply(value, failure)));
    }

    /** The same for a request that waits for it, if there is one: it is asked again if the stage has stopped by then. */
    <T> void tellWhenDone(
            CompletionStage<T> future,
            TopicCommand.@Nullable Request waiting,
            Function<@Nullable T, TopicCommand> command) {
        future.whenComplete((value, unused) -> {
            callback.invokeWithFeedback(command.apply(value)).whenComplete((done, failure) -> {
                if (failure != null && waiting != null) {
                    missed(waiting, failure, waiting.reply());
                }
            });
            figures.drop();
        });
    }

    static BrokerException closed(TopicName topic) {
        return new BrokerException(ErrorKind.SERVICE_NOT_READY, "topic " + topic + " is closing: look it up again");
    }
}
