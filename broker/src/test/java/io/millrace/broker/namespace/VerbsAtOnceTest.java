package io.millrace.broker.namespace;

import static io.millrace.broker.namespace.NamespacesFixture.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.log.DiskFiles;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.schema.SchemaContent;
import io.millrace.broker.schema.SchemaType;
import io.millrace.broker.topic.NewSubscription;
import io.millrace.broker.topic.StartAt;
import io.millrace.broker.topic.TopicName;
import io.millrace.testkit.Behaviour;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is asked while something else of the same name is being stored. */
@Timeout(60)
class VerbsAtOnceTest {
    private static final NamespaceName DEV = new NamespaceName("acme", "dev");
    private static final TopicName TOPIC = TopicName.parse("acme/dev/x");
    private static final int ROUNDS = 20;

    @TempDir
    Path folder;

    private NamespacesFixture broker;
    private Namespaces names;

    @BeforeEach
    void start() throws Exception {
        start(NamespaceSettings.DEFAULTS);
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private void start(NamespaceSettings settings) throws Exception {
        LogConfig config = LogConfig.defaults(folder).withJournal(1 << 20, 2);
        broker = new NamespacesFixture(config, new DiskFiles(), settings);
        names = broker.names;
        await(names.ensureNamespace(DEV));
    }

    @Test
    @Behaviour("NS-13")
    void policiesThatAreChangedAtOnceAreAllChanged() throws Exception {
        Map<String, String> wanted = new HashMap<>();
        List<CompletionStage<Void>> changes = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            wanted.put("key " + i, "");
            changes.add(names.setPolicy(DEV, "key " + i, ""));
        }
        for (CompletionStage<Void> change : changes) {
            await(change);
        }
        assertThat(await(names.policies(DEV))).isEqualTo(wanted);
    }

    @Test
    @Behaviour("NS-13")
    void aChangeOfPoliciesDisturbsNobodyInTheNamespace() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            TopicName old = TopicName.parse("acme/dev/old" + i);
            await(names.createTopic(old));
            CompletionStage<Void> change = names.setPolicy(DEV, "key", "" + i);
            List<CompletionStage<?>> others = List.of(
                    names.lookUp(TOPIC),
                    names.partitionsOf(TOPIC, true),
                    names.open(TopicName.parse("acme/dev/open" + i), true),
                    names.createTopic(TopicName.parse("acme/dev/made" + i)),
                    names.createPartitionedTopic(TopicName.parse("acme/dev/parts" + i), 2, Map.of()),
                    names.changeProperties(old, Map.of("a", "b"), Set.of()),
                    names.schemas().setPolicy(old, "schema-auto-update", "false"));
            await(change);
            for (CompletionStage<?> other : others) {
                await(other);
            }
            CompletionStage<Void> again = names.setPolicy(DEV, "key", null);
            await(names.deleteTopic(old, false));
            await(again);
        }
    }

    @Test
    @Behaviour("NS-13")
    void aNamespaceIsDeletedAfterTheChangesOfItsPolicies() throws Exception {
        for (boolean withTopics : List.of(false, true)) {
            CompletionStage<Void> first = names.setPolicy(DEV, "a", "1");
            CompletionStage<Void> second = names.setPolicy(DEV, "b", "1");
            CompletionStage<Void> deleted =
                    withTopics ? names.deleteNamespaceWithTopics(DEV) : names.deleteNamespace(DEV);
            CompletionStage<Void> late = names.setPolicy(DEV, "c", "1");
            CompletionStage<Void> again =
                    withTopics ? names.deleteNamespaceWithTopics(DEV) : names.deleteNamespace(DEV);
            await(first);
            await(second);
            await(deleted);
            assertThat(refusal(late)).isEqualTo(ErrorKind.NAMESPACE_NOT_FOUND);
            assertThat(refusal(again)).isEqualTo(ErrorKind.NAMESPACE_NOT_FOUND);
            assertThat(await(names.namespaces("acme"))).isEmpty();
            await(names.createNamespace(DEV, Map.of()));
            assertThat(await(names.policies(DEV))).isEmpty();
        }
        CompletionStage<Void> change = names.setPolicy(DEV, "a", "1");
        CompletionStage<Void> deleted = names.deleteTenantWithTopics("acme");
        await(change);
        await(deleted);
        assertThat(await(names.tenants())).doesNotContain("acme");
        assertThat(refusal(names.policies(DEV))).isEqualTo(ErrorKind.NAMESPACE_NOT_FOUND);
    }

    @Test
    @Behaviour("NS-13")
    void aTenantThatIsChangedWhileItGoesIsGone() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            await(names.createTenant("brief", Map.of()));
            CompletionStage<Void> change = names.updateTenant("brief", Map.of("a", "b"));
            CompletionStage<Void> deleted = names.deleteTenant("brief");
            await(change);
            await(deleted);
            assertThat(await(names.tenants())).doesNotContain("brief");
        }
    }

    @Test
    @Behaviour("NS-13")
    void ofTwoThatMakeTheSameOneDoesAndTheOtherHearsThatItIsThere() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            String tenant = "tenant" + i;
            NamespaceName namespace = new NamespaceName("acme", "dev" + i);
            TopicName plain = TopicName.parse("acme/dev/plain" + i);
            TopicName live = TopicName.parse("non-persistent://acme/dev/live" + i);
            TopicName parts = TopicName.parse("acme/dev/parts" + i);
            TopicName either = TopicName.parse("acme/dev/either" + i);
            TopicName other = TopicName.parse("acme/dev/other" + i);
            List<TopicName> both = List.of(parts.partition(0), parts.partition(1));
            Supplier<CompletionStage<?>> createTenant = () -> names.createTenant(tenant, Map.of());
            Supplier<CompletionStage<?>> createNamespace = () -> names.createNamespace(namespace, Map.of());
            onlyTheFirst(createTenant, createTenant, () -> names.tenant(tenant));
            onlyTheFirst(createNamespace, createNamespace, () -> names.policies(namespace));
            onlyTheFirst(() -> names.createTopic(plain), () -> names.createTopic(plain), () -> names.parts(plain));
            onlyTheFirst(() -> names.createTopic(live), () -> names.createTopic(live), () -> names.parts(live));
            onlyTheFirst(() -> partitioned(parts, 2), () -> partitioned(parts, 3), () -> names.parts(parts));
            onlyTheFirst(() -> partitioned(either, 2), () -> names.createTopic(either), () -> names.parts(either));
            onlyTheFirst(() -> names.createTopic(other), () -> partitioned(other, 2), () -> names.parts(other));
            onlyTheFirst(() -> subscribe(List.of(plain)), () -> subscribe(List.of(plain)), () -> skipAll(plain));
            onlyTheFirst(() -> subscribe(both), () -> subscribe(both), () -> skipAll(both.get(1)));
        }
    }

    @Test
    @Behaviour("NS-13")
    void propertiesAndPartitionsThatAreAddedAtOnceAreAllThere() throws Exception {
        await(names.createPartitionedTopic(TOPIC, 2, Map.of()));
        List<CompletionStage<?>> changes = List.of(
                names.changeProperties(TOPIC, Map.of("a", "1"), Set.of()),
                names.growPartitionedTopic(TOPIC, 4),
                names.changeProperties(TOPIC, Map.of("b", "1"), Set.of()),
                names.growPartitionedTopic(TOPIC, 5));
        for (CompletionStage<?> change : changes) {
            await(change);
        }
        assertThat(await(names.properties(TOPIC))).isEqualTo(Map.of("a", "1", "b", "1"));
        assertThat(await(names.topics(DEV))).hasSize(5);
    }

    @Test
    @Behaviour("NS-3")
    void byASettingTheVerbsOfAdministratorsMakeTheNamespace() throws Exception {
        broker.close();
        start(NamespaceSettings.DEFAULTS.withNamespaces(true));
        await(names.createTopic(TopicName.parse("one/a/x")));
        await(names.createPartitionedTopic(TopicName.parse("one/b/x"), 3, Map.of()));
        await(names.setPolicy(new NamespaceName("one", "c"), "key", "1"));
        SchemaContent text = new SchemaContent(SchemaType.STRING, new byte[0], Map.of());
        await(names.schemas().post(TopicName.parse("one/d/x"), text));
        await(names.schemas().setPolicy(TopicName.parse("one/e/x"), "schema-auto-update", "false"));
        assertThat(await(names.namespaces("one")))
                .extracting(NamespaceName::toString)
                .containsExactly("one/a", "one/b", "one/c", "one/d", "one/e");
        assertThat(refusal(names.createNamespace(new NamespaceName("one", "a"), Map.of())))
                .isEqualTo(ErrorKind.CONFLICT);
        assertThat(refusal(names.policies(new NamespaceName("one", "f")))).isEqualTo(ErrorKind.NAMESPACE_NOT_FOUND);
    }

    @Test
    @Behaviour("NS-3")
    void whatIsRemovedOrRefusedMakesNoNamespace() throws Exception {
        broker.close();
        start(NamespaceSettings.DEFAULTS.withNamespaces(true));
        NamespaceName none = new NamespaceName("none", "dev");
        TopicName topic = TopicName.parse("none/dev/x");
        List<CompletionStage<?>> removals = List.of(
                names.setPolicy(none, "key", null),
                names.setPolicies(none, Set.of("key"), Map.of()),
                names.changePolicies(none, kept -> new PolicyChange(kept.keySet(), Map.of())),
                names.schemas().setPolicy(topic, "schema-auto-update", null));
        for (CompletionStage<?> removal : removals) {
            assertThat(refusal(removal)).isEqualTo(ErrorKind.NAMESPACE_NOT_FOUND);
        }
        List<CompletionStage<?>> refused = List.of(
                names.createTopic(topic.partition(3)),
                partitioned(topic.partition(1), 2),
                partitioned(topic, 0),
                names.setPolicy(none, "schema-compatibility", "odd"),
                names.schemas().setPolicy(topic, "schema-compatibility", "odd"),
                names.schemas().setPolicy(topic, "other", "1"));
        for (CompletionStage<?> one : refused) {
            assertThat(refusal(one)).isEqualTo(ErrorKind.NOT_ALLOWED);
        }
        assertThat(await(names.tenants())).doesNotContain("none");
    }

    private CompletionStage<Void> subscribe(List<TopicName> topics) {
        return names.subscriptions().create(topics, "s", NewSubscription.at(StartAt.EARLIEST));
    }

    private CompletionStage<Integer> partitioned(TopicName name, int partitions) {
        return names.createPartitionedTopic(name, partitions, Map.of());
    }

    private CompletionStage<Void> skipAll(TopicName topic) {
        return names.subscriptions().skipAll(SubscriptionVerbs.Chosen.one(List.of(topic), "s"));
    }

    /** Whoever hears that it is there may rely on it. */
    private static void onlyTheFirst(
            Supplier<CompletionStage<?>> one, Supplier<CompletionStage<?>> other, Supplier<CompletionStage<?>> use)
            throws Exception {
        CompletionStage<?> first = one.get();
        assertThat(refusal(other.get())).isEqualTo(ErrorKind.CONFLICT);
        await(use.get());
        await(first);
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
