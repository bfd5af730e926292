package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.DispatcherCommand;
import io.millrace.broker.dispatch.Dispatchers;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.dispatch.SeekTarget;
import io.millrace.broker.dispatch.SkipTarget;
import io.millrace.broker.log.Position;
import io.millrace.broker.log.TopicLog;
import io.millrace.streams.stage.StageActorRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What is asked of the subscriptions of a topic by others than their consumers. Used by the topic's control stage. */
record SubscriptionQuestions(TopicKeeping keeping, Subscriptions subscriptions) {
    /** Puts a question to the dispatcher of that one, which is null if there is only a cursor, and is opened for it then. */
    void ask(TopicCommand.AskSubscription asked, @Nullable SubscriptionSlot subscription) {
        String name = asked.subscription();
        if (subscription == null ? !keeping.has(name) : subscription.isEnding()) {
            asked.reply().completeExceptionally(SubscriptionSlot.notFound(name));
        } else if (subscription != null && subscription.state == SubscriptionSlot.State.RUNNING) {
            put(asked, subscription);
        } else if (subscription != null && !subscription.durable) {
            asked.reply().completeExceptionally(opening(name));
        } else {
            onceOpen(name, asked.reply(), () -> subscriptions.ask(asked));
        }
    }

    private void put(TopicCommand.AskSubscription asked, SubscriptionSlot subscription) {
        StageActorRef<DispatcherCommand> dispatcher = subscription.dispatcher;
        if (dispatcher == null) {
            asked.reply().completeExceptionally(opening(subscription.name));
            return;
        }
        Runnable stopWatching =
                dispatcher.onTermination(() -> asked.reply().completeExceptionally(opening(subscription.name)));
        var unused = asked.reply().whenComplete((done, failure) -> stopWatching.run());
        dispatcher.tell(asked.question().apply(asked.reply()));
    }

    static BrokerException opening(String name) {
        return new BrokerException(ErrorKind.SERVICE_NOT_READY, "subscription " + name + " opens or ends: try again");
    }

    /** Goes on as soon as the subscription has a dispatcher, before that could be closed; or fails the reply. */
    void onceOpen(String name, CompletableFuture<?> reply, Runnable next) {
        CompletableFuture<Void> opened = new CompletableFuture<>();
        subscriptions.create(TopicCommand.CreateSubscription.ofOneThatIsThere(name, opened));
        var unused = opened.whenComplete((done, failure) -> {
            if (failure != null) {
                reply.completeExceptionally(failure);
            } else {
                next.run();
            }
        });
    }

    /** Moves that one, which is null if there is only a cursor; that is moved in the log to the beginning of an entry. */
    void seek(TopicCommand.SeekSubscription wanted, @Nullable SubscriptionSlot subscription) {
        String name = wanted.subscription();
        TopicLog log = keeping.log();
        boolean isCursor = subscription == null && keeping.has(name);
        if (isCursor
                && log != null
                && wanted.target() instanceof SeekTarget.ToPosition place
                && place.ackSet() == null) {
            var unused = LogRefusal.caught(() -> log.resetCursor(name, Dispatchers.startingAt(log, place.position())))
                    .whenComplete((done, failure) -> answer(wanted.reply(), failure, "subscription " + name));
        } else {
            CompletableFuture<Void> reply = wanted.reply();
            ask(
                    new TopicCommand.AskSubscription(
                            name, asked -> new DispatcherCommand.Seek(wanted.target(), reply), reply),
                    subscription);
        }
    }

    private static void answer(CompletableFuture<Void> reply, @Nullable Throwable failure, String what) {
        if (failure == null) {
            reply.complete(null);
        } else {
            reply.completeExceptionally(LogRefusal.of(what, failure));
        }
    }

    /** Acknowledges what is up to a position on each; one that {@code open} does not have is moved in the log. */
    void pass(TopicCommand.Pass wanted, Map<String, SubscriptionSlot> open) {
        List<CompletableFuture<?>> each = new ArrayList<>();
        Map<String, Position> inLog = new HashMap<>();
        wanted.last().forEach((name, last) -> {
            SubscriptionSlot subscription = open.get(name);
            if (subscription == null) {
                inLog.put(name, last);
            } else {
                SkipTarget target = wanted.isExpiry() ? new SkipTarget.Expired(last) : new SkipTarget.UpTo(last);
                each.add(skip(subscription, target).exceptionally(SubscriptionQuestions::unlessGone));
            }
        });
        TopicLog log = keeping.log();
        if (log != null && !inLog.isEmpty()) {
            each.add(LogRefusal.caught(() -> log.passCursors(inLog)).toCompletableFuture());
        }
        var unused = CompletableFuture.allOf(each.toArray(CompletableFuture[]::new))
                .whenComplete(
                        (done, failure) -> answer(wanted.reply(), failure, "messages that are to be acknowledged"));
    }

    private static @Nullable Void unlessGone(Throwable failure) {
        BrokerException refusal = LogRefusal.of("the subscription", failure);
        if (refusal.kind() == ErrorKind.SUBSCRIPTION_NOT_FOUND) {
            return null;
        }
        throw refusal;
    }

    private CompletableFuture<Void> skip(SubscriptionSlot subscription, SkipTarget target) {
        CompletableFuture<Void> reply = new CompletableFuture<>();
        ask(
                new TopicCommand.AskSubscription(
                        subscription.name, asked -> new DispatcherCommand.Skip(target, reply), reply),
                subscription);
        return reply;
    }
}
