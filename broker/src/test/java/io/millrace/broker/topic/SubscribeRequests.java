package io.millrace.broker.topic;

import io.millrace.broker.dispatch.ConsumerLink;
import io.millrace.broker.dispatch.ConsumerOptions;

/** Requests of consumers that say nothing of their subscription but where it begins. */
public final class SubscribeRequests {
    private SubscribeRequests() {}

    /** Of a subscription that is kept or goes with its last consumer. */
    static SubscribeRequest of(
            String subscription, boolean durable, StartAt start, ConsumerLink link, ConsumerOptions consumer) {
        return new SubscribeRequest(subscription, durable, NewSubscription.at(start), link, consumer);
    }

    /** Of a subscription that is kept. */
    public static SubscribeRequest durable(
            String subscription, StartAt start, ConsumerLink link, ConsumerOptions consumer) {
        return of(subscription, true, start, link, consumer);
    }
}
