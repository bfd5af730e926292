package io.millrace.broker.dispatch;

import io.millrace.broker.setting.NumberSetting;
import io.millrace.broker.setting.SettingValues;

/**
 * What one subscription may hold. A value out of range is an IllegalArgumentException that names key, value and range.
 *
 * @param maxUnackedPerConsumer messages sent and not acknowledged; not for Exclusive and Failover
 * @param maxRemembered for Exclusive and Failover: how many messages sent and not acknowledged are remembered one by one; beyond that, or
 *     while memory for entries is short, they are forgotten, and read again for the next consumer
 */
public record SubscriptionLimits(
        int maxConsumers, int maxUnackedPerConsumer, int maxUnackedPerSubscription, int maxRemembered) {
    private static final int MAX_REMEMBERED = 200_000;

    private static final NumberSetting MAX_CONSUMERS = new NumberSetting(
            "max-consumers-per-subscription",
            10_000,
            1,
            10_000_000,
            "Consumers of one subscription; beyond that a new one is refused.");

    private static final NumberSetting MAX_UNACKED_PER_CONSUMER = new NumberSetting(
            "max-unacked-per-consumer",
            50_000,
            1,
            16_000_000,
            "Messages delivered to one consumer and not acknowledged; at the limit its deliveries pause until half of them"
                    + " are, or it gives some back. Not on Exclusive and Failover subscriptions.");

    private static final NumberSetting MAX_UNACKED_PER_SUBSCRIPTION = new NumberSetting(
            "max-unacked-per-subscription",
            200_000,
            1,
            16_000_000,
            "Messages delivered by one subscription and not acknowledged; at the limit new ones wait until half of them are."
                    + " Not on Exclusive and Failover subscriptions.");

    /** The limits of a broker whose file sets none. */
    public static final SubscriptionLimits DEFAULTS = of(SettingValues.none());

    public SubscriptionLimits {
        MAX_CONSUMERS.require(maxConsumers);
        MAX_UNACKED_PER_CONSUMER.require(maxUnackedPerConsumer);
        MAX_UNACKED_PER_SUBSCRIPTION.require(maxUnackedPerSubscription);
    }

    /** The limits that a configuration file sets. */
    public static SubscriptionLimits of(SettingValues values) {
        return new SubscriptionLimits(
                values.integer(MAX_CONSUMERS),
                values.integer(MAX_UNACKED_PER_CONSUMER),
                values.integer(MAX_UNACKED_PER_SUBSCRIPTION),
                MAX_REMEMBERED);
    }

    /** The same with other limits on unacknowledged messages. */
    public SubscriptionLimits withMaxUnacked(int perConsumer, int perSubscription) {
        return new SubscriptionLimits(maxConsumers, perConsumer, perSubscription, maxRemembered);
    }

    /** The same that remembers so many messages of a single consumer. */
    public SubscriptionLimits withMaxRemembered(int messages) {
        return new SubscriptionLimits(maxConsumers, maxUnackedPerConsumer, maxUnackedPerSubscription, messages);
    }
}
