package io.millrace.junit.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.apache.pulsar.client.admin.ListNamespaceTopicsOptions;
import org.apache.pulsar.client.admin.Mode;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.common.policies.data.AutoTopicCreationOverride;
import org.apache.pulsar.common.policies.data.Policies;
import org.apache.pulsar.common.policies.data.RetentionPolicies;
import org.apache.pulsar.common.policies.data.TenantInfo;
import org.junit.jupiter.api.Test;

class TenantsAndNamespacesTest extends AdminFixture {
    private static TenantInfo info(String... roles) {
        return TenantInfo.builder()
                .adminRoles(Set.of(roles))
                .allowedClusters(Set.of("standalone"))
                .build();
    }

    @Test
    void theClusterAndItsBroker() throws Exception {
        assertThat(admin.clusters().getClusters()).containsExactly("standalone");
        assertThat(admin.clusters().getCluster("standalone").getBrokerServiceUrl())
                .isEqualTo(service.serviceUrl());
        admin.brokers().healthcheck();
        assertThat(admin.brokers().getVersion()).isNotBlank();
        assertThat(admin.brokers().getActiveBrokers("standalone")).hasSize(1);
        assertThat(admin.brokers().getLeaderBroker().getBrokerId()).isNotBlank();
        assertThat(admin.lookups().lookupTopic("persistent://public/default/a")).isEqualTo(service.serviceUrl());
        assertThat(admin.lookups().getBundleRange("persistent://public/default/a"))
                .isEqualTo("0x00000000_0xffffffff");
    }

    @Test
    void aTenantIsMadeChangedAndDeleted() throws Exception {
        admin.tenants().createTenant("acme", info("one", "two"));
        assertThat(admin.tenants().getTenants()).contains("acme", "public", "pulsar");
        refusedWith(409, () -> admin.tenants().createTenant("acme", info()));
        restart();
        assertThat(admin.tenants().getTenantInfo("acme")).isEqualTo(info("one", "two"));
        admin.tenants().updateTenant("acme", info("three"));
        restart();
        assertThat(admin.tenants().getTenantInfo("acme").getAdminRoles()).containsExactly("three");
        assertThat(admin.tenants().getTenantInfo("public").getAllowedClusters()).containsExactly("standalone");
        admin.namespaces().createNamespace("acme/dev");
        refusedWith(409, () -> admin.tenants().deleteTenant("acme"));
        admin.namespaces().deleteNamespace("acme/dev");
        admin.tenants().deleteTenant("acme");
        restart();
        refusedWith(404, () -> admin.tenants().getTenantInfo("acme"));
        refusedWith(404, () -> admin.tenants().updateTenant("acme", info()));
        refusedWith(404, () -> admin.tenants().deleteTenant("acme"));
    }

    @Test
    void aTenantIsRefusedThatCannotBe() {
        refusedWith(
                412,
                () -> admin.tenants().createTenant("a", TenantInfo.builder().build()));
        refusedWith(
                412,
                () -> admin.tenants()
                        .createTenant(
                                "a",
                                TenantInfo.builder()
                                        .allowedClusters(Set.of("other"))
                                        .build()));
        refusedWith(412, () -> admin.tenants().createTenant("a b", info()));
    }

    @Test
    void aTenantGoesByForceWithAllThatItHas() throws Exception {
        admin.tenants().createTenant("acme", info());
        admin.namespaces().createNamespace("acme/dev");
        admin.topics().createPartitionedTopic("acme/dev/many", 3);
        publish("acme/dev/one", "a");
        admin.tenants().deleteTenant("acme", true);
        restart();
        assertThat(admin.tenants().getTenants()).doesNotContain("acme");
    }

    @Test
    void aNamespaceIsMadeListedAndDeleted() throws Exception {
        admin.tenants().createTenant("acme", info());
        refusedWith(404, () -> admin.namespaces().createNamespace("nobody/dev"));
        admin.namespaces().createNamespace("acme/dev", Set.of("standalone"));
        refusedWith(409, () -> admin.namespaces().createNamespace("acme/dev"));
        refusedWith(412, () -> admin.namespaces().createNamespace("acme/other", Set.of("elsewhere")));
        admin.namespaces().createNamespace("acme/with-bundles", 4);
        restart();
        assertThat(admin.namespaces().getNamespaces("acme")).containsExactly("acme/dev", "acme/with-bundles");
        refusedWith(404, () -> admin.namespaces().getNamespaces("nobody"));
        Policies policies = admin.namespaces().getPolicies("acme/dev");
        assertThat(policies.replication_clusters).containsExactly("standalone");
        assertThat(policies.bundles.getNumBundles()).isEqualTo(1);
        assertThat(admin.namespaces().getNamespaceReplicationClusters("acme/dev"))
                .containsExactly("standalone");
        assertThat(admin.namespaces().getPermissions("acme/dev")).isEmpty();
        admin.topics().createNonPartitionedTopic("acme/dev/one");
        refusedWith(409, () -> admin.namespaces().deleteNamespace("acme/dev"));
        admin.namespaces().deleteNamespace("acme/dev", true);
        restart();
        refusedWith(404, () -> admin.namespaces().getPolicies("acme/dev"));
        refusedWith(404, () -> admin.namespaces().deleteNamespace("acme/dev"));
        refusedWith(405, () -> admin.namespaces().deleteNamespace(NAMESPACE));
        refusedWith(405, () -> admin.namespaces().deleteNamespace(NAMESPACE, true));
    }

    @Test
    void topicsOfANamespaceAreListedByMode() throws Exception {
        admin.topics().createNonPartitionedTopic(NAMESPACE + "/stored");
        admin.topics().createPartitionedTopic(NAMESPACE + "/many", 2);
        try (Consumer<byte[]> live = client.newConsumer()
                .topic("non-persistent://public/default/live")
                .subscriptionName("s")
                .subscribe()) {
            assertThat(admin.namespaces().getTopics(NAMESPACE))
                    .containsExactlyInAnyOrder(
                            "persistent://public/default/many-partition-0",
                            "persistent://public/default/many-partition-1",
                            "persistent://public/default/stored");
            assertThat(topics(Mode.NON_PERSISTENT)).containsExactly(live.getTopic());
            assertThat(topics(Mode.ALL)).hasSize(4);
        }
        refusedWith(404, () -> admin.namespaces().getTopics("public/nothing"));
    }

    private java.util.List<String> topics(Mode mode) throws Exception {
        return admin.namespaces()
                .getTopics(
                        NAMESPACE,
                        ListNamespaceTopicsOptions.builder().mode(mode).build());
    }

    @Test
    void whatTopicsBecomeIsANamespacesPolicy() throws Exception {
        assertThat(admin.namespaces().getAutoTopicCreation(NAMESPACE)).isNull();
        admin.namespaces()
                .setAutoTopicCreation(
                        NAMESPACE,
                        AutoTopicCreationOverride.builder()
                                .allowAutoTopicCreation(true)
                                .topicType("partitioned")
                                .defaultNumPartitions(3)
                                .build());
        restart();
        assertThat(admin.namespaces().getAutoTopicCreation(NAMESPACE).getDefaultNumPartitions())
                .isEqualTo(3);
        publish("auto", "a");
        assertThat(admin.topics().getPartitionedTopicMetadata("auto").partitions)
                .isEqualTo(3);
        admin.namespaces()
                .setAutoTopicCreation(
                        NAMESPACE,
                        AutoTopicCreationOverride.builder()
                                .allowAutoTopicCreation(false)
                                .build());
        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> publish("never", "a")))
                .isNotNull();
        admin.namespaces().removeAutoTopicCreation(NAMESPACE);
        restart();
        publish("again", "a");
        refusedWith(
                412,
                () -> admin.namespaces()
                        .setAutoTopicCreation(
                                NAMESPACE,
                                AutoTopicCreationOverride.builder()
                                        .allowAutoTopicCreation(true)
                                        .topicType("square")
                                        .build()));
    }

    @Test
    void policiesWithoutEffectAreKept() throws Exception {
        RetentionPolicies retention = new RetentionPolicies(60, 100);
        admin.namespaces().setRetention(NAMESPACE, retention);
        admin.namespaces().setNamespaceMessageTTL(NAMESPACE, 30);
        admin.namespaces().setDeduplicationStatus(NAMESPACE, true);
        restart();
        assertThat(admin.namespaces().getRetention(NAMESPACE)).isEqualTo(retention);
        assertThat(admin.namespaces().getNamespaceMessageTTL(NAMESPACE)).isEqualTo(30);
        assertThat(admin.namespaces().getDeduplicationStatus(NAMESPACE)).isTrue();
        assertThat(admin.namespaces().getPolicies(NAMESPACE).retention_policies).isEqualTo(retention);
        admin.namespaces().removeRetention(NAMESPACE);
        admin.namespaces().removeNamespaceMessageTTL(NAMESPACE);
        restart();
        assertThat(admin.namespaces().getRetention(NAMESPACE)).isNull();
        assertThat(admin.namespaces().getNamespaceMessageTTL(NAMESPACE)).isNull();
    }

    @Test
    void unloadingANamespaceLetsItsClientsComeBack() throws Exception {
        try (Consumer<byte[]> consumer =
                client.newConsumer().topic("busy").subscriptionName("s").subscribe()) {
            admin.namespaces().unload(NAMESPACE);
            publish("busy", "after");
            assertThat(consumer.receive().getData()).isEqualTo(bytes("after"));
        }
    }
}
