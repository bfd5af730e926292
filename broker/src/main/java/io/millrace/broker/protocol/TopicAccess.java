package io.millrace.broker.protocol;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.topic.StartAt;
import io.millrace.broker.topic.Topic;
import io.millrace.broker.topic.TopicName;
import io.millrace.broker.topic.Topics;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Opens topics for clients that may or may not create them, or that need a subscription in them. */
final class TopicAccess {
    private TopicAccess() {}

    /** The topic; fails with TOPIC_NOT_FOUND if there is none and it may not be created. */
    static CompletionStage<Topic> open(Topics topics, TopicName name, boolean create) {
        return create ? topics.open(name) : requireExisting(topics, name).thenCompose(topics::open);
    }

    /**
     * The topic, once it has the durable subscription that a producer requires before it sends, as for dead letter
     * topics; without a subscription if the name is empty.
     */
    static CompletionStage<Topic> withSubscription(Topic topic, String subscription) {
        return subscription.isEmpty()
                ? CompletableFuture.completedFuture(topic)
                : topic.createSubscription(subscription, StartAt.EARLIEST).thenApply(done -> topic);
    }

    /** The name, if there is such a topic; fails with TOPIC_NOT_FOUND otherwise. */
    static CompletionStage<TopicName> requireExisting(Topics topics, TopicName name) {
        return topics.exists(name).thenApply(exists -> {
            if (!exists) {
                throw new BrokerException(ErrorKind.TOPIC_NOT_FOUND, "there is no topic " + name.full());
            }
            return name;
        });
    }
}
