package io.millrace.broker.topic;

import io.millrace.broker.dispatch.DispatchPolicy;
import io.millrace.broker.dispatch.Rate;
import io.millrace.broker.dispatch.SubscriptionLimits;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the policies of a namespace and of a topic have the broker do while the topic is open. Unlike {@link TopicRules} a change of
 * them counts at once, also for clients that are connected. Immutable.
 *
 * @param quotas of the backlog
 * @param publishing what producers may publish
 * @param dispatch what each subscription sends
 * @param joins what consumers may join
 */
public record AppliedPolicies(Quotas quotas, Publishing publishing, DispatchPolicy dispatch, Joins joins) {
    /** The key of a quota of bytes that are stored and not acknowledged: bytes, seconds, and what happens beyond, with commas between. */
    public static final String SIZE_QUOTA = "backlog-quota-size";

    /** The key of a quota of the time since the eldest message that is not acknowledged; of the same form. */
    public static final String AGE_QUOTA = "backlog-quota-age";

    /** The key of the rate of publishes: messages and bytes a second, with a comma between; 0 or less for no limit. */
    public static final String PUBLISH_RATE = "publish-rate";

    /** The key of the largest message, in bytes; 0 for the broker's limit alone. */
    public static final String MAX_MESSAGE = "max-message-bytes";

    /** The key of the policy on delayed messages: milliseconds that are not looked at, true or false, the longest delay in milliseconds, which counts with true, with commas between. */
    public static final String DELAYS = "delayed-delivery";

    /** The key of the policy for the unacknowledged messages of a consumer; 0 for no limit. */
    public static final String MAX_UNACKED_PER_CONSUMER = "max-unacked-per-consumer";

    /** The key of the same of a subscription. */
    public static final String MAX_UNACKED_PER_SUBSCRIPTION = "max-unacked-per-subscription";

    /** The key of the rate of what one subscription sends: messages, bytes, true or false, seconds, with commas between. */
    public static final String SUBSCRIPTION_RATE = "subscription-dispatch-rate";

    /** The key of the rate of what all subscriptions send together; of the same form. */
    public static final String DISPATCH_RATE = "dispatch-rate";

    /** The key of the policy for all consumers of a topic; 0 for no limit. */
    public static final String MAX_CONSUMERS = "max-consumers-per-topic";

    /** The key of how often one consumer may subscribe: how often, and in how many seconds, with a comma between; 0 or less for any number. */
    public static final String SUBSCRIBE_RATE = "subscribe-rate";

    /** Where a rate of dispatch has its seconds. */
    private static final int RATE_SECONDS = 3;

    private static final Set<String> KEYS = Set.of(
            SIZE_QUOTA,
            AGE_QUOTA,
            PUBLISH_RATE,
            MAX_MESSAGE,
            DELAYS,
            MAX_UNACKED_PER_CONSUMER,
            MAX_UNACKED_PER_SUBSCRIPTION,
            SUBSCRIPTION_RATE,
            DISPATCH_RATE,
            MAX_CONSUMERS,
            SUBSCRIBE_RATE);

    /**
     * Quotas of the backlog of a topic.
     *
     * @param size in bytes; null for no limit
     * @param age in seconds; null for no limit
     */
    record Quotas(@Nullable BacklogQuota size, @Nullable BacklogQuota age) {
        static final Quotas NONE = new Quotas(null, null);

        boolean isNone() {
            return size == null && age == null;
        }
    }

    /**
     * What producers may publish.
     *
     * @param rate of all producers together
     * @param maxMessageBytes of a message that is not chunked; 0 for the broker's limit alone
     * @param maxDelayMillis how long a message may be delayed; 0 for any time
     */
    record Publishing(Rate rate, long maxMessageBytes, long maxDelayMillis) {
        static final Publishing NONE = new Publishing(Rate.NONE, 0, 0);

        Publishing withoutRate() {
            return new Publishing(Rate.NONE, maxMessageBytes, maxDelayMillis);
        }

        Publishing withoutMessageLimit() {
            return new Publishing(rate, 0, maxDelayMillis);
        }

        Publishing withoutDelays() {
            return new Publishing(rate, maxMessageBytes, 0);
        }
    }

    /**
     * What consumers may join.
     *
     * @param maxConsumers of all subscriptions together; 0 for any number
     * @param rate how often one consumer may subscribe, counted as messages
     */
    record Joins(int maxConsumers, Rate rate) {
        static final Joins NONE = new Joins(0, Rate.NONE);
    }

    /** The policies say nothing. */
    public static final AppliedPolicies NONE =
            new AppliedPolicies(Quotas.NONE, Publishing.NONE, DispatchPolicy.NONE, Joins.NONE);

    /** What these limits say by the keys of policies, for who asks what applies. */
    public static Map<String, String> byKey(SubscriptionLimits limits) {
        return Map.of(
                MAX_UNACKED_PER_CONSUMER, Integer.toString(limits.maxUnackedPerConsumer()),
                MAX_UNACKED_PER_SUBSCRIPTION, Integer.toString(limits.maxUnackedPerSubscription()));
    }

    /**
     * What these policies say; those of other keys are not looked at.
     *
     * @throws IllegalArgumentException naming key, value and what it must be, if one is not valid
     */
    public static AppliedPolicies of(Map<String, String> policies) {
        return policies.keySet().stream().anyMatch(KEYS::contains) ? read(policies) : NONE;
    }

    /**
     * The same for clients that send messages of so many bytes at most. A policy that allows as much says nothing, as with
     * Pulsar: it counts metadata, too, and would refuse the largest of them.
     */
    public AppliedPolicies within(int maxMessageBytes) {
        return publishing.maxMessageBytes < maxMessageBytes
                ? this
                : new AppliedPolicies(quotas, publishing.withoutMessageLimit(), dispatch, joins);
    }

    /** Those of them that count for a topic that stores nothing: it has no backlog, delays nothing, and any consumer may come again. */
    AppliedPolicies whereNothingIsStored() {
        return new AppliedPolicies(
                Quotas.NONE, publishing.withoutDelays(), DispatchPolicy.NONE, new Joins(joins.maxConsumers, Rate.NONE));
    }

    /**
     * Refuses those that would not be told as they are set; what is stored is read all the same.
     *
     * @throws IllegalArgumentException naming key, value and what it must be
     */
    public static void requireSettable(Map<String, String> policies) {
        PolicyTexts texts = new PolicyTexts(policies);
        texts.requireWhole(MAX_UNACKED_PER_CONSUMER, 0);
        texts.requireWhole(MAX_UNACKED_PER_SUBSCRIPTION, 0);
        texts.requireWhole(MAX_CONSUMERS, 0);
        texts.requireWhole(SUBSCRIPTION_RATE, RATE_SECONDS);
        texts.requireWhole(DISPATCH_RATE, RATE_SECONDS);
        texts.requireWhole(SUBSCRIBE_RATE, 1);
    }

    private static AppliedPolicies read(Map<String, String> policies) {
        PolicyTexts texts = new PolicyTexts(policies);
        boolean delays = texts.flag(DELAYS, 1, true);
        long maxDelayMillis = texts.number(DELAYS, 2, 0);
        Publishing publishing = new Publishing(
                texts.rate(PUBLISH_RATE, -1),
                Math.max(0, texts.number(MAX_MESSAGE, 0, 0)),
                delays ? maxDelayMillis : 0);
        DispatchPolicy dispatch = new DispatchPolicy(
                texts.whole(MAX_UNACKED_PER_CONSUMER, 0, DispatchPolicy.OF_BROKER),
                texts.whole(MAX_UNACKED_PER_SUBSCRIPTION, 0, DispatchPolicy.OF_BROKER),
                delays,
                texts.rate(SUBSCRIPTION_RATE, RATE_SECONDS),
                texts.rate(DISPATCH_RATE, RATE_SECONDS));
        Joins joins = new Joins(texts.whole(MAX_CONSUMERS, 0, 0), texts.countRate(SUBSCRIBE_RATE));
        Quotas quotas = new Quotas(texts.quota(SIZE_QUOTA, 0), texts.quota(AGE_QUOTA, 1));
        return new AppliedPolicies(quotas, publishing, dispatch, joins);
    }
}
