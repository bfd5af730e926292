package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import java.util.concurrent.CompletableFuture;

/** A consumer on its way into a subscription. Owned by the topic's control stage. */
final class Joining {
    private static final int MAX_ATTEMPTS = 3;

    final SubscribeRequest request;
    final TopicRules rules;
    final CompletableFuture<SubscriptionHandle> reply;
    private int attempts;

    Joining(SubscribeRequest request, TopicRules rules, CompletableFuture<SubscriptionHandle> reply) {
        this.request = request;
        this.rules = rules;
        this.reply = reply;
    }

    /** Counts one more attempt; false if the dispatcher ended too often while this consumer was joining. */
    boolean tryAgain() {
        attempts++;
        return attempts <= MAX_ATTEMPTS;
    }

    void fail(BrokerException failure) {
        reply.completeExceptionally(failure);
    }
}
