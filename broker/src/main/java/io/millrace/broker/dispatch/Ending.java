package io.millrace.broker.dispatch;

import io.millrace.broker.dispatch.DispatcherCommand.Unsubscribe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** How a dispatcher ends: on request, by unsubscribing, or, when not durable, with its last consumer. */
final class Ending {
    /** How long a subscription that is not durable waits for its consumers to come back after a seek. */
    private static final Duration SEEK_GRACE = Duration.ofSeconds(60);

    private final SubscriptionDispatcher subscription;
    private final DispatcherContext context;
    private final List<CompletableFuture<Void>> replies = new ArrayList<>();
    private final Runnable graceOver = this::graceOver;
    private boolean ending;
    private boolean awaitingReturn;

    Ending(SubscriptionDispatcher subscription, DispatcherContext context) {
        this.subscription = subscription;
        this.context = context;
    }

    /** Whether it is ending: nothing new is accepted. */
    boolean isEnding() {
        return ending;
    }

    void close(CompletableFuture<Void> reply) {
        begin(CloseReason.TOPIC_CLOSED, null, reply);
    }

    void unsubscribe(Unsubscribe request) {
        ConsumerLink asking = request.link();
        Consumer own = asking == null ? null : subscription.consumers.find(asking);
        int others = subscription.consumers.count() - (own == null ? 0 : 1);
        if (others > 0 && !request.force()) {
            request.reply().completeExceptionally(othersAreConnected(subscription.settings.name(), others));
            return;
        }
        begin(CloseReason.UNSUBSCRIBED, asking, request.reply());
    }

    /** Ends a subscription that is not durable, if no consumer is attached and none is expected back. */
    void endIfAbandoned() {
        if (!subscription.consumers.isEmpty()) {
            awaitingReturn = false;
        } else if (!ending && !awaitingReturn && !subscription.settings.durable()) {
            ending = true;
            subscription.dropAll();
            finishIfSettled();
        }
    }

    /** The refusal of an unsubscribe that is not forced. */
    static BrokerException othersAreConnected(String name, int others) {
        return new BrokerException(
                ErrorKind.CONSUMER_BUSY,
                "Unsubscribe refused: subscription " + name + " has " + others + " other connected consumers");
    }

    /** After a seek a subscription that is not durable stays for a while, so that its consumers find it again. */
    void afterSeek() {
        awaitingReturn = true;
        context.later(graceOver, SEEK_GRACE); // once more if there was a seek a while ago
    }

    private void graceOver() {
        awaitingReturn = false;
        endIfAbandoned();
    }

    /** Ends the stage if it is ending and no receipt waits for durability. */
    void finishIfSettled() {
        if (ending && subscription.writer.isSettled()) {
            replies.forEach(reply -> reply.complete(null));
            replies.clear();
            context.end();
        }
    }

    /** The stage has stopped, in order or by a failure: closes consumers and fails requests that are left. */
    void abandon() {
        closeConsumers(CloseReason.FAILED, null);
        subscription.writer.abandon();
        replies.forEach(reply -> reply.completeExceptionally(
                new BrokerException(ErrorKind.SERVICE_NOT_READY, "the subscription failed while it was closing")));
    }

    private void begin(CloseReason reason, @Nullable ConsumerLink notTold, CompletableFuture<Void> reply) {
        replies.add(reply);
        ending = true;
        closeConsumers(reason, notTold);
        subscription.writer.flush();
        finishIfSettled();
    }

    private void closeConsumers(CloseReason reason, @Nullable ConsumerLink notTold) {
        List<Consumer> closed = subscription.consumers.all();
        subscription.dropAll();
        for (Consumer consumer : closed) {
            if (consumer.link != notTold) {
                consumer.link.closed(reason);
            }
        }
    }
}
