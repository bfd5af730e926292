package io.millrace.cli.admin;

import static io.millrace.cli.admin.PolicyValue.AUTO_TOPICS;
import static io.millrace.cli.admin.PolicyValue.SCALAR;
import static io.millrace.cli.admin.PolicyValue.WORDS;
import static io.millrace.cli.admin.PolicyValue.parts;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A policy by its key, and where the admin API has it, behind the path of a namespace or a topic. */
enum PolicyKey {
    SIZE_QUOTA("backlog-quota-size", Constants.QUOTA, Constants.QUOTA, Constants.LIMITS),
    AGE_QUOTA("backlog-quota-age", Constants.QUOTA, Constants.QUOTA, Constants.LIMITS),
    PUBLISH_RATE(
            "publish-rate",
            "publishRate",
            "publishRate",
            parts("publishThrottlingRateInMsg", "publishThrottlingRateInByte")),
    DISPATCH_RATE("dispatch-rate", "dispatchRate", "dispatchRate", Constants.RATE),
    SUBSCRIPTION_RATE(
            "subscription-dispatch-rate", "subscriptionDispatchRate", "subscriptionDispatchRate", Constants.RATE),
    SUBSCRIBE_RATE(
            "subscribe-rate",
            "subscribeRate",
            "subscribeRate",
            parts("subscribeThrottlingRatePerConsumer", "ratePeriodInSecond")),
    MESSAGE_TTL("message-ttl-seconds", "messageTTL", "messageTTL", SCALAR),
    RETENTION("retention", "retention", "retention", parts("retentionTimeInMinutes", "retentionSizeInMB")),
    INACTIVE_TOPICS(
            "inactive-topics",
            "inactiveTopicPolicies",
            "inactiveTopicPolicies",
            parts("inactiveTopicDeleteMode", "maxInactiveDurationSeconds", "deleteWhileInactive")),
    UNACKED_PER_CONSUMER(
            "max-unacked-per-consumer", "maxUnackedMessagesPerConsumer", "maxUnackedMessagesOnConsumer", SCALAR),
    UNACKED_PER_SUBSCRIPTION(
            "max-unacked-per-subscription",
            "maxUnackedMessagesPerSubscription",
            "maxUnackedMessagesOnSubscription",
            SCALAR),
    DELAYS(
            "delayed-delivery",
            "delayedDelivery",
            "delayedDelivery",
            parts("tickTime", "active", "maxDeliveryDelayInMillis")),
    MESSAGE_BYTES("max-message-bytes", null, "maxMessageSize", SCALAR),
    PRODUCERS("max-producers-per-topic", "maxProducersPerTopic", "maxProducers", SCALAR),
    SUBSCRIPTIONS("max-subscriptions-per-topic", "maxSubscriptionsPerTopic", "maxSubscriptionsPerTopic", SCALAR),
    CONSUMERS("max-consumers-per-topic", "maxConsumersPerTopic", "maxConsumers", SCALAR),
    CONSUMERS_PER_SUBSCRIPTION(
            "max-consumers-per-subscription", "maxConsumersPerSubscription", "maxConsumersPerSubscription", SCALAR),
    TYPES("subscription-types", "subscriptionTypesEnabled", "subscriptionTypesEnabled", WORDS),
    AUTO_SUBSCRIPTIONS(
            "auto-subscriptions",
            "autoSubscriptionCreation",
            "autoSubscriptionCreation",
            parts("allowAutoSubscriptionCreation")),
    TOPICS_ON_USE("auto-topics", "autoTopicCreation", null, AUTO_TOPICS),
    TOPICS_PER_NAMESPACE("max-topics-per-namespace", "maxTopicsPerNamespace", null, SCALAR),
    SCHEMA_COMPATIBILITY("schema-compatibility", "schemaCompatibilityStrategy", "schemaCompatibilityStrategy", SCALAR),
    SCHEMA_VALIDATION("schema-validation-enforced", "schemaValidationEnforced", "schemaValidationEnforced", SCALAR),
    SCHEMA_AUTO_UPDATE("schema-auto-update", "isAllowAutoUpdateSchema", "isAllowAutoUpdateSchema", SCALAR);

    private final String key;
    private final @Nullable String ofNamespace;
    private final @Nullable String ofTopic;

    @SuppressWarnings("ImmutableEnumChecker") // it has no state that changes
    private final PolicyValue value;

    PolicyKey(String key, @Nullable String ofNamespace, @Nullable String ofTopic, PolicyValue value) {
        this.key = key;
        this.ofNamespace = ofNamespace;
        this.ofTopic = ofTopic;
        this.value = value;
    }

    PolicyValue value() {
        return value;
    }

    /** The end of its path; null if there is no such policy of a namespace, or of a topic. */
    @Nullable
    String end(boolean isOfTopic) {
        return isOfTopic ? ofTopic : ofNamespace;
    }

    /** What its path asks by, to set or remove it. */
    String query() {
        return isQuota() ? "?backlogQuotaType=" + quotaType() : "";
    }

    /** Whether its value is put, where others are posted. */
    boolean isPut() {
        return this == SCHEMA_COMPATIBILITY;
    }

    /** Whether the query has its value, and the body nothing: Pulsar's broker looks nowhere else. */
    boolean isInQuery(boolean isOfTopic) {
        return isOfTopic && this == MESSAGE_TTL;
    }

    /** The end of the path that tells it. */
    String told(String end) {
        return isQuota() ? end + "Map" : end;
    }

    /** Its part of what that path tells: quotas are told together. */
    JsonNode in(JsonNode told) {
        return isQuota() ? told.path(quotaType()) : told;
    }

    private boolean isQuota() {
        return this == SIZE_QUOTA || this == AGE_QUOTA;
    }

    private String quotaType() {
        return this == SIZE_QUOTA ? "destination_storage" : "message_age";
    }

    @Override
    public String toString() {
        return key;
    }

    /** Their keys, to be offered. */
    static final class Keys implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return all().iterator();
        }

        static List<String> all() {
            return Arrays.stream(values()).map(PolicyKey::toString).toList();
        }
    }

    /** Reads a key. */
    static final class Converter implements ITypeConverter<PolicyKey> {
        @Override
        public PolicyKey convert(String text) {
            return Arrays.stream(values())
                    .filter(policy -> policy.key.equals(text))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException(
                            "a policy is one of " + String.join(", ", Keys.all()) + ", but this is '" + text + "'"));
        }
    }

    /** What constants above are made with. */
    private static final class Constants {
        static final String QUOTA = "backlogQuota";
        static final PolicyValue LIMITS = parts("limitSize", "limitTime", "policy");
        static final PolicyValue RATE = parts(
                "dispatchThrottlingRateInMsg",
                "dispatchThrottlingRateInByte",
                "relativeToPublishRate",
                "ratePeriodInSecond");
    }
}
