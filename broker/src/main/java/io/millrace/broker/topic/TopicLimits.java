package io.millrace.broker.topic;

import java.time.Duration;

/**
 * How many producers, subscriptions and consumers one topic takes, and how many unacknowledged entries.
 *
 * @param unloadIdleAfter how long a topic without producers and consumers keeps its place in memory
 * @param maxOpenTopics how many topics may have one, of all; idle ones make room for others before that
 */
public record TopicLimits(
        int maxProducers,
        int maxSubscriptions,
        int maxConsumersPerSubscription,
        int maxUnackedPerConsumer,
        int maxUnackedPerSubscription,
        Duration unloadIdleAfter,
        int maxOpenTopics) {

    /** Producers, append, tail and control of one topic, and a subscription, measured and rounded up. */
    private static final long OPEN_TOPIC_BYTES = 20 << 10;

    private static final int HEAP_PART = 3;

    /** Generous limits. */
    public static final TopicLimits DEFAULTS =
            new TopicLimits(10_000, 10_000, 10_000, 50_000, 200_000, Duration.ofSeconds(60), maxOpenTopicsOfHeap());

    /** The same with another time after which an idle topic is unloaded. */
    public TopicLimits withUnloadIdleAfter(Duration time) {
        return new TopicLimits(
                maxProducers,
                maxSubscriptions,
                maxConsumersPerSubscription,
                maxUnackedPerConsumer,
                maxUnackedPerSubscription,
                time,
                maxOpenTopics);
    }

    /** The same with room for so many topics. */
    public TopicLimits withMaxOpenTopics(int topics) {
        return new TopicLimits(
                maxProducers,
                maxSubscriptions,
                maxConsumersPerSubscription,
                maxUnackedPerConsumer,
                maxUnackedPerSubscription,
                unloadIdleAfter,
                topics);
    }

    private static int maxOpenTopicsOfHeap() {
        return (int) Math.min(Integer.MAX_VALUE, Runtime.getRuntime().maxMemory() / HEAP_PART / OPEN_TOPIC_BYTES);
    }
}
