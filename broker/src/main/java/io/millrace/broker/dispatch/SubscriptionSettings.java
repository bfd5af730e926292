package io.millrace.broker.dispatch;

/**
 * What a subscription is, and its limits.
 *
 * @param type the type until the first consumer attaches; while no consumer is connected a new one may change it
 */
public record SubscriptionSettings(String name, SubscriptionType type, boolean durable, SubscriptionLimits limits) {
    public SubscriptionSettings {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a subscription needs a name");
        }
    }

    /** A durable subscription with the default limits. */
    public static SubscriptionSettings durable(String name, SubscriptionType type) {
        return new SubscriptionSettings(name, type, true, SubscriptionLimits.DEFAULTS);
    }

    /** A subscription that ends with its last consumer, as readers use it, with the default limits. */
    public static SubscriptionSettings nonDurable(String name, SubscriptionType type) {
        return new SubscriptionSettings(name, type, false, SubscriptionLimits.DEFAULTS);
    }

    /** The same with other limits on unacknowledged messages. */
    public SubscriptionSettings withMaxUnacked(int perConsumer, int perSubscription) {
        return new SubscriptionSettings(name, type, durable, limits.withMaxUnacked(perConsumer, perSubscription));
    }
}
