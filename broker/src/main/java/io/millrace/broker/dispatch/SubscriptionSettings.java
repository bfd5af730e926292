package io.millrace.broker.dispatch;

/**
 * What a subscription is and its limits, in messages and consumers; 0 means no limit.
 *
 * @param type the type until the first consumer attaches; while no consumer is connected a new one may change it
 */
public record SubscriptionSettings(
        String name,
        SubscriptionType type,
        boolean durable,
        int maxUnackedPerConsumer,
        int maxUnackedPerSubscription,
        int maxConsumers) {
    private static final int DEFAULT_UNACKED_PER_CONSUMER = 50_000;
    private static final int DEFAULT_UNACKED_PER_SUBSCRIPTION = 200_000;

    public SubscriptionSettings {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a subscription needs a name");
        }
        if (maxUnackedPerConsumer < 0 || maxUnackedPerSubscription < 0 || maxConsumers < 0) {
            throw new IllegalArgumentException("limits of subscription " + name + " must not be negative: "
                    + maxUnackedPerConsumer + ", " + maxUnackedPerSubscription + ", " + maxConsumers);
        }
    }

    /** A durable subscription with the default limits. */
    public static SubscriptionSettings durable(String name, SubscriptionType type) {
        return new SubscriptionSettings(
                name, type, true, DEFAULT_UNACKED_PER_CONSUMER, DEFAULT_UNACKED_PER_SUBSCRIPTION, 0);
    }

    /** A subscription that ends with its last consumer, as readers use it, with the default limits. */
    public static SubscriptionSettings nonDurable(String name, SubscriptionType type) {
        return new SubscriptionSettings(
                name, type, false, DEFAULT_UNACKED_PER_CONSUMER, DEFAULT_UNACKED_PER_SUBSCRIPTION, 0);
    }

    /** The same with other limits on unacknowledged messages. */
    public SubscriptionSettings withMaxUnacked(int perConsumer, int perSubscription) {
        return new SubscriptionSettings(name, type, durable, perConsumer, perSubscription, maxConsumers);
    }

    /** The same with another limit on connected consumers. */
    public SubscriptionSettings withMaxConsumers(int limit) {
        return new SubscriptionSettings(name, type, durable, maxUnackedPerConsumer, maxUnackedPerSubscription, limit);
    }
}
