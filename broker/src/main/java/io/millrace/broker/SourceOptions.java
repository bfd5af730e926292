package io.millrace.broker;

import io.millrace.broker.dispatch.ConsumerOptions;
import io.millrace.broker.dispatch.KeySharedOptions;
import io.millrace.broker.dispatch.SubscriptionType;
import java.time.Duration;
import java.util.Map;

/**
 * How a source subscribes. Immutable.
 *
 * @param consumer what it is to its subscription
 * @param fromEarliest whether a subscription that is new begins with the first message kept, or else with the next one
 * @param subscriptionProperties what is said of a subscription that is new, kept with it
 * @param bufferMessages how many messages it holds at most that nobody downstream has asked for; with 16 MiB of them it asks for no more either
 * @param settleTimeout how long a source that is over waits for the acknowledgements of what it delivered
 */
public record SourceOptions(
        ConsumerOptions consumer,
        boolean fromEarliest,
        Map<String, String> subscriptionProperties,
        int bufferMessages,
        Duration settleTimeout) {
    private static final int DEFAULT_BUFFER_MESSAGES = 1_000;
    private static final int MAX_BUFFER_MESSAGES = 1_000_000;

    public SourceOptions {
        subscriptionProperties = Map.copyOf(subscriptionProperties);
        if (bufferMessages < 1 || bufferMessages > MAX_BUFFER_MESSAGES) {
            throw new IllegalArgumentException(
                    "bufferMessages is " + bufferMessages + ", but must be in 1.." + MAX_BUFFER_MESSAGES);
        }
    }

    /** One of any number of consumers of that type, from the earliest message on, with room for 1 000 messages. */
    public static SourceOptions of(SubscriptionType type) {
        ConsumerOptions consumer = ConsumerOptions.of(0, "source", type);
        return new SourceOptions(consumer, true, Map.of(), DEFAULT_BUFFER_MESSAGES, Duration.ofSeconds(10));
    }

    /** The same for a subscription that, if new, begins with the next message. */
    public SourceOptions fromLatest() {
        return new SourceOptions(consumer, false, subscriptionProperties, bufferMessages, settleTimeout);
    }

    /** The same under another name, which matters to Failover and Key_Shared. */
    public SourceOptions withConsumerName(String name) {
        return withConsumer(consumer.withName(name));
    }

    /** The same of another level, 0 being served first, on Shared and Failover subscriptions. */
    public SourceOptions withPriority(int level) {
        return withConsumer(consumer.withPriority(level));
    }

    public SourceOptions withKeyShared(KeySharedOptions options) {
        return withConsumer(consumer.withKeyShared(options));
    }

    /** The same; a subscription that is new has these properties. */
    public SourceOptions withSubscriptionProperties(Map<String, String> properties) {
        return new SourceOptions(consumer, fromEarliest, properties, bufferMessages, settleTimeout);
    }

    public SourceOptions withBufferMessages(int count) {
        return new SourceOptions(consumer, fromEarliest, subscriptionProperties, count, settleTimeout);
    }

    public SourceOptions withSettleTimeout(Duration timeout) {
        return new SourceOptions(consumer, fromEarliest, subscriptionProperties, bufferMessages, timeout);
    }

    private SourceOptions withConsumer(ConsumerOptions options) {
        return new SourceOptions(options, fromEarliest, subscriptionProperties, bufferMessages, settleTimeout);
    }
}
