package io.millrace.broker.namespace;

import static io.millrace.broker.namespace.NamespacesFixture.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.log.DiskFiles;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.log.Position;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.topic.StartAt;
import io.millrace.broker.topic.TopicLimits;
import io.millrace.broker.topic.TopicName;
import io.millrace.testkit.Behaviour;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NamespacesTest {
    private static final long SMALL_HEAP_BYTES = 7_000_000;
    private static final NamespaceName DEV = new NamespaceName("acme", "dev");

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
        start(settings, TopicLimits.DEFAULTS.withUnloadIdleAfter(Duration.ofMillis(50)));
    }

    private void start(NamespaceSettings settings, TopicLimits limits) throws Exception {
        LogConfig config = LogConfig.defaults(folder).withJournal(1 << 20, 2);
        broker = new NamespacesFixture(config, new DiskFiles(), settings, limits);
        names = broker.names;
    }

    private void restart() throws Exception {
        broker.close();
        start();
    }

    @Test
    @Behaviour("NS-1")
    void aNewBrokerHasTheTwoNamespacesOfPulsar() throws Exception {
        assertThat(await(names.tenants())).containsExactly("public", "pulsar");
        assertThat(await(names.namespaces("public"))).containsExactly(NamespaceName.DEFAULT);
        assertThat(await(names.namespaces("pulsar"))).containsExactly(NamespaceName.SYSTEM);
        assertKind(ErrorKind.NOT_ALLOWED, () -> await(names.deleteNamespace(NamespaceName.DEFAULT)));
    }

    @Test
    @Behaviour("NS-1")
    void tenantsNamespacesAndPoliciesAreThereAfterARestart() throws Exception {
        await(names.createTenant("acme", Map.of("owner", "me")));
        await(names.createNamespace(DEV, Map.of("a", "1")));
        await(names.setPolicy(DEV, "b", "2"));
        await(names.setPolicy(DEV, "a", null));
        await(names.createTenant("gone", Map.of()));
        await(names.deleteTenant("gone"));
        for (int i = 0; i < 2; i++) {
            restart();
            assertThat(await(names.tenants())).containsExactly("acme", "public", "pulsar");
            assertThat(await(names.tenant("acme"))).isEqualTo(Map.of("owner", "me"));
            assertThat(await(names.policies(DEV))).isEqualTo(Map.of("b", "2"));
        }
        await(names.deleteNamespace(DEV));
        await(names.deleteTenant("acme"));
        restart();
        assertThat(await(names.tenants())).containsExactly("public", "pulsar");
    }

    /** Whoever asks for what cannot be, in this process, is told; nobody else is concerned. */
    @Test
    @Behaviour("NS-1")
    void whatAVerbThrowsIsItsAnswerAlone() throws Exception {
        Map<String, String> withNull = new HashMap<>();
        withNull.put("owner", null);
        assertThatThrownBy(() -> await(names.createTenant("acme", withNull)))
                .hasRootCauseInstanceOf(NullPointerException.class);
        await(names.createTenant("acme", Map.of()));
        await(names.createNamespace(DEV, Map.of()));
        assertThatThrownBy(() -> await(names.changePolicies(DEV, kept -> {
                    throw new AssertionError("mine");
                })))
                .hasRootCauseMessage("mine");
        await(names.setPolicy(DEV, "a", "1"));
        assertThat(await(names.policies(DEV))).isEqualTo(Map.of("a", "1"));
    }

    /** They are read at the next start, which needs memory for them, too. */
    @Test
    @Behaviour("NS-1")
    void textsOfNamespacesAndTenantsAreRefusedWhereThereIsNoMemoryForThem() throws Exception {
        restartWith(new MemoryBudget(SMALL_HEAP_BYTES));
        await(names.createTenant("acme", Map.of()));
        await(names.createNamespace(DEV, Map.of()));
        assertKind(ErrorKind.TOO_MANY_REQUESTS, () -> {
            for (int i = 0; i < 200; i++) {
                await(names.setPolicies(DEV, Set.of(), Map.of("property k" + i, "x".repeat(60_000))));
            }
        });
        assertKind(
                ErrorKind.TOO_MANY_REQUESTS,
                () -> await(names.updateTenant("acme", Map.of("roles", "x".repeat(60_000)))));
        await(names.setPolicy(DEV, "property k0", null));
        await(names.updateTenant("acme", Map.of("roles", "few")));
    }

    /** Each of them takes many times what is stored of it. */
    @Test
    @Behaviour("NS-1")
    void manyShortTextsCountAsWhatTheyTakeInMemory() throws Exception {
        MemoryBudget memory = new MemoryBudget(SMALL_HEAP_BYTES);
        restartWith(memory);
        await(names.createTenant("acme", Map.of()));
        Map<String, String> texts = new HashMap<>();
        for (int i = 0; i < 1_500; i++) {
            texts.put("property " + i, "x");
        }
        List<NamespaceName> made = new ArrayList<>();
        assertKind(ErrorKind.TOO_MANY_REQUESTS, () -> {
            for (int i = 0; i < SMALL_HEAP_BYTES / 100_000; i++) {
                NamespaceName name = new NamespaceName("acme", "n" + i);
                await(names.createNamespace(name, texts));
                made.add(name);
            }
        });
        assertThat(made).hasSizeGreaterThan(10);
        for (NamespaceName name : made) {
            await(names.deleteNamespace(name));
        }
        await(names.createNamespace(DEV, texts));
    }

    private void restartWith(MemoryBudget memory) throws Exception {
        broker.close();
        broker = new NamespacesFixture(
                LogConfig.defaults(folder).withJournal(8 << 20, 2),
                new DiskFiles(),
                NamespaceSettings.DEFAULTS,
                new NamespacesFixture.Limits(TopicLimits.DEFAULTS, memory));
        names = broker.names;
    }

    @Test
    @Behaviour("NS-1")
    void whatStandsAgainstAVerbIsSaidAndNothingIsChanged() throws Exception {
        await(names.createTenant("acme", Map.of()));
        await(names.createNamespace(DEV, Map.of()));
        assertKind(ErrorKind.CONFLICT, () -> await(names.createTenant("acme", Map.of())));
        assertKind(ErrorKind.CONFLICT, () -> await(names.createNamespace(DEV, Map.of())));
        assertKind(ErrorKind.CONFLICT, () -> await(names.deleteTenant("acme")));
        assertKind(ErrorKind.TENANT_NOT_FOUND, () -> await(names.deleteTenant("nobody")));
        assertKind(
                ErrorKind.TENANT_NOT_FOUND,
                () -> await(names.createNamespace(new NamespaceName("nobody", "n"), Map.of())));
        assertKind(ErrorKind.NAMESPACE_NOT_FOUND, () -> await(names.deleteNamespace(new NamespaceName("acme", "n"))));
        assertKind(ErrorKind.INVALID_TOPIC_NAME, () -> await(names.createTenant("a b", Map.of())));
        assertKind(ErrorKind.NOT_ALLOWED, () -> await(names.setPolicy(DEV, "auto-topics", "sometimes")));
        assertKind(ErrorKind.NOT_ALLOWED, () -> await(names.setPolicy(DEV, "auto-topic-partitions", "many")));
        for (String inactive : List.of("delete_when_no_subscribers,60,true", "delete_when_no_subscriptions,60,True")) {
            assertKind(ErrorKind.NOT_ALLOWED, () -> await(names.setPolicy(DEV, "inactive-topics", inactive)));
        }
        await(broker.open("acme/dev/used").createSubscription("s", StartAt.EARLIEST));
        TopicName used = TopicName.parse("acme/dev/used");
        Map<String, String> ofSchemas = Map.of("schema-compatibility", "BACKWARD");
        assertKind(ErrorKind.NOT_ALLOWED, () -> await(names.setTopicPolicies(used, Set.of(), ofSchemas)));
        assertKind(ErrorKind.NOT_ALLOWED, () -> await(names.setGlobalTopicPolicies(used, Set.of(), ofSchemas)));
        assertKind(ErrorKind.CONFLICT, () -> await(names.deleteNamespace(DEV)));
        assertThat(await(names.namespaces("acme"))).containsExactly(DEV);
    }

    @Test
    @Behaviour("NS-3")
    void aTopicInANamespaceThatThereIsNotIsRefused() throws Exception {
        TopicName topic = TopicName.parse("acme/dev/x");
        assertKind(ErrorKind.NAMESPACE_NOT_FOUND, () -> await(names.open(topic, true)));
        assertKind(ErrorKind.NAMESPACE_NOT_FOUND, () -> await(names.lookUp(topic)));
        assertKind(ErrorKind.NAMESPACE_NOT_FOUND, () -> await(names.partitionsOf(topic, true)));
        assertKind(ErrorKind.TOPIC_NOT_FOUND, () -> await(names.partitionsOf(topic, false)));
        assertKind(ErrorKind.NAMESPACE_NOT_FOUND, () -> await(names.createTopic(topic)));
        assertKind(ErrorKind.NAMESPACE_NOT_FOUND, () -> await(names.createPartitionedTopic(topic, 2, Map.of())));
        assertKind(ErrorKind.NAMESPACE_NOT_FOUND, () -> await(names.topics(DEV)));
        assertThat(broker.log.topicNames()).isEmpty();
        await(names.ensureNamespace(DEV));
        await(names.ensureNamespace(DEV));
        await(await(names.open(topic, true)).createSubscription("s", StartAt.EARLIEST));
        assertThat(await(names.topics(DEV))).containsExactly("persistent://acme/dev/x");
    }

    @Test
    @Behaviour("NS-3")
    void byASettingNamespacesAreMadeOnUse() throws Exception {
        broker.close();
        start(NamespaceSettings.DEFAULTS.withNamespaces(true));
        List<CompletionStage<?>> opened = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            opened.add(names.open(TopicName.parse("acme/dev/x" + i), true));
        }
        for (CompletionStage<?> one : opened) {
            await(one);
        }
        assertThat(await(names.partitionsOf(TopicName.parse("acme/other/x"), true)))
                .isZero();
        restart();
        assertThat(await(names.namespaces("acme"))).containsExactly(DEV, new NamespaceName("acme", "other"));
    }

    @Test
    @Behaviour("NS-2")
    void aFolderOfEarlierVersionsHasTheNamespacesOfItsTopics() throws Exception {
        for (String name : List.of("ns/x", "ns/y", "other/z-partition-3")) {
            // A topic that holds nothing would soon be deleted.
            await(await(broker.log.openTopic("persistent://old/" + name)).openCursor("s", Position.BEFORE_ALL));
        }
        restart();
        broker.open("old/ns/new");
        broker.open("old/other/z-partition-3");
        assertThat(await(names.namespaces("old")))
                .containsExactly(new NamespaceName("old", "ns"), new NamespaceName("old", "other"));
        restart();
        broker.log
                .topicNames()
                .forEach(name ->
                        broker.log.deleteTopic(name).toCompletableFuture().join());
        restart();
        assertThat(await(names.namespaces("old"))).hasSize(2);
    }

    @Test
    @Behaviour("NS-4")
    void whatATopicBecomesIsSaidBySettingsAndByPolicies() throws Exception {
        broker.close();
        start(NamespaceSettings.DEFAULTS, TopicLimits.DEFAULTS); // "z" stays until it is opened
        await(names.ensureNamespace(DEV));
        await(names.setPolicy(DEV, "auto-topics", "partitioned"));
        await(names.setPolicy(DEV, "auto-topic-partitions", "3"));
        assertThat(broker.partitions("acme/dev/x", true)).isEqualTo(3);
        assertThat(broker.partitions("acme/dev/x", false)).isEqualTo(3);
        assertThat(await(names.topics(DEV))).hasSize(3);
        assertThat(broker.partitions("y", true)).isZero();
        await(names.setPolicy(DEV, "auto-topics", "never"));
        assertKind(ErrorKind.TOPIC_NOT_FOUND, () -> broker.partitions("acme/dev/z", true));
        assertKind(ErrorKind.TOPIC_NOT_FOUND, () -> broker.open("acme/dev/z"));
        broker.open("acme/dev/x-partition-2");
        await(names.createTopic(TopicName.parse("acme/dev/z")));
        broker.open("acme/dev/z");
    }

    @Test
    @Behaviour("NS-4")
    void aTopicThatSomebodyHasMadeStaysThoughNobodyUsesIt() throws Exception {
        TopicName made = TopicName.parse("made");
        await(names.setPolicy(NamespaceName.DEFAULT, "auto-topics", "never"));
        await(names.createTopic(made));
        await(names.unload(made));
        broker.open("made");
        restart();
        broker.open("made");
        await(names.unload(made));
        await(names.deleteTopic(made, false));
        assertKind(ErrorKind.TOPIC_NOT_FOUND, () -> broker.open("made"));
    }

    @Test
    @Behaviour("NS-4")
    void whoAsksAtOnceForATopicThatIsMadePartitionedGetsOneAnswer() throws Exception {
        broker.close();
        start(NamespaceSettings.DEFAULTS.withTopics(new AutoTopics(AutoTopics.Kind.PARTITIONED, 4)));
        List<CompletionStage<Integer>> asked = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            asked.add(names.partitionsOf(TopicName.parse("x"), true));
        }
        for (CompletionStage<Integer> one : asked) {
            assertThat(await(one)).isEqualTo(4);
        }
        broker.open("plain-partition-x");
        assertThat(broker.partitions("plain-partition-x", true)).isZero();
    }

    private static void assertKind(ErrorKind kind, ThrowingCallable request) {
        assertThatThrownBy(request)
                .isInstanceOfSatisfying(
                        BrokerException.class,
                        e -> assertThat(e.kind()).as(e.getMessage()).isEqualTo(kind));
    }

    @Test
    @Behaviour("NS-6")
    void aNamespaceWithATopicThatStoresNothingIsNotEmpty() throws Exception {
        broker.close();
        start(NamespaceSettings.DEFAULTS, TopicLimits.DEFAULTS); // "live" stays though nobody uses it
        await(names.createTenant("acme", Map.of()));
        await(names.createNamespace(DEV, Map.of()));
        await(names.open(TopicName.parse("non-persistent://acme/dev/live"), true));
        assertKind(ErrorKind.CONFLICT, () -> await(names.deleteNamespace(DEV)));
        await(names.deleteNamespaceWithTopics(DEV));
    }
}
