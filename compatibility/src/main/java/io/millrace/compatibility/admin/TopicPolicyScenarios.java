package io.millrace.compatibility.admin;

import io.millrace.compatibility.scenario.Context;
import io.millrace.compatibility.scenario.Scenarios;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.pulsar.client.admin.TopicPolicies;
import org.apache.pulsar.client.api.SubscriptionType;
import org.apache.pulsar.common.policies.data.AutoSubscriptionCreationOverride;
import org.apache.pulsar.common.policies.data.BacklogQuota;
import org.apache.pulsar.common.policies.data.DelayedDeliveryPolicies;
import org.apache.pulsar.common.policies.data.InactiveTopicDeleteMode;
import org.apache.pulsar.common.policies.data.InactiveTopicPolicies;
import org.apache.pulsar.common.policies.data.PersistencePolicies;
import org.apache.pulsar.common.policies.data.PublishRate;
import org.apache.pulsar.common.policies.data.RetentionPolicies;
import org.apache.pulsar.common.policies.data.SchemaCompatibilityStrategy;
import org.apache.pulsar.common.policies.data.SubscribeRate;

/** {@link TopicPolicies}: each policy of a topic as it is at first, set, and removed; and of a topic that is not there. */
public final class TopicPolicyScenarios {
    private TopicPolicyScenarios() {}

    public static void declare(Scenarios scenarios) {
        List<Policy> policies = new ArrayList<>();
        keeping(policies);
        rates(policies);
        limits(policies);
        clients(policies);
        for (Policy policy : policies) {
            scenarios.add(policy.name(), context -> {
                context.admin().topics().createNonPartitionedTopic(context.topic("a"));
                policy.tell(context, context.topic("a"));
                policy.refuse(context, "no topic", context.topic("none"));
                policy.refuse(context, "no namespace", "persistent://" + context.tenant() + "/none/a");
            });
        }
        scenarios.add("of-a-partitioned-topic", context -> {
            context.admin().topics().createPartitionedTopic(context.topic("p"), 2);
            policies.get(0).tell(context, context.topic("p"));
        });
        scenarios.add("applied", context -> {
            context.admin().topics().createNonPartitionedTopic(context.topic("a"));
            context.admin().namespaces().setRetention(context.namespace(), new RetentionPolicies(60, 100));
            context.callJson("own", () -> of(context).getRetention(context.topic("a")));
            context.callJson("applied", () -> of(context).getRetention(context.topic("a"), true));
            context.call(
                    "pause, applied",
                    () -> of(context)
                            .getDispatcherPauseOnAckStatePersistent(context.topic("a"), true)
                            .get());
        });
        scenarios.add("deleteTopicPolicies", context -> {
            context.admin().topics().createNonPartitionedTopic(context.topic("a"));
            context.run("delete", () -> of(context).deleteTopicPolicies(context.topic("a")));
        });
    }

    private static void keeping(List<Policy> all) {
        all.add(new Policy(
                "Retention",
                (c, t) -> of(c).getRetention(t),
                (c, t) -> of(c).setRetention(t, new RetentionPolicies(60, 100)),
                (c, t) -> of(c).removeRetention(t)));
        all.add(new Policy(
                "MessageTTL",
                (c, t) -> of(c).getMessageTTL(t),
                (c, t) -> of(c).setMessageTTL(t, 30),
                (c, t) -> of(c).removeMessageTTL(t)));
        all.add(new Policy(
                "BacklogQuota",
                (c, t) -> of(c).getBacklogQuotaMap(t),
                (c, t) -> of(c).setBacklogQuota(
                                t,
                                BacklogQuota.builder()
                                        .limitSize(1000)
                                        .retentionPolicy(BacklogQuota.RetentionPolicy.producer_exception)
                                        .build()),
                (c, t) -> of(c).removeBacklogQuota(t)));
        all.add(new Policy(
                "Persistence",
                (c, t) -> of(c).getPersistence(t),
                (c, t) -> of(c).setPersistence(t, new PersistencePolicies(1, 1, 1, 2)),
                (c, t) -> of(c).removePersistence(t)));
        all.add(new Policy(
                "InactiveTopicPolicies",
                (c, t) -> of(c).getInactiveTopicPolicies(t),
                (c, t) -> of(c).setInactiveTopicPolicies(
                                t,
                                new InactiveTopicPolicies(
                                        InactiveTopicDeleteMode.delete_when_no_subscriptions, 100, true)),
                (c, t) -> of(c).removeInactiveTopicPolicies(t)));
        all.add(new Policy(
                "DispatcherPauseOnAckStatePersistent",
                (c, t) -> of(c).getDispatcherPauseOnAckStatePersistent(t, false).get(),
                (c, t) -> of(c).setDispatcherPauseOnAckStatePersistent(t).get(),
                (c, t) -> of(c).removeDispatcherPauseOnAckStatePersistent(t).get()));
        all.add(new Policy(
                "CompactionThreshold",
                (c, t) -> of(c).getCompactionThreshold(t),
                (c, t) -> of(c).setCompactionThreshold(t, 1000),
                (c, t) -> of(c).removeCompactionThreshold(t)));
        all.add(new Policy(
                "SubscriptionExpirationTime",
                (c, t) -> of(c).getSubscriptionExpirationTime(t),
                (c, t) -> of(c).setSubscriptionExpirationTime(t, 10),
                (c, t) -> of(c).removeSubscriptionExpirationTime(t)));
        all.add(new Policy(
                "DelayedDeliveryPolicy",
                (c, t) -> of(c).getDelayedDeliveryPolicy(t),
                (c, t) -> of(c).setDelayedDeliveryPolicy(
                                t,
                                DelayedDeliveryPolicies.builder()
                                        .active(true)
                                        .tickTime(100)
                                        .build()),
                (c, t) -> of(c).removeDelayedDeliveryPolicy(t)));
    }

    private static void rates(List<Policy> all) {
        all.add(new Policy(
                "PublishRate",
                (c, t) -> of(c).getPublishRate(t),
                (c, t) -> of(c).setPublishRate(t, new PublishRate(100, 1000)),
                (c, t) -> of(c).removePublishRate(t)));
        all.add(new Policy(
                "DispatchRate",
                (c, t) -> of(c).getDispatchRate(t),
                (c, t) -> of(c).setDispatchRate(t, NamespacePolicyScenarios.RATE),
                (c, t) -> of(c).removeDispatchRate(t)));
        all.add(new Policy(
                "SubscriptionDispatchRate",
                (c, t) -> of(c).getSubscriptionDispatchRate(t),
                (c, t) -> of(c).setSubscriptionDispatchRate(t, NamespacePolicyScenarios.RATE),
                (c, t) -> of(c).removeSubscriptionDispatchRate(t)));
        all.add(new Policy(
                "ReplicatorDispatchRate",
                (c, t) -> of(c).getReplicatorDispatchRate(t),
                (c, t) -> of(c).setReplicatorDispatchRate(t, NamespacePolicyScenarios.RATE),
                (c, t) -> of(c).removeReplicatorDispatchRate(t)));
        all.add(new Policy(
                "SubscribeRate",
                (c, t) -> of(c).getSubscribeRate(t),
                (c, t) -> of(c).setSubscribeRate(t, new SubscribeRate(10, 30)),
                (c, t) -> of(c).removeSubscribeRate(t)));
    }

    private static void limits(List<Policy> all) {
        all.add(new Policy(
                "MaxProducers",
                (c, t) -> of(c).getMaxProducers(t),
                (c, t) -> of(c).setMaxProducers(t, 5),
                (c, t) -> of(c).removeMaxProducers(t)));
        all.add(new Policy(
                "MaxConsumers",
                (c, t) -> of(c).getMaxConsumers(t),
                (c, t) -> of(c).setMaxConsumers(t, 5),
                (c, t) -> of(c).removeMaxConsumers(t)));
        all.add(new Policy(
                "MaxConsumersPerSubscription",
                (c, t) -> of(c).getMaxConsumersPerSubscription(t),
                (c, t) -> of(c).setMaxConsumersPerSubscription(t, 5),
                (c, t) -> of(c).removeMaxConsumersPerSubscription(t)));
        all.add(new Policy(
                "MaxSubscriptionsPerTopic",
                (c, t) -> of(c).getMaxSubscriptionsPerTopic(t),
                (c, t) -> of(c).setMaxSubscriptionsPerTopic(t, 5),
                (c, t) -> of(c).removeMaxSubscriptionsPerTopic(t)));
        all.add(new Policy(
                "MaxUnackedMessagesOnConsumer",
                (c, t) -> of(c).getMaxUnackedMessagesOnConsumer(t),
                (c, t) -> of(c).setMaxUnackedMessagesOnConsumer(t, 5),
                (c, t) -> of(c).removeMaxUnackedMessagesOnConsumer(t)));
        all.add(new Policy(
                "MaxUnackedMessagesOnSubscription",
                (c, t) -> of(c).getMaxUnackedMessagesOnSubscription(t),
                (c, t) -> of(c).setMaxUnackedMessagesOnSubscription(t, 5),
                (c, t) -> of(c).removeMaxUnackedMessagesOnSubscription(t)));
        all.add(new Policy(
                "MaxMessageSize",
                (c, t) -> of(c).getMaxMessageSize(t),
                (c, t) -> of(c).setMaxMessageSize(t, 1000),
                (c, t) -> of(c).removeMaxMessageSize(t)));
    }

    private static void clients(List<Policy> all) {
        all.add(new Policy(
                "DeduplicationStatus",
                (c, t) -> of(c).getDeduplicationStatus(t),
                (c, t) -> of(c).setDeduplicationStatus(t, true),
                (c, t) -> of(c).removeDeduplicationStatus(t)));
        all.add(new Policy(
                "DeduplicationSnapshotInterval",
                (c, t) -> of(c).getDeduplicationSnapshotInterval(t),
                (c, t) -> of(c).setDeduplicationSnapshotInterval(t, 10),
                (c, t) -> of(c).removeDeduplicationSnapshotInterval(t)));
        all.add(new Policy(
                "SubscriptionTypesEnabled",
                (c, t) -> of(c).getSubscriptionTypesEnabled(t),
                (c, t) -> of(c).setSubscriptionTypesEnabled(t, Set.of(SubscriptionType.Shared)),
                (c, t) -> of(c).removeSubscriptionTypesEnabled(t)));
        all.add(new Policy(
                "SchemaCompatibilityStrategy",
                (c, t) -> of(c).getSchemaCompatibilityStrategy(t, false),
                (c, t) -> of(c).setSchemaCompatibilityStrategy(t, SchemaCompatibilityStrategy.BACKWARD),
                (c, t) -> of(c).removeSchemaCompatibilityStrategy(t)));
        all.add(new Policy(
                "AutoSubscriptionCreation",
                (c, t) -> of(c).getAutoSubscriptionCreation(t, false),
                (c, t) -> of(c).setAutoSubscriptionCreation(
                                t,
                                AutoSubscriptionCreationOverride.builder()
                                        .allowAutoSubscriptionCreation(false)
                                        .build()),
                (c, t) -> of(c).removeAutoSubscriptionCreation(t)));
    }

    private static TopicPolicies of(Context context) {
        return context.admin().topicPolicies();
    }
}
