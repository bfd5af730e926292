package io.millrace.broker.topic;

import io.millrace.broker.dispatch.ConsumerLink;
import io.millrace.broker.dispatch.ConsumerOptions;

/**
 * A consumer that wants to join a subscription, which is created if there is none of that name.
 *
 * @param durable whether the subscription is kept when its last consumer leaves, and over restarts
 * @param ifNew how a new subscription begins; an existing one goes on where it was, with the properties that it has
 */
public record SubscribeRequest(
        String subscription, boolean durable, NewSubscription ifNew, ConsumerLink link, ConsumerOptions consumer) {
    /** The longest name of a subscription. */
    public static final int MAX_NAME_CHARS = 1_024;

    /** The same; a new subscription has no properties. */
    public SubscribeRequest(
            String subscription, boolean durable, StartAt start, ConsumerLink link, ConsumerOptions consumer) {
        this(subscription, durable, NewSubscription.at(start), link, consumer);
    }
}
