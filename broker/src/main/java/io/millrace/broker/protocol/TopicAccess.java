package io.millrace.broker.protocol;

import io.millrace.broker.topic.Topic;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Makes topics ready for clients that need a subscription in them. */
final class TopicAccess {
    private TopicAccess() {}

    /**
     * The topic, once it has the durable subscription that a producer requires before it sends, as for dead letter
     * topics; without a subscription if the name is empty, or the topic stores nothing.
     */
    static CompletionStage<Topic> withSubscription(Topic topic, String subscription) {
        return subscription.isEmpty() || !topic.name().isPersistent()
                ? CompletableFuture.completedFuture(topic)
                : topic.createSubscriptionForProducer(subscription).thenApply(done -> topic);
    }
}
