package io.millrace.broker;

import io.millrace.broker.memory.DirectMemory;

/**
 * What one client may ask of the broker: counts, and bytes where the name says so. A value out of range is an
 * IllegalArgumentException that names key, value and range. Immutable.
 */
public record BrokerLimits(
        int maxMessageBytes,
        int maxPendingPublishesPerConnection,
        long maxPendingPublishBytesPerConnection,
        long maxPendingPublishBytes,
        int maxUnansweredCommands,
        int maxHandlesPerConnection,
        int maxProducersPerTopic,
        int maxSubscriptionsPerTopic,
        int maxConsumersPerSubscription,
        int maxUnackedPerConsumer,
        int maxUnackedPerSubscription) {

    /** The limits of a broker whose file sets none; publishes have a quarter of the memory outside the heap at most. */
    public static final BrokerLimits DEFAULTS = new BrokerLimits(
            5 * 1024 * 1024,
            1_000,
            16L * 1024 * 1024,
            DirectMemory.part(4, 1024 * 1024, 64L * 1024 * 1024),
            10_000,
            10_000,
            10_000,
            10_000,
            10_000,
            50_000,
            200_000);

    public BrokerLimits {
        ConfigRange.require("max-message-bytes", maxMessageBytes, 1_024, 256 * 1024 * 1024);
        ConfigRange.require("max-pending-publishes-per-connection", maxPendingPublishesPerConnection, 1, 1_000_000);
        ConfigRange.require(
                "max-pending-publish-bytes-per-connection", maxPendingPublishBytesPerConnection, 1_024, 1L << 40);
        ConfigRange.require("max-pending-publish-bytes", maxPendingPublishBytes, 1_024, 1L << 40);
        ConfigRange.require("max-handles-per-connection", maxHandlesPerConnection, 1, 10_000_000);
        ConfigRange.require("max-unanswered-commands", maxUnansweredCommands, 1, 10_000_000);
        ConfigRange.require("max-producers-per-topic", maxProducersPerTopic, 1, 10_000_000);
        ConfigRange.require("max-subscriptions-per-topic", maxSubscriptionsPerTopic, 1, 10_000_000);
        ConfigRange.require("max-consumers-per-subscription", maxConsumersPerSubscription, 1, 10_000_000);
        ConfigRange.require("max-unacked-per-consumer", maxUnackedPerConsumer, 1, 16_000_000);
        ConfigRange.require("max-unacked-per-subscription", maxUnackedPerSubscription, 1, 16_000_000);
    }
}
