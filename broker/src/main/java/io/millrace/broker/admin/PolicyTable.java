package io.millrace.broker.admin;

import static io.millrace.broker.admin.PolicyForm.anyNumberOrNone;
import static io.millrace.broker.admin.PolicyForm.anyObject;
import static io.millrace.broker.admin.PolicyForm.flag;
import static io.millrace.broker.admin.PolicyForm.longNumber;
import static io.millrace.broker.admin.PolicyForm.mark;
import static io.millrace.broker.admin.PolicyForm.number;
import static io.millrace.broker.admin.PolicyForm.numberOrNone;
import static io.millrace.broker.admin.PolicyForm.numberUpTo;
import static io.millrace.broker.admin.PolicyForm.object;
import static io.millrace.broker.admin.PolicyForm.objectOf;
import static io.millrace.broker.admin.PolicyForm.parts;
import static io.millrace.broker.admin.PolicyForm.word;
import static io.millrace.broker.admin.PolicyForm.words;

import io.millrace.broker.admin.Policy.Names;
import io.millrace.broker.admin.Policy.Unset;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.namespace.PolicySettings;
import io.millrace.broker.schema.Compatibility;
import io.millrace.broker.schema.SchemaPolicy;
import io.millrace.broker.topic.AppliedPolicies;
import io.millrace.broker.topic.TopicRules;
import io.millrace.wire.admin.BacklogQuota.BacklogQuotaType;
import io.millrace.wire.admin.BacklogQuotaImpl;
import io.millrace.wire.admin.DelayedDeliveryPoliciesImpl;
import io.millrace.wire.admin.DispatchRateImpl;
import io.millrace.wire.admin.InactiveTopicPolicies;
import io.millrace.wire.admin.PersistencePolicies;
import io.millrace.wire.admin.PublishRate;
import io.millrace.wire.admin.RetentionPolicies;
import io.millrace.wire.admin.SubscribeRate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The policies that are set one by one; those of automatic topics have a path of their own. The first have an
 * effect, and are stored under the keys that the rest of the broker reads; the others are kept for tools that ask for them again.
 */
final class PolicyTable {
    /** Those that a namespace's policies have by cluster. */
    static final Set<String> BY_CLUSTER = Set.of(
            "topicDispatchRate",
            "subscriptionDispatchRate",
            "replicatorDispatchRate",
            "clusterSubscribeRate",
            "publishMaxMessageRate");

    /** The backlog quotas by type; each is a policy, as they are set one by one. */
    static final Map<String, Policy> QUOTAS = Stream.of(BacklogQuotaType.values())
            .map(Enum::name)
            .collect(Collectors.toMap(
                    type -> type,
                    type -> new Policy(
                            type.equals(BacklogQuotaType.message_age.name())
                                    ? AppliedPolicies.AGE_QUOTA
                                    : AppliedPolicies.SIZE_QUOTA,
                            new Names("backlog_quota_map " + type, null, null),
                            parts(
                                    BacklogQuotaImpl.class,
                                    PolicyForm::requireValid,
                                    List.of("limitSize", "limitTime", "policy", "limit")),
                            Unset.applied("{\"limit\":-1,\"limitSize\":-1,\"limitTime\":-1,"
                                    + "\"policy\":\"producer_request_hold\"}"))));

    /** How messages would be offloaded, which has a path of its own to be removed. */
    static final Policy OFFLOAD = Policy.kept(both("offload_policies", "offloadPolicies"), anyObject(), Unset.NOTHING);

    private static final String FALSE = "false";

    private static final String NO_RATE = "{\"dispatchThrottlingRateInMsg\":0,\"dispatchThrottlingRateInByte\":0,"
            + "\"relativeToPublishRate\":false,\"ratePeriodInSecond\":1}";

    /** Those of schemas; a topic's are kept with its schemas. What applies without them the broker's settings say. */
    static final List<Policy> OF_SCHEMAS = List.of(
            new Policy(
                    SchemaPolicy.compatibilityKey(),
                    both("schema_compatibility_strategy", "schemaCompatibilityStrategy"),
                    word(Stream.of(Compatibility.values()).map(Enum::name).toList()),
                    new Unset("\"UNDEFINED\"", null)),
            new Policy(
                    SchemaPolicy.enforcedKey(),
                    both("schema_validation_enforced", "schemaValidationEnforced"),
                    flag(),
                    new Unset(FALSE, FALSE, null)),
            new Policy(
                    SchemaPolicy.takesNewKey(),
                    both("is_allow_auto_update_schema", "isAllowAutoUpdateSchema"),
                    flag(),
                    Unset.NOTHING));

    /** All others. */
    static final List<Policy> OTHERS = List.of(
            new Policy(
                    TopicRules.MAX_PRODUCERS,
                    new Names("max_producers_per_topic", "maxProducersPerTopic", "maxProducers"),
                    number(),
                    Unset.applied("0")),
            new Policy(
                    TopicRules.MAX_SUBSCRIPTIONS,
                    both("max_subscriptions_per_topic", "maxSubscriptionsPerTopic"),
                    number(),
                    Unset.NOTHING),
            new Policy(
                    TopicRules.MAX_CONSUMERS,
                    both("max_consumers_per_subscription", "maxConsumersPerSubscription"),
                    number(),
                    Unset.NOTHING),
            new Policy(
                    TopicRules.TYPES,
                    both("subscription_types_enabled", "subscriptionTypesEnabled"),
                    words(List.of("Exclusive", "Shared", "Failover", "Key_Shared")),
                    new Unset("[]", null)),
            new Policy(
                    TopicRules.JOIN_MAKES,
                    both("autoSubscriptionCreationOverride", "autoSubscriptionCreation"),
                    objectOf("allowAutoSubscriptionCreation"),
                    Unset.applied("{\"allowAutoSubscriptionCreation\":true}")),
            new Policy(
                    "max-topics-per-namespace",
                    new Names("max_topics_per_namespace", "maxTopicsPerNamespace", null),
                    number(),
                    new Unset("0", null)),
            new Policy(
                    AppliedPolicies.MAX_CONSUMERS,
                    new Names("max_consumers_per_topic", "maxConsumersPerTopic", "maxConsumers"),
                    number(),
                    Unset.applied("0")),
            new Policy(
                    AppliedPolicies.MAX_UNACKED_PER_CONSUMER,
                    new Names(
                            "max_unacked_messages_per_consumer",
                            "maxUnackedMessagesPerConsumer",
                            "maxUnackedMessagesOnConsumer"),
                    number(),
                    Unset.NOTHING),
            new Policy(
                    AppliedPolicies.MAX_UNACKED_PER_SUBSCRIPTION,
                    new Names(
                            "max_unacked_messages_per_subscription",
                            "maxUnackedMessagesPerSubscription",
                            "maxUnackedMessagesOnSubscription"),
                    number(),
                    Unset.NOTHING),
            new Policy(
                    Namespaces.RETENTION,
                    both("retention_policies", "retention"),
                    parts(
                            RetentionPolicies.class,
                            PolicyForm::requireValid,
                            List.of("retentionTimeInMinutes", "retentionSizeInMB")),
                    Unset.applied("{\"retentionTimeInMinutes\":0,\"retentionSizeInMB\":0}")),
            new Policy(
                    PolicySettings.MESSAGE_TTL,
                    both("message_ttl_in_seconds", "messageTTL"),
                    numberOrNone("Invalid value for message TTL, message TTL must >= 0"),
                    Unset.applied("0")),
            Policy.kept(
                    both("subscription_expiration_time_minutes", "subscriptionExpirationTime"),
                    numberOrNone("Invalid value for subscription expiration time"),
                    Unset.applied("0")),
            Policy.kept(
                    new Names("deduplicationEnabled", "deduplication", "deduplicationEnabled"),
                    flag(),
                    Unset.applied(FALSE)),
            Policy.kept(
                    both("deduplicationSnapshotIntervalSeconds", "deduplicationSnapshotInterval"),
                    numberOrNone(),
                    Unset.NOTHING),
            Policy.kept(
                    both("persistence", "persistence"),
                    object(PersistencePolicies.class, PolicyForm::requireValid),
                    Unset.applied("{\"bookkeeperEnsemble\":1,\"bookkeeperWriteQuorum\":1,\"bookkeeperAckQuorum\":1,"
                            + "\"managedLedgerMaxMarkDeleteRate\":1.0}")),
            Policy.kept(both("compaction_threshold", "compactionThreshold"), longNumber(), Unset.applied("0")),
            Policy.kept(
                    new Names("offload_threshold", "offloadThreshold", null), anyNumberOrNone(), new Unset("-1", null)),
            Policy.kept(
                    new Names("offload_threshold_in_seconds", "offloadThresholdInSeconds", null),
                    anyNumberOrNone(),
                    new Unset("-1", null)),
            Policy.kept(
                    new Names("offload_deletion_lag_ms", "offloadDeletionLagMs", null),
                    anyNumberOrNone(),
                    Unset.NOTHING),
            OFFLOAD,
            new Policy(
                    AppliedPolicies.DELAYS,
                    both("delayed_delivery_policies", "delayedDelivery"),
                    parts(
                            DelayedDeliveryPoliciesImpl.class,
                            any -> {},
                            List.of("tickTime", "active", "maxDeliveryDelayInMillis")),
                    Unset.applied("{\"tickTime\":1000,\"active\":true,\"maxDeliveryDelayInMillis\":0}")),
            new Policy(
                    Namespaces.INACTIVE_TOPICS,
                    both("inactive_topic_policies", "inactiveTopicPolicies"),
                    parts(
                            InactiveTopicPolicies.class,
                            any -> {},
                            List.of("inactiveTopicDeleteMode", "maxInactiveDurationSeconds", "deleteWhileInactive")),
                    Unset.applied("{\"inactiveTopicDeleteMode\":\"delete_when_no_subscriptions\","
                            + "\"maxInactiveDurationSeconds\":60,\"deleteWhileInactive\":true}")),
            Policy.kept(
                    both("dispatcherPauseOnAckStatePersistentEnabled", "dispatcherPauseOnAckStatePersistent"),
                    mark(),
                    new Unset(FALSE, FALSE, FALSE)),
            dispatchRate(AppliedPolicies.DISPATCH_RATE, both("topicDispatchRate", "dispatchRate")),
            dispatchRate(
                    AppliedPolicies.SUBSCRIPTION_RATE, both("subscriptionDispatchRate", "subscriptionDispatchRate")),
            Policy.kept(
                    both("replicatorDispatchRate", "replicatorDispatchRate"),
                    object(DispatchRateImpl.class, any -> {}),
                    Unset.applied(NO_RATE)),
            new Policy(
                    AppliedPolicies.SUBSCRIBE_RATE,
                    both("clusterSubscribeRate", "subscribeRate"),
                    parts(
                            SubscribeRate.class,
                            any -> {},
                            List.of("subscribeThrottlingRatePerConsumer", "ratePeriodInSecond")),
                    Unset.applied("{\"subscribeThrottlingRatePerConsumer\":0,\"ratePeriodInSecond\":30}")),
            new Policy(
                    AppliedPolicies.PUBLISH_RATE,
                    both("publishMaxMessageRate", "publishRate"),
                    parts(
                            PublishRate.class,
                            any -> {},
                            List.of("publishThrottlingRateInMsg", "publishThrottlingRateInByte")),
                    Unset.NOTHING),
            Policy.kept(new Names("encryption_required", "encryptionRequired", null), flag(), new Unset(FALSE, null)),
            Policy.kept(
                    new Names("subscription_auth_mode", "subscriptionAuthMode", null),
                    word(List.of("None", "Prefix")),
                    new Unset("\"None\"", null)),
            Policy.kept(
                    new Names(
                            "schema_auto_update_compatibility_strategy", "schemaAutoUpdateCompatibilityStrategy", null),
                    word(List.of(
                            "AutoUpdateDisabled",
                            "Backward",
                            "Forward",
                            "Full",
                            "AlwaysCompatible",
                            "BackwardTransitive",
                            "ForwardTransitive",
                            "FullTransitive")),
                    Unset.NOTHING));

    /** How large a message may be, which only topics have, and never more than the broker takes. */
    static Policy maxMessage(int mostBytes) {
        String refusal =
                "topic-level maxMessageSize must be greater than or equal to 0 and must be smaller than that in"
                        + " the broker-level: at most " + mostBytes;
        return new Policy(
                AppliedPolicies.MAX_MESSAGE,
                new Names("", null, "maxMessageSize"),
                numberUpTo(mostBytes, refusal),
                Unset.NOTHING);
    }

    /** All that a namespace may have. */
    static List<Policy> all() {
        List<Policy> all = new ArrayList<>(OTHERS);
        all.addAll(OF_SCHEMAS);
        return all;
    }

    private PolicyTable() {}

    private static Names both(String property, String path) {
        return new Names(property, path, path);
    }

    private static Policy dispatchRate(String key, Names names) {
        PolicyForm form = parts(
                DispatchRateImpl.class,
                any -> {},
                List.of(
                        "dispatchThrottlingRateInMsg",
                        "dispatchThrottlingRateInByte",
                        "relativeToPublishRate",
                        "ratePeriodInSecond"));
        return new Policy(key, names, form, Unset.applied(NO_RATE));
    }
}
