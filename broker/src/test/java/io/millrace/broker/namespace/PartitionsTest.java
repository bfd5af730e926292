package io.millrace.broker.namespace;

import static io.millrace.broker.namespace.NamespacesFixture.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.log.DiskFiles;
import io.millrace.broker.log.LogChange;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.topic.StartAt;
import io.millrace.broker.topic.Topic;
import io.millrace.broker.topic.TopicLimits;
import io.millrace.broker.topic.TopicName;
import io.millrace.testkit.Behaviour;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartitionsTest {
    private static final TopicName TOPIC = TopicName.parse("x");

    @TempDir
    Path folder;

    private NamespacesFixture broker;
    private Namespaces names;

    @BeforeEach
    void start() throws Exception {
        LogConfig config = LogConfig.defaults(folder).withJournal(1 << 20, 2);
        TopicLimits limits = TopicLimits.DEFAULTS.withUnloadIdleAfter(Duration.ofMillis(20));
        broker = new NamespacesFixture(config, new DiskFiles(), NamespaceSettings.DEFAULTS, limits);
        names = broker.names;
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private void restart() throws Exception {
        broker.close();
        start();
    }

    @Test
    @Behaviour("NS-5")
    void allPartitionsAreThereAndStayThoughNobodyUsesThem() throws Exception {
        assertThat(await(names.createPartitionedTopic(TOPIC, 4, Map.of("a", "b"))))
                .isEqualTo(4);
        broker.open("x-partition-2").close();
        broker.log.deleteEmptyTopics();
        for (int i = 0; i < 2; i++) {
            assertThat(await(names.topics(NamespaceName.DEFAULT)))
                    .containsExactly(
                            "persistent://public/default/x-partition-0",
                            "persistent://public/default/x-partition-1",
                            "persistent://public/default/x-partition-2",
                            "persistent://public/default/x-partition-3");
            assertThat(await(names.partitionedTopics(NamespaceName.DEFAULT))).containsExactly(TOPIC);
            assertThat(await(names.properties(TOPIC))).isEqualTo(Map.of("a", "b"));
            assertThat(broker.partitions("x", false)).isEqualTo(4);
            restart();
        }
    }

    @Test
    @Behaviour("NS-5")
    void aPropertyMayHaveAnyName() throws Exception {
        Map<String, String> properties = Map.of("partitions", "seven", "", "empty", "properties", "", "ä\n", "=");
        await(names.createPartitionedTopic(TOPIC, 2, properties));
        await(names.changeProperties(TOPIC, Map.of("more", "1"), Set.of("properties")));
        for (int i = 0; i < 2; i++) {
            assertThat(await(names.properties(TOPIC)))
                    .isEqualTo(Map.of("partitions", "seven", "", "empty", "ä\n", "=", "more", "1"));
            assertThat(broker.partitions("x", false)).isEqualTo(2);
            restart();
        }
    }

    /** Earlier versions stored the number among the properties. */
    @Test
    @Behaviour("NS-5")
    void whatEarlierVersionsStoredIsRead() throws Exception {
        byte[] stored = StoredNames.encode(Map.of("partitions", "3", "a", "b"));
        await(broker.log.change(new LogChange().set(StoredNames.partitioned(TOPIC), stored)));
        restart();
        assertThat(broker.partitions("x", false)).isEqualTo(3);
        assertThat(await(names.properties(TOPIC))).isEqualTo(Map.of("a", "b"));
    }

    @Test
    @Behaviour("NS-5")
    void whatIsNoTopicOfAPartitionedOneIsRefusedAsPulsarDoes() throws Exception {
        await(names.createPartitionedTopic(TOPIC, 2, Map.of()));
        assertKind(ErrorKind.NOT_ALLOWED, "Found partitioned metadata", () -> broker.open("x"));
        assertKind(ErrorKind.TOPIC_NOT_FOUND, "x-partition-2", () -> broker.open("x-partition-2"));
        assertKind(ErrorKind.TOPIC_NOT_FOUND, "x-partition-2", () -> broker.partitions("x-partition-2", true));
        assertThat(broker.partitions("x-partition-1", false)).isZero();
        assertKind(ErrorKind.NOT_ALLOWED, "Partition metadata not found", () -> broker.open("y-partition-0"));
        assertThat(broker.partitions("y-partition-0", true)).isZero();
        assertKind(ErrorKind.TOPIC_NOT_FOUND, "y-partition-0", () -> broker.partitions("y-partition-0", false));
        assertKind(ErrorKind.TOPIC_NOT_FOUND, "no topic", () -> await(names.open(TopicName.parse("z"), false)));
    }

    @Test
    @Behaviour("NS-5")
    void whatCannotBePartitionedIsRefused() throws Exception {
        await(broker.open("plain").createSubscription("s", StartAt.EARLIEST));
        assertKind(ErrorKind.CONFLICT, "already exists", () -> make("plain", 2));
        assertKind(ErrorKind.NOT_ALLOWED, "more than 0", () -> make("x", 0));
        assertKind(ErrorKind.NOT_ALLOWED, "max-partitions-per-topic=10000", () -> make("x", 10_001));
        assertKind(ErrorKind.NOT_ALLOWED, "fit journal files", () -> make("x".repeat(200), 10_000));
        assertKind(ErrorKind.NOT_ALLOWED, "-partition-", () -> make("x-partition-0", 2));
        assertKind(ErrorKind.NOT_ALLOWED, "-partition-", () -> make("x-partition-y", 2));
        assertKind(ErrorKind.CONFLICT, "not the partitioned", () -> await(names.growPartitionedTopic(TOPIC, 3)));
        make("x", 2);
        assertKind(ErrorKind.CONFLICT, "already exists", () -> make("x", 2));
        assertKind(ErrorKind.CONFLICT, "already exists", () -> await(names.createTopic(TOPIC)));
        assertKind(ErrorKind.NOT_ALLOWED, "can't be less", () -> await(names.growPartitionedTopic(TOPIC, 1)));
        assertKind(ErrorKind.NOT_ALLOWED, "isn't a partitioned", () -> await(names.createTopic(TOPIC.partition(2))));
        assertKind(ErrorKind.CONFLICT, "already exists", () -> await(names.createTopic(TOPIC.partition(1))));
        assertThat(await(names.topics(NamespaceName.DEFAULT))).hasSize(3);
    }

    @Test
    @Behaviour("NS-5")
    void moreAreAddedBesideThoseThatAreUsed() throws Exception {
        make("x", 2);
        Topic used = broker.open("x-partition-1");
        await(used.createSubscription("s", StartAt.EARLIEST));
        await(names.growPartitionedTopic(TOPIC, 5));
        await(used.createSubscription("t", StartAt.EARLIEST));
        assertThat(broker.partitions("x", false)).isEqualTo(5);
        broker.open("x-partition-4");
        restart();
        assertThat(broker.partitions("x", false)).isEqualTo(5);
        assertThat(await(broker.open("x-partition-4").subscriptionNames())).containsExactly("s");
        assertThat(await(names.topics(NamespaceName.DEFAULT))).hasSize(5);
    }

    @Test
    @Behaviour("NS-5")
    void aPartitionThatIsMissingIsMadeOnUse() throws Exception {
        make("x", 2);
        broker.log.deleteTopic(TOPIC.partition(1).full()).toCompletableFuture().join();
        assertThat(await(names.topics(NamespaceName.DEFAULT))).hasSize(1);
        await(names.open(TOPIC.partition(1), false)).close();
        restart();
        broker.log.deleteEmptyTopics();
        assertThat(await(names.topics(NamespaceName.DEFAULT))).hasSize(2);
    }

    @Test
    @Behaviour("NS-6")
    void deletingTakesMessagesSubscriptionsAndAllPartitions() throws Exception {
        make("x", 3);
        await(broker.open("x-partition-1").createSubscription("s", StartAt.EARLIEST));
        assertKind(
                ErrorKind.NOT_ALLOWED,
                "goes with its partitioned topic",
                () -> await(names.deleteTopic(TOPIC.partition(1), true)));
        await(names.deleteTopic(TOPIC, true));
        assertThat(await(names.topics(NamespaceName.DEFAULT))).isEmpty();
        assertThat(await(names.partitionedTopics(NamespaceName.DEFAULT))).isEmpty();
        assertKind(ErrorKind.TOPIC_NOT_FOUND, "x", () -> await(names.deleteTopic(TOPIC, true)));
        restart();
        assertThat(broker.partitions("x", true)).isZero();
        assertThat(broker.log.topicNames()).isEmpty();
        await(broker.open("x").createSubscription("s", StartAt.EARLIEST));
        await(names.deleteTopic(TOPIC, true));
        assertThat(broker.log.topicNames()).isEmpty();
    }

    @Test
    @Behaviour("NS-6")
    void oneVerbIsUnderWayAtATimeAndTheOthersAreToldToComeAgain() throws Exception {
        CompletableFuture<Integer> first =
                names.createPartitionedTopic(TOPIC, 3, Map.of()).toCompletableFuture();
        CompletableFuture<Topic> opened = names.open(TOPIC, true).toCompletableFuture();
        CompletableFuture<Integer> second =
                names.createPartitionedTopic(TOPIC, 4, Map.of()).toCompletableFuture();
        assertThat(await(first)).isEqualTo(3);
        assertThatThrownBy(() -> await(opened)).isInstanceOf(BrokerException.class);
        assertThatThrownBy(() -> await(second)).isInstanceOf(BrokerException.class);
        assertThat(broker.partitions("x", false)).isEqualTo(3);
        CompletableFuture<Void> deletion = names.deleteTopic(TOPIC, false).toCompletableFuture();
        CompletableFuture<Topic> late = names.open(TOPIC.partition(0), true).toCompletableFuture();
        await(deletion);
        assertThatThrownBy(() -> await(late)).isInstanceOf(BrokerException.class);
        assertThat(broker.log.topicNames()).isEmpty();
    }

    private void make(String name, int partitions) throws Exception {
        await(names.createPartitionedTopic(TopicName.parse(name), partitions, Map.of()));
    }

    private static void assertKind(ErrorKind kind, String text, ThrowingCallable request) {
        assertThatThrownBy(request)
                .hasMessageContaining(text)
                .isInstanceOfSatisfying(
                        BrokerException.class,
                        e -> assertThat(e.kind()).as(e.getMessage()).isEqualTo(kind));
    }
}
