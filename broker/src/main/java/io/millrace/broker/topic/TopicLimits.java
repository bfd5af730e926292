package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.dispatch.SubscriptionLimits;
import io.millrace.broker.setting.NumberSetting;
import io.millrace.broker.setting.SettingValues;
import java.time.Duration;

/**
 * How many producers and subscriptions one topic takes, and what each subscription may hold. A value out of range is an
 * IllegalArgumentException that names key, value and range.
 *
 * @param maxMessageBytes the largest message that clients send, without its metadata; policies that allow more say nothing
 */
public record TopicLimits(
        int maxProducers,
        int maxSubscriptions,
        int maxMessageBytes,
        SubscriptionLimits subscription,
        InMemory inMemory) {
    /**
     * Which topics keep their place in memory.
     *
     * @param unloadIdleAfter how long one without producers and consumers does, and a durable subscription without
     *     consumers keeps its dispatcher
     * @param maxOpenTopics how many topics may have one, of all; idle ones make room for others before that
     */
    public record InMemory(Duration unloadIdleAfter, int maxOpenTopics) {}

    private static final NumberSetting MAX_PRODUCERS = new NumberSetting(
            "max-producers-per-topic",
            10_000,
            1,
            10_000_000,
            "Producers of one topic, and as many that wait for it; beyond that a new one is refused.");

    private static final NumberSetting MAX_SUBSCRIPTIONS = new NumberSetting(
            "max-subscriptions-per-topic",
            10_000,
            1,
            10_000_000,
            "Subscriptions of one topic; beyond that a new one is refused.");

    private static final Duration UNLOAD_IDLE_AFTER = Duration.ofSeconds(60);

    /** Producers, append, tail and control of one topic, and a subscription, measured and rounded up. */
    private static final long OPEN_TOPIC_BYTES = 20 << 10;

    private static final int HEAP_PART = 3;

    /** The limits of a broker whose file sets none. */
    public static final TopicLimits DEFAULTS = of(SettingValues.none());

    public TopicLimits {
        MAX_PRODUCERS.require(maxProducers);
        MAX_SUBSCRIPTIONS.require(maxSubscriptions);
    }

    /** How long an idle topic keeps its place in memory. */
    public Duration unloadIdleAfter() {
        return inMemory.unloadIdleAfter;
    }

    /** How many topics may be open. */
    public int maxOpenTopics() {
        return inMemory.maxOpenTopics;
    }

    /** After how long the empty topics of earlier runs are deleted that nobody has used by then: a minute at most. */
    Duration deleteEmptyAfter() {
        return unloadIdleAfter().compareTo(UNLOAD_IDLE_AFTER) < 0 ? unloadIdleAfter() : UNLOAD_IDLE_AFTER;
    }

    /** The limits that a configuration file sets. */
    public static TopicLimits of(SettingValues values) {
        return new TopicLimits(
                values.integer(MAX_PRODUCERS),
                values.integer(MAX_SUBSCRIPTIONS),
                Integer.MAX_VALUE,
                SubscriptionLimits.of(values),
                new InMemory(UNLOAD_IDLE_AFTER, maxOpenTopicsOfHeap()));
    }

    /** The same with other limits on each subscription. */
    public TopicLimits withSubscription(SubscriptionLimits limits) {
        return new TopicLimits(maxProducers, maxSubscriptions, maxMessageBytes, limits, inMemory);
    }

    /** The same for clients that send messages of so many bytes at most. */
    public TopicLimits withMaxMessageBytes(int bytes) {
        return new TopicLimits(maxProducers, maxSubscriptions, bytes, subscription, inMemory);
    }

    private TopicLimits withInMemory(Duration unloadIdleAfter, int maxOpenTopics) {
        return new TopicLimits(
                maxProducers,
                maxSubscriptions,
                maxMessageBytes,
                subscription,
                new InMemory(unloadIdleAfter, maxOpenTopics));
    }

    /** The same with another time after which an idle topic is unloaded. */
    public TopicLimits withUnloadIdleAfter(Duration time) {
        return withInMemory(time, maxOpenTopics());
    }

    /** The same with room for so many topics. */
    public TopicLimits withMaxOpenTopics(int topics) {
        return withInMemory(unloadIdleAfter(), topics);
    }

    /** Refuses one more subscription of a topic that has as many as it may, whether they are used or not. */
    void requireSubscription(TopicName topic, String name, int others) {
        if (others >= maxSubscriptions) {
            throw new BrokerException(
                    ErrorKind.CONSUMER_BUSY,
                    "topic " + topic + " has no room for subscription " + name
                            + ": it takes max-subscriptions-per-topic=" + maxSubscriptions);
        }
    }

    private static int maxOpenTopicsOfHeap() {
        return (int) Math.min(Integer.MAX_VALUE, Runtime.getRuntime().maxMemory() / HEAP_PART / OPEN_TOPIC_BYTES);
    }
}
