package io.millrace.broker.dispatch;

/**
 * What the policies of a namespace and of a topic say of each subscription, over the broker's own limits. Immutable.
 *
 * @param maxUnackedPerConsumer messages sent and not acknowledged; 0 for any number, {@link #OF_BROKER} for the broker's limit
 * @param maxUnackedPerSubscription the same of all consumers together
 * @param delays whether entries wait until their time has come
 * @param rate of what one subscription sends
 * @param topicRate of what all subscriptions of the topic send together
 */
public record DispatchPolicy(
        int maxUnackedPerConsumer, int maxUnackedPerSubscription, boolean delays, Rate rate, Rate topicRate) {
    /** The policies do not say. */
    public static final int OF_BROKER = -1;

    /** The policies say nothing. */
    public static final DispatchPolicy NONE = new DispatchPolicy(OF_BROKER, OF_BROKER, true, Rate.NONE, Rate.NONE);

    int maxUnackedPerConsumer(SubscriptionLimits limits) {
        return maxUnackedPerConsumer == OF_BROKER ? limits.maxUnackedPerConsumer() : maxUnackedPerConsumer;
    }

    int maxUnackedPerSubscription(SubscriptionLimits limits) {
        int most =
                maxUnackedPerSubscription == OF_BROKER ? limits.maxUnackedPerSubscription() : maxUnackedPerSubscription;
        return most == 0 ? Integer.MAX_VALUE : most;
    }
}
