package io.millrace.broker.topic;

/** How many producers, subscriptions and consumers one topic takes, and how many unacknowledged entries. */
public record TopicLimits(
        int maxProducers,
        int maxSubscriptions,
        int maxConsumersPerSubscription,
        int maxUnackedPerConsumer,
        int maxUnackedPerSubscription) {

    /** Generous limits. */
    public static final TopicLimits DEFAULTS = new TopicLimits(10_000, 10_000, 10_000, 50_000, 200_000);
}
