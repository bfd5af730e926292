package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.dispatch.SubscriptionType;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What the policies of a namespace and of a topic allow the topic's clients, within the broker's own limits. They count for
 * who comes from now on; who is there stays. Immutable.
 *
 * @param maxProducers producers at a time; 0 for no limit
 * @param maxSubscriptions subscriptions; 0 for no limit
 * @param maxConsumers consumers of one subscription at a time; 0 for no limit
 * @param types of subscriptions that consumers may ask for
 * @param joinMakes whether a consumer makes the durable subscription that it joins
 */
public record TopicRules(
        int maxProducers, int maxSubscriptions, int maxConsumers, Set<SubscriptionType> types, boolean joinMakes) {
    /** The key of the policy for {@link #maxProducers}. */
    public static final String MAX_PRODUCERS = "max-producers-per-topic";

    /** The key of the policy for {@link #maxSubscriptions}. */
    public static final String MAX_SUBSCRIPTIONS = "max-subscriptions-per-topic";

    /** The key of the policy for {@link #maxConsumers}. */
    public static final String MAX_CONSUMERS = "max-consumers-per-subscription";

    /** The key of the policy for {@link #types}: their names with commas between, none for all. */
    public static final String TYPES = "subscription-types";

    /** The key of the policy for {@link #joinMakes}: true or false. */
    public static final String JOIN_MAKES = "auto-subscriptions";

    /** Everything is allowed. */
    public static final TopicRules NONE = new TopicRules(0, 0, 0, EnumSet.allOf(SubscriptionType.class), true);

    public TopicRules {
        types = Set.copyOf(types);
    }

    /**
     * The same as these policies change it; those of other keys are not looked at.
     *
     * @throws IllegalArgumentException naming key, value and range, if one is not valid
     */
    public TopicRules with(Map<String, String> policies) {
        if (policies.isEmpty()) {
            return this;
        }
        return new TopicRules(
                number(policies, MAX_PRODUCERS, maxProducers),
                number(policies, MAX_SUBSCRIPTIONS, maxSubscriptions),
                number(policies, MAX_CONSUMERS, maxConsumers),
                types(policies),
                flag(policies));
    }

    /** Those of them that count for a topic that stores nothing: only consumers make its subscriptions, which end with the topic. */
    public TopicRules whereNothingIsStored() {
        return new TopicRules(maxProducers, 0, maxConsumers, NONE.types, true);
    }

    private static int number(Map<String, String> policies, String key, int otherwise) {
        String text = policies.get(key);
        try {
            int value = text == null ? otherwise : Integer.parseInt(text);
            if (value >= 0) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw refusal(key, text, "a whole number from 0 on", e);
        }
        throw refusal(key, text, "a whole number from 0 on", null);
    }

    private Set<SubscriptionType> types(Map<String, String> policies) {
        String text = policies.get(TYPES);
        if (text == null) {
            return types;
        }
        Set<SubscriptionType> found = EnumSet.noneOf(SubscriptionType.class);
        try {
            for (String name : text.isEmpty() ? new String[0] : text.split(",", -1)) {
                found.add(SubscriptionType.valueOf(name.toUpperCase(Locale.ROOT)));
            }
        } catch (IllegalArgumentException e) {
            throw refusal(TYPES, text, "some of Exclusive, Failover, Shared and Key_Shared, with commas between", e);
        }
        return found.isEmpty() ? NONE.types : found;
    }

    private boolean flag(Map<String, String> policies) {
        String text = policies.getOrDefault(JOIN_MAKES, Boolean.toString(joinMakes));
        if (!text.equals("true") && !text.equals("false")) {
            throw refusal(JOIN_MAKES, text, "true or false", null);
        }
        return text.equals("true");
    }

    private static IllegalArgumentException refusal(
            String key,
            @org.jspecify.annotations.Nullable String value,
            String range,
            @org.jspecify.annotations.Nullable Exception cause) {
        return new IllegalArgumentException(key + " is '" + value + "', but must be " + range, cause);
    }

    /** Refuses a producer beside so many others. */
    void requireProducer(TopicName topic, int others) {
        if (maxProducers > 0 && others >= maxProducers) {
            throw new BrokerException(
                    ErrorKind.PRODUCER_BUSY,
                    "Topic '" + topic + "' reached max producers limit: its policy allows " + maxProducers);
        }
    }

    /** Refuses one more subscription than so many. */
    void requireSubscription(TopicName topic, String name, int others) {
        if (maxSubscriptions > 0 && others >= maxSubscriptions) {
            throw new BrokerException(
                    ErrorKind.POLICY_LIMIT,
                    "Exceed the maximum number of subscriptions of the topic: " + topic + " has no room for " + name
                            + ", its policy allows " + maxSubscriptions);
        }
    }

    /** Refuses a consumer of a type that the topic does not take. */
    void requireType(TopicName topic, SubscriptionType type) {
        if (!types.contains(type)) {
            throw new BrokerException(
                    ErrorKind.NOT_ALLOWED,
                    "Topic[" + topic + "] doesn't support " + type + " sub type: its policy allows " + types);
        }
    }

    /** Refuses a producer that wants a subscription that there is not, if clients may not make it. */
    void requireInitial(TopicName topic, String subscription, boolean isThere) {
        if (!joinMakes && !isThere) {
            throw new BrokerException(
                    ErrorKind.NOT_ALLOWED,
                    "Could not create the initial subscription due to the auto subscription creation is not allowed: "
                            + topic + " has no " + subscription);
        }
    }

    /** Refuses a consumer of a durable subscription that there is not, if it may not make it. */
    void requireThere(TopicName topic, String subscription, boolean isThere) {
        if (!joinMakes && !isThere) {
            throw new BrokerException(
                    ErrorKind.SUBSCRIPTION_NOT_FOUND,
                    "Subscription does not exist: " + topic + " has no " + subscription
                            + ", and its policy does not have consumers make it");
        }
    }
}
