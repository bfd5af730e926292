package io.millrace.compatibility.admin;

import io.millrace.compatibility.scenario.Context;
import io.millrace.compatibility.scenario.Scenarios;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.admin.Namespaces;
import org.apache.pulsar.client.api.SubscriptionType;
import org.apache.pulsar.common.policies.data.AutoSubscriptionCreationOverride;
import org.apache.pulsar.common.policies.data.AutoTopicCreationOverride;
import org.apache.pulsar.common.policies.data.BacklogQuota;
import org.apache.pulsar.common.policies.data.DelayedDeliveryPolicies;
import org.apache.pulsar.common.policies.data.DispatchRate;
import org.apache.pulsar.common.policies.data.InactiveTopicDeleteMode;
import org.apache.pulsar.common.policies.data.InactiveTopicPolicies;
import org.apache.pulsar.common.policies.data.PersistencePolicies;
import org.apache.pulsar.common.policies.data.PublishRate;
import org.apache.pulsar.common.policies.data.RetentionPolicies;
import org.apache.pulsar.common.policies.data.SchemaCompatibilityStrategy;
import org.apache.pulsar.common.policies.data.SubscribeRate;
import org.apache.pulsar.common.policies.data.SubscriptionAuthMode;

/** {@link Namespaces}: each policy as it is at first, set, and removed; and of a namespace that is not there. */
public final class NamespacePolicyScenarios {
    static final DispatchRate RATE = DispatchRate.builder()
            .dispatchThrottlingRateInMsg(100)
            .dispatchThrottlingRateInByte(1000)
            .ratePeriodInSecond(1)
            .build();

    private NamespacePolicyScenarios() {}

    public static void declare(Scenarios scenarios) {
        List<Policy> policies = new ArrayList<>();
        keeping(policies);
        rates(policies);
        limits(policies);
        clients(policies);
        schemas(policies);
        for (Policy policy : policies) {
            scenarios.add(policy.name(), context -> policy.tell(context, context.namespace()));
        }
        for (Policy policy : policies) {
            scenarios.add(policy.name() + "-of-no-namespace", context -> {
                policy.refuse(context, "no namespace", context.tenant() + "/none");
                policy.refuse(context, "no tenant", context.unique("none") + "/ns");
            });
        }
    }

    private static void keeping(List<Policy> all) {
        all.add(new Policy(
                "Retention",
                (c, n) -> of(c).getRetention(n),
                (c, n) -> of(c).setRetention(n, new RetentionPolicies(60, 100)),
                (c, n) -> of(c).removeRetention(n)));
        all.add(new Policy(
                "NamespaceMessageTTL",
                (c, n) -> of(c).getNamespaceMessageTTL(n),
                (c, n) -> of(c).setNamespaceMessageTTL(n, 30),
                (c, n) -> of(c).removeNamespaceMessageTTL(n)));
        all.add(new Policy(
                "BacklogQuota",
                (c, n) -> of(c).getBacklogQuotaMap(n),
                (c, n) -> of(c).setBacklogQuota(
                                n,
                                BacklogQuota.builder()
                                        .limitSize(1000)
                                        .retentionPolicy(BacklogQuota.RetentionPolicy.producer_exception)
                                        .build()),
                (c, n) -> of(c).removeBacklogQuota(n)));
        all.add(new Policy(
                "Persistence",
                (c, n) -> of(c).getPersistence(n),
                (c, n) -> of(c).setPersistence(n, new PersistencePolicies(1, 1, 1, 2)),
                (c, n) -> of(c).removePersistence(n)));
        all.add(new Policy(
                "InactiveTopicPolicies",
                (c, n) -> of(c).getInactiveTopicPolicies(n),
                (c, n) -> of(c).setInactiveTopicPolicies(
                                n,
                                new InactiveTopicPolicies(
                                        InactiveTopicDeleteMode.delete_when_no_subscriptions, 100, true)),
                (c, n) -> of(c).removeInactiveTopicPolicies(n)));
        all.add(new Policy(
                "CompactionThreshold",
                (c, n) -> of(c).getCompactionThreshold(n),
                (c, n) -> of(c).setCompactionThreshold(n, 1000),
                (c, n) -> of(c).removeCompactionThreshold(n)));
        all.add(new Policy(
                "OffloadThreshold",
                (c, n) -> of(c).getOffloadThreshold(n),
                (c, n) -> of(c).setOffloadThreshold(n, 5L << 30),
                null));
        all.add(new Policy(
                "OffloadThresholdInSeconds",
                (c, n) -> of(c).getOffloadThresholdInSeconds(n),
                (c, n) -> of(c).setOffloadThresholdInSeconds(n, 60),
                null));
        all.add(new Policy(
                "OffloadDeleteLagMs",
                (c, n) -> of(c).getOffloadDeleteLagMs(n),
                (c, n) -> of(c).setOffloadDeleteLag(n, 10, TimeUnit.SECONDS),
                (c, n) -> of(c).clearOffloadDeleteLag(n)));
        all.add(new Policy(
                "SubscriptionExpirationTime",
                (c, n) -> of(c).getSubscriptionExpirationTime(n),
                (c, n) -> of(c).setSubscriptionExpirationTime(n, 10),
                (c, n) -> of(c).removeSubscriptionExpirationTime(n)));
        all.add(new Policy(
                "DelayedDelivery",
                (c, n) -> of(c).getDelayedDelivery(n),
                (c, n) -> of(c).setDelayedDeliveryMessages(
                                n,
                                DelayedDeliveryPolicies.builder()
                                        .active(true)
                                        .tickTime(100)
                                        .build()),
                (c, n) -> of(c).removeDelayedDeliveryMessages(n)));
    }

    private static void rates(List<Policy> all) {
        all.add(new Policy(
                "PublishRate",
                (c, n) -> of(c).getPublishRate(n),
                (c, n) -> of(c).setPublishRate(n, new PublishRate(100, 1000)),
                (c, n) -> of(c).removePublishRate(n)));
        all.add(new Policy(
                "DispatchRate",
                (c, n) -> of(c).getDispatchRate(n),
                (c, n) -> of(c).setDispatchRate(n, RATE),
                (c, n) -> of(c).removeDispatchRate(n)));
        all.add(new Policy(
                "SubscriptionDispatchRate",
                (c, n) -> of(c).getSubscriptionDispatchRate(n),
                (c, n) -> of(c).setSubscriptionDispatchRate(n, RATE),
                (c, n) -> of(c).removeSubscriptionDispatchRate(n)));
        all.add(new Policy(
                "ReplicatorDispatchRate",
                (c, n) -> of(c).getReplicatorDispatchRate(n),
                (c, n) -> of(c).setReplicatorDispatchRate(n, RATE),
                (c, n) -> of(c).removeReplicatorDispatchRate(n)));
        all.add(new Policy(
                "SubscribeRate",
                (c, n) -> of(c).getSubscribeRate(n),
                (c, n) -> of(c).setSubscribeRate(n, new SubscribeRate(10, 30)),
                (c, n) -> of(c).removeSubscribeRate(n)));
    }

    private static void limits(List<Policy> all) {
        all.add(new Policy(
                "MaxProducersPerTopic",
                (c, n) -> of(c).getMaxProducersPerTopic(n),
                (c, n) -> of(c).setMaxProducersPerTopic(n, 5),
                (c, n) -> of(c).removeMaxProducersPerTopic(n)));
        all.add(new Policy(
                "MaxConsumersPerTopic",
                (c, n) -> of(c).getMaxConsumersPerTopic(n),
                (c, n) -> of(c).setMaxConsumersPerTopic(n, 5),
                (c, n) -> of(c).removeMaxConsumersPerTopic(n)));
        all.add(new Policy(
                "MaxConsumersPerSubscription",
                (c, n) -> of(c).getMaxConsumersPerSubscription(n),
                (c, n) -> of(c).setMaxConsumersPerSubscription(n, 5),
                (c, n) -> of(c).removeMaxConsumersPerSubscription(n)));
        all.add(new Policy(
                "MaxSubscriptionsPerTopic",
                (c, n) -> of(c).getMaxSubscriptionsPerTopic(n),
                (c, n) -> of(c).setMaxSubscriptionsPerTopic(n, 5),
                (c, n) -> of(c).removeMaxSubscriptionsPerTopic(n)));
        all.add(new Policy(
                "MaxUnackedMessagesPerConsumer",
                (c, n) -> of(c).getMaxUnackedMessagesPerConsumer(n),
                (c, n) -> of(c).setMaxUnackedMessagesPerConsumer(n, 5),
                (c, n) -> of(c).removeMaxUnackedMessagesPerConsumer(n)));
        all.add(new Policy(
                "MaxUnackedMessagesPerSubscription",
                (c, n) -> of(c).getMaxUnackedMessagesPerSubscription(n),
                (c, n) -> of(c).setMaxUnackedMessagesPerSubscription(n, 5),
                (c, n) -> of(c).removeMaxUnackedMessagesPerSubscription(n)));
        all.add(new Policy(
                "MaxTopicsPerNamespace",
                (c, n) -> of(c).getMaxTopicsPerNamespace(n),
                (c, n) -> of(c).setMaxTopicsPerNamespace(n, 5),
                (c, n) -> of(c).removeMaxTopicsPerNamespace(n)));
    }

    private static void clients(List<Policy> all) {
        all.add(new Policy(
                "DeduplicationStatus",
                (c, n) -> of(c).getDeduplicationStatus(n),
                (c, n) -> of(c).setDeduplicationStatus(n, true),
                (c, n) -> of(c).removeDeduplicationStatus(n)));
        all.add(new Policy(
                "DeduplicationSnapshotInterval",
                (c, n) -> of(c).getDeduplicationSnapshotInterval(n),
                (c, n) -> of(c).setDeduplicationSnapshotInterval(n, 10),
                (c, n) -> of(c).removeDeduplicationSnapshotInterval(n)));
        all.add(new Policy(
                "AutoTopicCreation",
                (c, n) -> of(c).getAutoTopicCreation(n),
                (c, n) -> of(c).setAutoTopicCreation(
                                n,
                                AutoTopicCreationOverride.builder()
                                        .allowAutoTopicCreation(true)
                                        .topicType("partitioned")
                                        .defaultNumPartitions(2)
                                        .build()),
                (c, n) -> of(c).removeAutoTopicCreation(n)));
        all.add(new Policy(
                "AutoSubscriptionCreation",
                (c, n) -> of(c).getAutoSubscriptionCreation(n),
                (c, n) -> of(c).setAutoSubscriptionCreation(
                                n,
                                AutoSubscriptionCreationOverride.builder()
                                        .allowAutoSubscriptionCreation(false)
                                        .build()),
                (c, n) -> of(c).removeAutoSubscriptionCreation(n)));
        all.add(new Policy(
                "SubscriptionTypesEnabled",
                (c, n) -> of(c).getSubscriptionTypesEnabled(n),
                (c, n) -> of(c).setSubscriptionTypesEnabled(n, Set.of(SubscriptionType.Shared)),
                (c, n) -> of(c).removeSubscriptionTypesEnabled(n)));
        all.add(new Policy(
                "DispatcherPauseOnAckStatePersistent",
                (c, n) -> of(c).getDispatcherPauseOnAckStatePersistent(n),
                (c, n) -> of(c).setDispatcherPauseOnAckStatePersistent(n),
                (c, n) -> of(c).removeDispatcherPauseOnAckStatePersistent(n)));
        all.add(new Policy(
                "EncryptionRequiredStatus",
                (c, n) -> of(c).getEncryptionRequiredStatus(n),
                (c, n) -> of(c).setEncryptionRequiredStatus(n, true),
                null));
        all.add(new Policy(
                "SubscriptionAuthMode",
                (c, n) -> of(c).getSubscriptionAuthMode(n),
                (c, n) -> of(c).setSubscriptionAuthMode(n, SubscriptionAuthMode.Prefix),
                null));
    }

    private static void schemas(List<Policy> all) {
        all.add(new Policy(
                "SchemaValidationEnforced",
                (c, n) -> of(c).getSchemaValidationEnforced(n),
                (c, n) -> of(c).setSchemaValidationEnforced(n, true),
                null));
        all.add(new Policy(
                "SchemaCompatibilityStrategy",
                (c, n) -> of(c).getSchemaCompatibilityStrategy(n),
                (c, n) -> of(c).setSchemaCompatibilityStrategy(n, SchemaCompatibilityStrategy.BACKWARD),
                null));
        all.add(new Policy(
                "IsAllowAutoUpdateSchema",
                (c, n) -> of(c).getIsAllowAutoUpdateSchema(n),
                (c, n) -> of(c).setIsAllowAutoUpdateSchema(n, false),
                null));
    }

    private static Namespaces of(Context context) {
        return context.admin().namespaces();
    }
}
