package io.millrace.broker.dispatch;

/**
 * What a subscription is, and its limits.
 *
 * @param type the type until the first consumer attaches; while no consumer is connected a new one may change it
 * @param partition the number of the partition that it belongs to, from 0; 0 also if the topic has no partitions
 */
public record SubscriptionSettings(
        String name, SubscriptionType type, boolean durable, int partition, SubscriptionLimits limits) {
    public SubscriptionSettings {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a subscription needs a name");
        }
        if (partition < 0) {
            throw new IllegalArgumentException("a partition has a number from 0 on, not " + partition);
        }
    }

    /** A durable subscription with the default limits. */
    public static SubscriptionSettings durable(String name, SubscriptionType type) {
        return new SubscriptionSettings(name, type, true, 0, SubscriptionLimits.DEFAULTS);
    }

    /** A subscription that ends with its last consumer, as readers use it, with the default limits. */
    public static SubscriptionSettings nonDurable(String name, SubscriptionType type) {
        return new SubscriptionSettings(name, type, false, 0, SubscriptionLimits.DEFAULTS);
    }

    /** The same of a partition. */
    public SubscriptionSettings withPartition(int number) {
        return new SubscriptionSettings(name, type, durable, number, limits);
    }

    /** The same with other limits on unacknowledged messages. */
    public SubscriptionSettings withMaxUnacked(int perConsumer, int perSubscription) {
        return new SubscriptionSettings(
                name, type, durable, partition, limits.withMaxUnacked(perConsumer, perSubscription));
    }

    /** The same that remembers so many unacknowledged messages of a single consumer. */
    SubscriptionSettings withMaxRemembered(int messages) {
        return new SubscriptionSettings(name, type, durable, partition, limits.withMaxRemembered(messages));
    }
}
