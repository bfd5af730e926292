package io.millrace.broker;

import io.millrace.broker.dispatch.ConsumerOptions;
import io.millrace.broker.dispatch.KeySharedOptions;
import io.millrace.broker.dispatch.SubscriptionType;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a source subscribes. Immutable.
 *
 * @param fromEarliest whether a subscription that is new begins with the first message kept, or else with the next one
 * @param priority its level, 0 being served first, on Shared and Failover subscriptions
 * @param bufferMessages how many messages it holds at most that nobody downstream has asked for
 * @param settleTimeout how long a source that is over waits for the acknowledgements of what it delivered
 */
public record SourceOptions(
        SubscriptionType type,
        boolean fromEarliest,
        String consumerName,
        int priority,
        @Nullable KeySharedOptions keyShared,
        int bufferMessages,
        Duration settleTimeout) {
    private static final int DEFAULT_BUFFER_MESSAGES = 1_000;
    private static final int MAX_BUFFER_MESSAGES = 1_000_000;

    public SourceOptions {
        if (bufferMessages < 1 || bufferMessages > MAX_BUFFER_MESSAGES) {
            throw new IllegalArgumentException(
                    "bufferMessages is " + bufferMessages + ", but must be in 1.." + MAX_BUFFER_MESSAGES);
        }
    }

    /** One of any number of consumers of that type, from the earliest message on, with room for 1 000 messages. */
    public static SourceOptions of(SubscriptionType type) {
        return new SourceOptions(type, true, "source", 0, null, DEFAULT_BUFFER_MESSAGES, Duration.ofSeconds(10));
    }

    /** The same for a subscription that, if new, begins with the next message. */
    public SourceOptions fromLatest() {
        return new SourceOptions(type, false, consumerName, priority, keyShared, bufferMessages, settleTimeout);
    }

    /** The same under another name, which matters to Failover and Key_Shared. */
    public SourceOptions withConsumerName(String name) {
        return new SourceOptions(type, fromEarliest, name, priority, keyShared, bufferMessages, settleTimeout);
    }

    public SourceOptions withPriority(int level) {
        return new SourceOptions(type, fromEarliest, consumerName, level, keyShared, bufferMessages, settleTimeout);
    }

    public SourceOptions withKeyShared(KeySharedOptions options) {
        return new SourceOptions(type, fromEarliest, consumerName, priority, options, bufferMessages, settleTimeout);
    }

    public SourceOptions withBufferMessages(int count) {
        return new SourceOptions(type, fromEarliest, consumerName, priority, keyShared, count, settleTimeout);
    }

    public SourceOptions withSettleTimeout(Duration timeout) {
        return new SourceOptions(type, fromEarliest, consumerName, priority, keyShared, bufferMessages, timeout);
    }

    ConsumerOptions consumer() {
        return new ConsumerOptions(0, consumerName, type, priority, keyShared);
    }
}
