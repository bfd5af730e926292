package io.millrace.junit.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.pulsar.client.admin.Namespaces;
import org.apache.pulsar.client.admin.PulsarAdminException;
import org.apache.pulsar.client.admin.TopicPolicies;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.SubscriptionType;
import org.apache.pulsar.common.policies.data.AuthAction;
import org.apache.pulsar.common.policies.data.AutoSubscriptionCreationOverride;
import org.apache.pulsar.common.policies.data.BacklogQuota;
import org.apache.pulsar.common.policies.data.BacklogQuota.BacklogQuotaType;
import org.apache.pulsar.common.policies.data.DelayedDeliveryPolicies;
import org.apache.pulsar.common.policies.data.DispatchRate;
import org.apache.pulsar.common.policies.data.InactiveTopicDeleteMode;
import org.apache.pulsar.common.policies.data.InactiveTopicPolicies;
import org.apache.pulsar.common.policies.data.PersistencePolicies;
import org.apache.pulsar.common.policies.data.Policies;
import org.apache.pulsar.common.policies.data.PublishRate;
import org.apache.pulsar.common.policies.data.RetentionPolicies;
import org.apache.pulsar.common.policies.data.SchemaCompatibilityStrategy;
import org.apache.pulsar.common.policies.data.SubscribeRate;
import org.junit.jupiter.api.Test;

class PoliciesTest extends AdminFixture {
    private static final String SPACE = "public/limited";
    private static final String TOPIC = "persistent://public/limited/one";

    private static final DispatchRate DISPATCH = DispatchRate.builder()
            .dispatchThrottlingRateInMsg(10)
            .dispatchThrottlingRateInByte(2_000)
            .build();
    private static final SubscribeRate SUBSCRIBE = new SubscribeRate(3, 30);
    private static final RetentionPolicies RETENTION = new RetentionPolicies(10, 20);
    private static final PersistencePolicies COPIES = new PersistencePolicies(2, 2, 1, 0.5);
    private static final DelayedDeliveryPolicies DELAYED =
            DelayedDeliveryPolicies.builder().active(false).tickTime(100).build();
    private static final InactiveTopicPolicies INACTIVE =
            new InactiveTopicPolicies(InactiveTopicDeleteMode.delete_when_no_subscriptions, 5, false);
    private static final AutoSubscriptionCreationOverride NONE_MADE = AutoSubscriptionCreationOverride.builder()
            .allowAutoSubscriptionCreation(false)
            .build();
    private static final BacklogQuota QUOTA = BacklogQuota.builder()
            .limitSize(1_000)
            .retentionPolicy(BacklogQuota.RetentionPolicy.producer_exception)
            .build();

    /** One of the methods of the admin client. */
    private interface Verb<T> {
        T run(String name) throws PulsarAdminException;
    }

    private interface Setter {
        void run(String name) throws PulsarAdminException;
    }

    /** A policy as the admin client has it. */
    private record Policy(Object value, Verb<?> getter, Setter setter, Setter remover) {}

    private List<Policy> ofNamespaces() {
        return Stream.of(valuesOfNamespaces(), objectsOfNamespaces())
                .flatMap(List::stream)
                .toList();
    }

    private List<Policy> ofTopics() {
        return Stream.of(valuesOfTopics(), objectsOfTopics())
                .flatMap(List::stream)
                .toList();
    }

    private List<Policy> valuesOfNamespaces() {
        Namespaces all = admin.namespaces();
        return List.of(
                new Policy(
                        7,
                        all::getMaxProducersPerTopic,
                        n -> all.setMaxProducersPerTopic(n, 7),
                        all::removeMaxProducersPerTopic),
                new Policy(
                        7,
                        all::getMaxConsumersPerTopic,
                        n -> all.setMaxConsumersPerTopic(n, 7),
                        all::removeMaxConsumersPerTopic),
                new Policy(
                        7,
                        all::getMaxConsumersPerSubscription,
                        n -> all.setMaxConsumersPerSubscription(n, 7),
                        all::removeMaxConsumersPerSubscription),
                new Policy(
                        7,
                        all::getMaxSubscriptionsPerTopic,
                        n -> all.setMaxSubscriptionsPerTopic(n, 7),
                        all::removeMaxSubscriptionsPerTopic),
                new Policy(
                        7,
                        all::getMaxUnackedMessagesPerConsumer,
                        n -> all.setMaxUnackedMessagesPerConsumer(n, 7),
                        all::removeMaxUnackedMessagesPerConsumer),
                new Policy(
                        7,
                        all::getMaxUnackedMessagesPerSubscription,
                        n -> all.setMaxUnackedMessagesPerSubscription(n, 7),
                        all::removeMaxUnackedMessagesPerSubscription),
                new Policy(
                        7,
                        all::getNamespaceMessageTTL,
                        n -> all.setNamespaceMessageTTL(n, 7),
                        all::removeNamespaceMessageTTL),
                new Policy(
                        7,
                        all::getSubscriptionExpirationTime,
                        n -> all.setSubscriptionExpirationTime(n, 7),
                        all::removeSubscriptionExpirationTime),
                new Policy(
                        7,
                        all::getDeduplicationSnapshotInterval,
                        n -> all.setDeduplicationSnapshotInterval(n, 7),
                        all::removeDeduplicationSnapshotInterval),
                new Policy(
                        true,
                        all::getDeduplicationStatus,
                        n -> all.setDeduplicationStatus(n, true),
                        all::removeDeduplicationStatus),
                new Policy(
                        7L,
                        all::getCompactionThreshold,
                        n -> all.setCompactionThreshold(n, 7),
                        all::removeCompactionThreshold));
    }

    private List<Policy> objectsOfNamespaces() {
        Namespaces all = admin.namespaces();
        return List.of(
                new Policy(RETENTION, all::getRetention, n -> all.setRetention(n, RETENTION), all::removeRetention),
                new Policy(COPIES, all::getPersistence, n -> all.setPersistence(n, COPIES), all::removePersistence),
                new Policy(
                        DELAYED,
                        all::getDelayedDelivery,
                        n -> all.setDelayedDeliveryMessages(n, DELAYED),
                        all::removeDelayedDeliveryMessages),
                new Policy(
                        INACTIVE,
                        all::getInactiveTopicPolicies,
                        n -> all.setInactiveTopicPolicies(n, INACTIVE),
                        all::removeInactiveTopicPolicies),
                new Policy(
                        DISPATCH, all::getDispatchRate, n -> all.setDispatchRate(n, DISPATCH), all::removeDispatchRate),
                new Policy(
                        DISPATCH,
                        all::getSubscriptionDispatchRate,
                        n -> all.setSubscriptionDispatchRate(n, DISPATCH),
                        all::removeSubscriptionDispatchRate),
                new Policy(
                        DISPATCH,
                        all::getReplicatorDispatchRate,
                        n -> all.setReplicatorDispatchRate(n, DISPATCH),
                        all::removeReplicatorDispatchRate),
                new Policy(
                        SUBSCRIBE,
                        all::getSubscribeRate,
                        n -> all.setSubscribeRate(n, SUBSCRIBE),
                        all::removeSubscribeRate),
                new Policy(
                        new PublishRate(10, 20),
                        all::getPublishRate,
                        n -> all.setPublishRate(n, new PublishRate(10, 20)),
                        all::removePublishRate),
                new Policy(
                        NONE_MADE,
                        all::getAutoSubscriptionCreation,
                        n -> all.setAutoSubscriptionCreation(n, NONE_MADE),
                        all::removeAutoSubscriptionCreation));
    }

    private List<Policy> valuesOfTopics() {
        TopicPolicies all = admin.topicPolicies();
        return List.of(
                new Policy(7, all::getMaxProducers, n -> all.setMaxProducers(n, 7), all::removeMaxProducers),
                new Policy(7, all::getMaxConsumers, n -> all.setMaxConsumers(n, 7), all::removeMaxConsumers),
                new Policy(
                        7,
                        all::getMaxConsumersPerSubscription,
                        n -> all.setMaxConsumersPerSubscription(n, 7),
                        all::removeMaxConsumersPerSubscription),
                new Policy(
                        7,
                        all::getMaxSubscriptionsPerTopic,
                        n -> all.setMaxSubscriptionsPerTopic(n, 7),
                        all::removeMaxSubscriptionsPerTopic),
                new Policy(7, all::getMaxMessageSize, n -> all.setMaxMessageSize(n, 7), all::removeMaxMessageSize),
                new Policy(
                        7,
                        all::getMaxUnackedMessagesOnConsumer,
                        n -> all.setMaxUnackedMessagesOnConsumer(n, 7),
                        all::removeMaxUnackedMessagesOnConsumer),
                new Policy(
                        7,
                        all::getMaxUnackedMessagesOnSubscription,
                        n -> all.setMaxUnackedMessagesOnSubscription(n, 7),
                        all::removeMaxUnackedMessagesOnSubscription),
                new Policy(7, all::getMessageTTL, n -> all.setMessageTTL(n, 7), all::removeMessageTTL),
                new Policy(
                        7,
                        all::getSubscriptionExpirationTime,
                        n -> all.setSubscriptionExpirationTime(n, 7),
                        all::removeSubscriptionExpirationTime),
                new Policy(
                        7,
                        all::getDeduplicationSnapshotInterval,
                        n -> all.setDeduplicationSnapshotInterval(n, 7),
                        all::removeDeduplicationSnapshotInterval),
                new Policy(
                        true,
                        all::getDeduplicationStatus,
                        n -> all.setDeduplicationStatus(n, true),
                        all::removeDeduplicationStatus),
                new Policy(
                        7L,
                        all::getCompactionThreshold,
                        n -> all.setCompactionThreshold(n, 7),
                        all::removeCompactionThreshold));
    }

    private List<Policy> objectsOfTopics() {
        TopicPolicies all = admin.topicPolicies();
        return List.of(
                new Policy(RETENTION, all::getRetention, n -> all.setRetention(n, RETENTION), all::removeRetention),
                new Policy(COPIES, all::getPersistence, n -> all.setPersistence(n, COPIES), all::removePersistence),
                new Policy(
                        DELAYED,
                        all::getDelayedDeliveryPolicy,
                        n -> all.setDelayedDeliveryPolicy(n, DELAYED),
                        all::removeDelayedDeliveryPolicy),
                new Policy(
                        INACTIVE,
                        all::getInactiveTopicPolicies,
                        n -> all.setInactiveTopicPolicies(n, INACTIVE),
                        all::removeInactiveTopicPolicies),
                new Policy(
                        DISPATCH, all::getDispatchRate, n -> all.setDispatchRate(n, DISPATCH), all::removeDispatchRate),
                new Policy(
                        DISPATCH,
                        all::getSubscriptionDispatchRate,
                        n -> all.setSubscriptionDispatchRate(n, DISPATCH),
                        all::removeSubscriptionDispatchRate),
                new Policy(
                        SUBSCRIBE,
                        all::getSubscribeRate,
                        n -> all.setSubscribeRate(n, SUBSCRIBE),
                        all::removeSubscribeRate),
                new Policy(
                        new PublishRate(10, 20),
                        all::getPublishRate,
                        n -> all.setPublishRate(n, new PublishRate(10, 20)),
                        all::removePublishRate),
                new Policy(
                        Set.of(SubscriptionType.Shared, SubscriptionType.Failover),
                        all::getSubscriptionTypesEnabled,
                        n -> all.setSubscriptionTypesEnabled(
                                n, Set.of(SubscriptionType.Shared, SubscriptionType.Failover)),
                        all::removeSubscriptionTypesEnabled),
                new Policy(
                        NONE_MADE,
                        n -> all.getAutoSubscriptionCreation(n, false),
                        n -> all.setAutoSubscriptionCreation(n, NONE_MADE),
                        all::removeAutoSubscriptionCreation));
    }

    private void eachIsSetAndTold(String name, List<Policy> policies) throws Exception {
        for (Policy policy : policies) {
            assertThat((Object) policy.getter.run(name)).isNull();
            policy.setter.run(name);
            assertThat((Object) policy.getter.run(name)).isEqualTo(policy.value);
        }
        restart();
    }

    private void eachIsThereAndRemoved(String name, List<Policy> policies) throws Exception {
        for (Policy policy : policies) {
            assertThat((Object) policy.getter.run(name)).isEqualTo(policy.value);
            policy.remover.run(name);
            assertThat((Object) policy.getter.run(name)).isNull();
        }
    }

    @Test
    void whatANamespaceIsToldItTellsAgain() throws Exception {
        admin.namespaces().createNamespace(SPACE);
        eachIsSetAndTold(SPACE, ofNamespaces());
        Policies told = admin.namespaces().getPolicies(SPACE);
        assertThat(told.max_producers_per_topic).isEqualTo(7);
        assertThat(told.retention_policies).isEqualTo(RETENTION);
        assertThat(told.topicDispatchRate).isEqualTo(Map.of("standalone", DISPATCH));
        assertThat(told.publishMaxMessageRate).isEqualTo(Map.of("standalone", new PublishRate(10, 20)));
        admin.namespaces().createNamespace("public/copy", told);
        assertThat(admin.namespaces().getPolicies("public/copy")).isEqualTo(told);
        eachIsThereAndRemoved(SPACE, ofNamespaces());
        assertThat(admin.namespaces().getPolicies(SPACE))
                .isEqualTo(admin.namespaces().getPolicies(NAMESPACE));
    }

    @Test
    void whatATopicIsToldItTellsAgain() throws Exception {
        admin.namespaces().createNamespace(SPACE);
        admin.topics().createNonPartitionedTopic(TOPIC);
        eachIsSetAndTold(TOPIC, ofTopics());
        eachIsThereAndRemoved(TOPIC, ofTopics());
    }

    @Test
    void aTopicHasWhatItsNamespaceHasUnlessItHasItsOwn() throws Exception {
        admin.namespaces().createNamespace(SPACE);
        admin.topics().createPartitionedTopic(TOPIC, 2);
        TopicPolicies policies = admin.topicPolicies();
        assertThat(policies.getMaxProducers(TOPIC, true)).isZero();
        admin.namespaces().setMaxProducersPerTopic(SPACE, 9);
        assertThat(policies.getMaxProducers(TOPIC)).isNull();
        assertThat(policies.getMaxProducers(TOPIC, true)).isEqualTo(9);
        policies.setMaxProducers(TOPIC, 4);
        assertThat(policies.getMaxProducers(TOPIC, true)).isEqualTo(4);
        refusedWith(412, () -> policies.setMaxProducers(TOPIC + "-partition-0", 4));
        refusedWith(404, () -> policies.setMaxProducers(TOPIC + "-other", 4));
        refusedWith(412, () -> policies.setMaxProducers(TOPIC, -1));
        policies.deleteTopicPolicies(TOPIC);
        assertThat(policies.getMaxProducers(TOPIC, true)).isEqualTo(9);
        policies.setMaxProducers(TOPIC, 4);
        admin.topics().deletePartitionedTopic(TOPIC);
        admin.topics().createNonPartitionedTopic(TOPIC);
        assertThat(policies.getMaxProducers(TOPIC)).isNull();
    }

    @Test
    void deletingThePoliciesOfATopicLeavesItsPermissions() throws Exception {
        admin.namespaces().createNamespace(SPACE);
        admin.topics().createNonPartitionedTopic(TOPIC);
        admin.topics().grantPermission(TOPIC, "ann", Set.of(AuthAction.produce));
        TopicPolicies policies = admin.topicPolicies();
        TopicPolicies global = admin.topicPolicies(true);
        policies.setMaxProducers(TOPIC, 4);
        policies.setSchemaCompatibilityStrategy(TOPIC, SchemaCompatibilityStrategy.FORWARD);
        admin.topics().setSchemaValidationEnforced(TOPIC, true);
        global.setMessageTTL(TOPIC, 7);
        policies.deleteTopicPolicies(TOPIC);
        for (int i = 0; i < 2; i++) {
            assertThat(admin.topics().getPermissions(TOPIC)).isEqualTo(Map.of("ann", Set.of(AuthAction.produce)));
            assertThat(admin.topicPolicies().getMaxProducers(TOPIC)).isNull();
            assertThat(admin.topicPolicies().getSchemaCompatibilityStrategy(TOPIC, false))
                    .isNull();
            assertThat(admin.topics().getSchemaValidationEnforced(TOPIC, false)).isFalse();
            assertThat(admin.topicPolicies(true).getMessageTTL(TOPIC)).isNull();
            restart();
        }
    }

    @Test
    void quotasAreSetByTypeAndToldTogether() throws Exception {
        admin.namespaces().createNamespace(SPACE);
        admin.topics().createNonPartitionedTopic(TOPIC);
        assertThat(admin.namespaces().getBacklogQuotaMap(SPACE)).isEmpty();
        admin.namespaces().setBacklogQuota(SPACE, QUOTA, BacklogQuotaType.message_age);
        assertThat(admin.namespaces().getBacklogQuotaMap(SPACE)).isEqualTo(Map.of(BacklogQuotaType.message_age, QUOTA));
        assertThat(admin.topicPolicies().getBacklogQuotaMap(TOPIC)).isEmpty();
        assertThat(admin.topicPolicies().getBacklogQuotaMap(TOPIC, true))
                .containsEntry(BacklogQuotaType.message_age, QUOTA)
                .containsKey(BacklogQuotaType.destination_storage);
        admin.topicPolicies().setBacklogQuota(TOPIC, QUOTA);
        restart();
        assertThat(admin.topicPolicies().getBacklogQuotaMap(TOPIC))
                .isEqualTo(Map.of(BacklogQuotaType.destination_storage, QUOTA));
        admin.topicPolicies().removeBacklogQuota(TOPIC);
        admin.namespaces().removeBacklogQuota(SPACE, BacklogQuotaType.message_age);
        assertThat(admin.topicPolicies().getBacklogQuotaMap(TOPIC)).isEmpty();
        assertThat(admin.namespaces().getBacklogQuotaMap(SPACE)).isEmpty();
    }

    @Test
    void namespacesAndTopicsHaveProperties() throws Exception {
        admin.namespaces().createNamespace(SPACE);
        admin.namespaces().setProperty(SPACE, "team", "orders");
        admin.namespaces().setProperties(SPACE, Map.of("tier", "two"));
        admin.topics().createNonPartitionedTopic(TOPIC, Map.of("owner", "ann"));
        admin.topics().updateProperties(TOPIC, Map.of("since", "2026"));
        restart();
        assertThat(admin.namespaces().getProperties(SPACE)).isEqualTo(Map.of("team", "orders", "tier", "two"));
        assertThat(admin.namespaces().removeProperty(SPACE, "team")).isEqualTo("orders");
        assertThat(admin.namespaces().getProperty(SPACE, "team")).isNull();
        admin.namespaces().clearProperties(SPACE);
        assertThat(admin.namespaces().getProperties(SPACE)).isEmpty();
        assertThat(admin.topics().getProperties(TOPIC)).isEqualTo(Map.of("owner", "ann", "since", "2026"));
        admin.topics().removeProperties(TOPIC, "owner");
        assertThat(admin.topics().getProperties(TOPIC)).isEqualTo(Map.of("since", "2026"));
        admin.topics().delete(TOPIC);
        admin.topics().createNonPartitionedTopic(TOPIC);
        assertThat(admin.topics().getProperties(TOPIC)).isEmpty();
    }

    @Test
    void aTopicTakesAsManyClientsAsItsPolicySays() throws Exception {
        admin.namespaces().createNamespace(SPACE);
        admin.namespaces().setMaxProducersPerTopic(SPACE, 1);
        admin.namespaces().setMaxSubscriptionsPerTopic(SPACE, 2);
        admin.namespaces().setMaxConsumersPerSubscription(SPACE, 1);
        try (Producer<byte[]> one = client.newProducer().topic(TOPIC).create();
                Consumer<byte[]> first = subscribe("first", SubscriptionType.Shared);
                Consumer<byte[]> second = subscribe("second", SubscriptionType.Shared)) {
            assertThatThrownBy(() -> client.newProducer().topic(TOPIC).create())
                    .isInstanceOf(PulsarClientException.ProducerBusyException.class)
                    .hasMessageContaining("max producers limit");
            assertThatThrownBy(() -> subscribe("third", SubscriptionType.Shared))
                    .isInstanceOf(PulsarClientException.NotAllowedException.class);
            refusedWith(
                    412,
                    () -> admin.topics()
                            .createSubscription(TOPIC, "third", org.apache.pulsar.client.api.MessageId.latest));
            assertThatThrownBy(() -> subscribe("first", SubscriptionType.Shared))
                    .isInstanceOf(PulsarClientException.ConsumerBusyException.class)
                    .hasMessageContaining("max consumers limit");
            admin.topicPolicies().setMaxProducers(TOPIC, 2);
            client.newProducer().topic(TOPIC).create().close();
            one.send(bytes("a"));
            assertThat(text(first.receive())).isEqualTo("a");
            assertThat(text(second.receive())).isEqualTo("a");
        }
    }

    @Test
    void aTopicTakesTheSubscriptionsThatItsPolicyAllows() throws Exception {
        admin.namespaces().createNamespace(SPACE);
        admin.topics().createNonPartitionedTopic(TOPIC);
        admin.topicPolicies().setSubscriptionTypesEnabled(TOPIC, Set.of(SubscriptionType.Shared));
        assertThatThrownBy(() -> subscribe("any", SubscriptionType.Exclusive))
                .isInstanceOf(PulsarClientException.NotAllowedException.class);
        admin.topicPolicies().setAutoSubscriptionCreation(TOPIC, NONE_MADE);
        assertThatThrownBy(() -> subscribe("any", SubscriptionType.Shared))
                .isInstanceOf(PulsarClientException.SubscriptionNotFoundException.class);
        admin.topics().createSubscription(TOPIC, "any", org.apache.pulsar.client.api.MessageId.earliest);
        subscribe("any", SubscriptionType.Shared).close();
    }

    @Test
    void aNamespaceTakesAsManyTopicsAsItsPolicySays() throws Exception {
        admin.namespaces().createNamespace(SPACE);
        admin.namespaces().setMaxTopicsPerNamespace(SPACE, 3);
        admin.topics().createPartitionedTopic(SPACE + "/two", 2);
        refusedWith(412, () -> admin.topics().createPartitionedTopic(SPACE + "/more", 2));
        publish(TOPIC, "a");
        refusedWith(412, () -> admin.topics().createNonPartitionedTopic(SPACE + "/more"));
        assertThatThrownBy(() -> client.newProducer().topic(SPACE + "/more").create())
                .isInstanceOf(PulsarClientException.NotAllowedException.class);
        publish(TOPIC, "b");
        admin.namespaces().setMaxTopicsPerNamespace(SPACE, 0);
        publish(SPACE + "/more", "a");
    }

    private Consumer<byte[]> subscribe(String subscription, SubscriptionType type) throws PulsarClientException {
        return client.newConsumer()
                .topic(TOPIC)
                .subscriptionName(subscription)
                .subscriptionType(type)
                .subscribe();
    }
}
