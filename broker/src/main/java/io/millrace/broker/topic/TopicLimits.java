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
 * @param unloadIdleAfter how long a topic without producers and consumers keeps its place in memory, and a durable
 *     subscription without consumers its dispatcher
 * @param maxOpenTopics how many topics may have one, of all; idle ones make room for others before that
 */
public record TopicLimits(
        int maxProducers,
        int maxSubscriptions,
        SubscriptionLimits subscription,
        Duration unloadIdleAfter,
        int maxOpenTopics) {
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

    /** After how long the empty topics of earlier runs are deleted that nobody has used by then: a minute at most. */
    Duration deleteEmptyAfter() {
        return unloadIdleAfter.compareTo(UNLOAD_IDLE_AFTER) < 0 ? unloadIdleAfter : UNLOAD_IDLE_AFTER;
    }

    /** The limits that a configuration file sets. */
    public static TopicLimits of(SettingValues values) {
        return new TopicLimits(
                values.integer(MAX_PRODUCERS),
                values.integer(MAX_SUBSCRIPTIONS),
                SubscriptionLimits.of(values),
                UNLOAD_IDLE_AFTER,
                maxOpenTopicsOfHeap());
    }

    /** The same with other limits on each subscription. */
    public TopicLimits withSubscription(SubscriptionLimits limits) {
        return new TopicLimits(maxProducers, maxSubscriptions, limits, unloadIdleAfter, maxOpenTopics);
    }

    /** The same with another time after which an idle topic is unloaded. */
    public TopicLimits withUnloadIdleAfter(Duration time) {
        return new TopicLimits(maxProducers, maxSubscriptions, subscription, time, maxOpenTopics);
    }

    /** The same with room for so many topics. */
    public TopicLimits withMaxOpenTopics(int topics) {
        return new TopicLimits(maxProducers, maxSubscriptions, subscription, unloadIdleAfter, topics);
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
