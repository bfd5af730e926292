package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ConsumerLink;
import io.millrace.broker.dispatch.ConsumerOptions;
import io.millrace.broker.dispatch.ErrorKind;

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

    /** Refuses what is no name of a subscription. */
    static void requireName(String name) {
        if (name.isBlank()) {
            throw new BrokerException(ErrorKind.NOT_ALLOWED, "a subscription needs a name");
        }
        if (name.length() > MAX_NAME_CHARS) {
            throw new BrokerException(
                    ErrorKind.NOT_ALLOWED, "the name of a subscription has at most " + MAX_NAME_CHARS + " characters");
        }
    }
}
