package io.millrace.broker.protocol;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.CloseReason;
import io.millrace.broker.dispatch.ConsumerLink;
import io.millrace.broker.dispatch.ConsumerOptions;
import io.millrace.broker.dispatch.DispatcherCommand;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.dispatch.SubscriptionType;
import io.millrace.broker.log.Entry;
import io.millrace.broker.topic.StartAt;
import io.millrace.broker.topic.SubscribeRequest;
import io.millrace.broker.topic.SubscriptionHandle;
import io.millrace.broker.topic.Topic;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The subscription that a producer wants to exist before it sends, as dead letter topics need it: a consumer without
 * permits joins it and leaves.
 */
final class InitialSubscription implements ConsumerLink {
    private final String subscription;

    private InitialSubscription(String subscription) {
        this.subscription = subscription;
    }

    /** Completes with the topic when it has the durable subscription; at once if the name is empty. */
    static CompletionStage<Topic> create(Topic topic, String subscription) {
        if (subscription.isEmpty()) {
            return CompletableFuture.completedFuture(topic);
        }
        InitialSubscription visitor = new InitialSubscription(subscription);
        ConsumerOptions options = ConsumerOptions.of(0, "initial-" + subscription, SubscriptionType.SHARED);
        return topic.subscribe(new SubscribeRequest(subscription, true, StartAt.EARLIEST, visitor, options))
                .handle((handle, failure) -> {
                    visitor.leave(handle, failure);
                    return topic;
                });
    }

    private void leave(@Nullable SubscriptionHandle handle, @Nullable Throwable failure) {
        if (handle != null) {
            handle.tell(new DispatcherCommand.Detach(this));
        } else if (failure != null) {
            BrokerException refusal = ErrorCodes.refusal(failure);
            // A consumer of another type is connected: the subscription is there, which is all that was asked.
            if (refusal.kind() != ErrorKind.CONSUMER_BUSY) {
                throw refusal;
            }
        }
    }

    @Override
    public void deliver(Entry entry, int redeliveryCount, long @Nullable [] ackSet) {
        entry.release();
    }

    @Override
    public void flush() {}

    @Override
    public void activeChanged(boolean active) {}

    @Override
    public void closed(CloseReason reason) {}

    @Override
    public boolean isWritable() {
        return false;
    }

    @Override
    public String describe() {
        return "initial subscription " + subscription;
    }
}
