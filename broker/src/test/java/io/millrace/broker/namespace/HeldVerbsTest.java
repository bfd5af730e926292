package io.millrace.broker.namespace;

import static io.millrace.broker.namespace.NamespacesFixture.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.log.ForcePoint;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.log.SimulatedDisk;
import io.millrace.broker.topic.NewSubscription;
import io.millrace.broker.topic.StartAt;
import io.millrace.broker.topic.TopicName;
import io.millrace.testkit.Behaviour;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is asked while what came before it waits for the disk. */
@Timeout(60)
class HeldVerbsTest {
    private static final NamespaceName DEV = new NamespaceName("acme", "dev");
    private static final TopicName TOPIC = TopicName.parse("acme/dev/x");
    private static final TopicName LIVE = TopicName.parse("non-persistent://acme/dev/live");
    private static final Map<String, String> ROLES = Map.of("roles", "ann");
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

    private SimulatedDisk disk = new SimulatedDisk();
    private NamespaceSettings settings = NamespaceSettings.DEFAULTS;
    private NamespacesFixture broker;
    private Namespaces names;

    @BeforeEach
    void start() throws Exception {
        LogConfig config = LogConfig.defaults(Path.of("/data")).withJournal(1 << 20, 2);
        broker = new NamespacesFixture(config, disk, settings);
        names = broker.names;
    }

    @AfterEach
    void stop() {
        disk.release(ForcePoint.JOURNAL_GROUP);
        broker.close();
    }

    private void restart() throws Exception {
        broker.close();
        disk = SimulatedDisk.afterPowerLoss(disk.trace(), disk.changeCount(), 1, null);
        start();
    }

    @Test
    @Behaviour("NS-6")
    void aTopicThatIsBeingMadeGoesWithItsNamespace() throws Exception {
        for (Map<String, String> properties : List.of(Map.<String, String>of(), ROLES)) {
            await(names.ensureNamespace(DEV));
            disk.hold(ForcePoint.JOURNAL_GROUP);
            CompletionStage<Void> made = names.createTopic(TOPIC, properties);
            until(() -> broker.log.hasTopic(TOPIC.full()));
            CompletionStage<Void> deleted = names.deleteNamespaceWithTopics(DEV);
            until(() -> !broker.log.hasTopic(TOPIC.full()));
            disk.release(ForcePoint.JOURNAL_GROUP);
            assertThat(refusal(made)).isEqualTo(ErrorKind.SERVICE_NOT_READY);
            await(deleted);
            assertThat(topicsOfDev()).isEmpty();
            restart();
            assertThat(topicsOfDev()).isEmpty();
            assertThat(broker.log.values().keySet()).noneMatch(name -> name.contains("acme/dev"));
            assertThat(await(names.namespaces("acme"))).isEmpty();
        }
    }

    @Test
    @Behaviour("NS-6")
    void aTenantGoesWithAllItsNamespacesAndNothingIsMadeInItMeanwhile() throws Exception {
        NamespaceName other = new NamespaceName("acme", "other");
        await(names.createTenant("acme", Map.of()));
        for (NamespaceName namespace : List.of(DEV, other)) {
            await(names.createNamespace(namespace, Map.of()));
            await(names.createPartitionedTopic(TopicName.parse(namespace + "/many"), 3, Map.of()));
            await(names.open(TopicName.parse(namespace + "/open"), true));
        }
        disk.hold(ForcePoint.JOURNAL_GROUP);
        CompletionStage<Void> deleted = names.deleteTenantWithTopics("acme");
        CompletionStage<Void> again = names.deleteTenantWithTopics("acme");
        CompletionStage<Void> made = names.createNamespace(new NamespaceName("acme", "late"), Map.of());
        CompletionStage<Void> changed = names.updateTenant("acme", Map.of("a", "b"));
        for (CompletionStage<Void> late : List.of(again, made, changed)) {
            assertThat(refusal(late)).isEqualTo(ErrorKind.SERVICE_NOT_READY);
        }
        disk.release(ForcePoint.JOURNAL_GROUP);
        await(deleted);
        for (int i = 0; i < 2; i++) {
            assertThat(await(names.tenants())).containsExactly("public", "pulsar");
            assertThat(refusal(names.namespaces("acme"))).isEqualTo(ErrorKind.TENANT_NOT_FOUND);
            assertThat(broker.log.topicNames()).isEmpty();
            restart();
        }
        assertThat(refusal(names.deleteTenantWithTopics("acme"))).isEqualTo(ErrorKind.TENANT_NOT_FOUND);
        assertThat(refusal(names.deleteTenantWithTopics("public"))).isEqualTo(ErrorKind.NOT_ALLOWED);
        await(names.createTenant("acme", Map.of()));
        await(names.createNamespace(DEV, Map.of()));
    }

    @Test
    @Behaviour("NS-6")
    void aTopicThatIsBeingMadeIsNotThereOnceItIsDeleted() throws Exception {
        await(names.ensureNamespace(DEV));
        disk.hold(ForcePoint.JOURNAL_GROUP);
        CompletionStage<Void> made = names.createTopic(TOPIC);
        until(() -> broker.log.hasTopic(TOPIC.full()));
        CompletionStage<Void> deleted = names.deleteTopic(TOPIC, true);
        until(() -> !broker.log.hasTopic(TOPIC.full()));
        disk.release(ForcePoint.JOURNAL_GROUP);
        assertThat(refusal(made)).isEqualTo(ErrorKind.SERVICE_NOT_READY);
        await(deleted);
        assertThat(topicsOfDev()).isEmpty();
    }

    @Test
    @Behaviour("NS-6")
    void policiesThatAreBeingSetGoWithTheNamespaceOfTheirTopic() throws Exception {
        await(names.ensureNamespace(DEV));
        await(names.createTopic(TOPIC));
        restart(); // or it would be open, and closing it waits for the disk
        await(names.createTopic(LIVE));
        disk.hold(ForcePoint.JOURNAL_GROUP);
        List<CompletionStage<Void>> set = List.of(
                names.setTopicPolicies(TOPIC, Set.of(), ROLES), names.setGlobalTopicPolicies(LIVE, Set.of(), ROLES));
        CompletionStage<Void> deleted = names.deleteNamespaceWithTopics(DEV);
        until(() -> !broker.log.hasTopic(TOPIC.full()));
        disk.release(ForcePoint.JOURNAL_GROUP);
        for (CompletionStage<Void> each : set) {
            await(each);
        }
        await(deleted);
        for (int i = 0; i < 2; i++) {
            await(names.ensureNamespace(DEV));
            for (TopicName topic : List.of(TOPIC, LIVE)) {
                await(names.open(topic, true));
                assertThat(await(names.topicPolicies(topic))).isEmpty();
                assertThat(await(names.globalTopicPolicies(topic))).isEmpty();
            }
            restart();
        }
    }

    @Test
    void topicsThatAreUnloadedTogetherAreSoAroundThoseThatAreGoneOrBeingChanged() throws Exception {
        await(names.ensureNamespace(DEV));
        await(names.createPartitionedTopic(TOPIC, 2, Map.of()));
        await(names.createTopic(LIVE));
        List<TopicName> all = List.of(TopicName.parse("acme/dev/gone"), TOPIC.partition(0), LIVE);
        disk.hold(ForcePoint.JOURNAL_GROUP);
        CompletionStage<Integer> grown = names.growPartitionedTopic(TOPIC, 3);
        assertThat(refusal(names.unload(all))).isEqualTo(ErrorKind.SERVICE_NOT_READY);
        assertThat(await(names.openTopics(List.of(LIVE)))).isEmpty();
        disk.release(ForcePoint.JOURNAL_GROUP);
        await(grown);
        await(names.unload(all));
    }

    @Test
    @Behaviour("NS-13")
    void aSubscriptionThatIsMadeOrDeletedWhilePartitionsAreAddedIsSoOnAllOfThem() throws Exception {
        await(names.ensureNamespace(DEV));
        for (boolean isDeletion : List.of(false, true)) {
            for (boolean growsFirst : List.of(false, true)) {
                TopicName topic = TopicName.parse("acme/dev/" + isDeletion + growsFirst);
                await(names.createPartitionedTopic(topic, 2, Map.of()));
                if (isDeletion) {
                    await(create(topic));
                }
                disk.hold(ForcePoint.JOURNAL_GROUP);
                CompletionStage<Integer> early = growsFirst ? names.growPartitionedTopic(topic, 3) : null;
                CompletionStage<Void> verb = isDeletion ? delete(topic) : create(topic);
                CompletionStage<Integer> grown = early == null ? names.growPartitionedTopic(topic, 3) : early;
                disk.release(ForcePoint.JOURNAL_GROUP);
                await(verb);
                await(grown);
                for (TopicName part : await(names.parts(topic))) {
                    assertThat(await(names.subscriptions().names(List.of(part))))
                            .as("%s, of which it is grown first: %s", part, growsFirst)
                            .isEqualTo(isDeletion ? Set.of() : Set.of("s"));
                }
            }
        }
    }

    @Test
    @Behaviour("NS-13")
    void aSubscriptionThatIsDeletedInANamespaceWhilePartitionsAreAddedIsSoOnAllOfThem() throws Exception {
        await(names.ensureNamespace(DEV));
        for (boolean growsFirst : List.of(false, true)) {
            TopicName topic = TopicName.parse("acme/dev/" + growsFirst);
            await(names.createPartitionedTopic(topic, 2, Map.of()));
            await(create(topic));
            disk.hold(ForcePoint.JOURNAL_GROUP);
            CompletionStage<Integer> early = growsFirst ? names.growPartitionedTopic(topic, 3) : null;
            CompletionStage<Void> deleted =
                    names.withTopics(DEV, all -> names.subscriptions().delete(all, "s", false));
            CompletionStage<Integer> grown = early == null ? names.growPartitionedTopic(topic, 3) : early;
            disk.release(ForcePoint.JOURNAL_GROUP);
            await(deleted);
            await(grown);
            assertThat(await(names.subscriptions().names(await(names.parts(topic)))))
                    .as("of a topic that is grown first: %s", growsFirst)
                    .isEmpty();
        }
    }

    private CompletionStage<Void> create(TopicName topic) {
        NewSubscription earliest = NewSubscription.at(StartAt.EARLIEST);
        return names.withParts(topic, parts -> names.subscriptions().create(parts, "s", earliest));
    }

    private CompletionStage<Void> delete(TopicName topic) {
        return names.withParts(topic, parts -> names.subscriptions().delete(parts, "s", false));
    }

    @Test
    @Behaviour("NS-13")
    void aTenantThatIsBeingMadeKeepsItsPropertiesWhenANamespaceIsMadeInIt() throws Exception {
        settings = settings.withNamespaces(true);
        restart();
        disk.hold(ForcePoint.JOURNAL_GROUP);
        CompletionStage<Void> tenant = names.createTenant("acme", ROLES);
        CompletionStage<Void> topic = names.createTopic(TOPIC);
        CompletionStage<Void> same = names.ensureNamespace(DEV);
        assertThat(refusal(names.tenant("acme"))).isEqualTo(ErrorKind.TENANT_NOT_FOUND);
        disk.release(ForcePoint.JOURNAL_GROUP);
        await(tenant);
        await(topic);
        await(same);
        for (int i = 0; i < 2; i++) {
            assertThat(await(names.tenant("acme"))).isEqualTo(ROLES);
            assertThat(await(names.namespaces("acme"))).containsExactly(DEV);
            restart();
        }
    }

    @Test
    @Behaviour("NS-13")
    void aTenantThatIsBeingDeletedIsMadeAgainByANamespaceInIt() throws Exception {
        settings = settings.withNamespaces(true);
        restart();
        await(names.createTenant("acme", ROLES));
        disk.hold(ForcePoint.JOURNAL_GROUP);
        CompletionStage<Void> deleted = names.deleteTenant("acme");
        CompletionStage<Void> made = names.ensureNamespace(DEV);
        disk.release(ForcePoint.JOURNAL_GROUP);
        await(deleted);
        await(made);
        for (int i = 0; i < 2; i++) {
            assertThat(await(names.tenant("acme"))).isEmpty();
            assertThat(await(names.namespaces("acme"))).containsExactly(DEV);
            restart();
        }
    }

    @Test
    @Behaviour("NS-13")
    void aTenantThatCannotBeDeletedKeepsItsProperties() throws Exception {
        await(names.createTenant("acme", ROLES));
        disk.failForce(ForcePoint.JOURNAL_GROUP, new IOException("the disk is gone"));
        assertThatThrownBy(() -> await(names.deleteTenant("acme"))).hasMessageContaining("the disk is gone");
        assertThat(await(names.tenant("acme"))).isEqualTo(ROLES);
    }

    private List<String> topicsOfDev() {
        return broker.log.topicNames(name -> DEV.holds(TopicName.parse(name)));
    }

    private static void until(BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as("it came to pass in time").isNegative();
            Thread.onSpinWait();
        }
    }

    private static ErrorKind refusal(CompletionStage<?> asked) throws Exception {
        try {
            await(asked);
        } catch (BrokerException refusal) {
            return refusal.kind();
        }
        throw new AssertionError("it was done");
    }
}
