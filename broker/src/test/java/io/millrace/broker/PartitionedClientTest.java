package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.namespace.NamespaceName;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.topic.TopicName;
import io.millrace.testkit.Behaviour;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.MessageRoutingMode;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Reader;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Partitioned topics with the Java client, which sees each partition as a topic of its own. */
@Timeout(90)
class PartitionedClientTest {
    private static final int PARTITIONS = 3;
    private static final int MESSAGES = 60;

    @TempDir
    Path folder;

    private Broker broker;
    private Namespaces names;
    private PulsarClient client;

    @BeforeEach
    void start() throws Exception {
        broker = Broker.start(BrokerConfig.defaults(folder).withPort(0));
        names = broker.namespaces();
        client = RealClient.of(broker).build();
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        broker.close();
    }

    @ParameterizedTest
    @EnumSource(SubscriptionType.class)
    @Behaviour("NS-5")
    void everyTypeOfSubscriptionGetsTheMessagesOfAllPartitions(SubscriptionType type) throws Exception {
        make("orders", PARTITIONS);
        try (Consumer<String> consumer = subscribe("orders", type);
                Producer<String> producer = producer("orders")) {
            Map<Integer, Integer> perPartition = new HashMap<>();
            Map<String, List<String>> byKey = new HashMap<>();
            for (int i = 0; i < MESSAGES; i++) {
                producer.newMessage().key("k" + i % 7).value("m" + i).send();
            }
            for (int i = 0; i < MESSAGES; i++) {
                Message<String> message = next(consumer);
                perPartition.merge(TopicName.parse(message.getTopicName()).partition(), 1, Integer::sum);
                byKey.computeIfAbsent(message.getKey(), key -> new ArrayList<>())
                        .add(message.getValue());
                consumer.acknowledge(message);
            }
            assertThat(perPartition.keySet()).hasSizeGreaterThan(1);
            for (int k = 0; k < 7; k++) {
                List<String> expected = new ArrayList<>();
                for (int i = k; i < MESSAGES; i += 7) {
                    expected.add("m" + i);
                }
                assertThat(byKey.get("k" + k)).isEqualTo(expected);
            }
            assertThat(consumer.receive(100, TimeUnit.MILLISECONDS)).isNull();
        }
    }

    @Test
    @Behaviour("NS-5")
    void clientsThatAreConnectedFindPartitionsThatAreAdded() throws Exception {
        make("growing", 1);
        try (Consumer<String> consumer = client.newConsumer(Schema.STRING)
                        .topic("growing")
                        .subscriptionName("s")
                        .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                        .autoUpdatePartitionsInterval(1, TimeUnit.SECONDS)
                        .subscribe();
                Producer<String> producer = client.newProducer(Schema.STRING)
                        .topic("growing")
                        .enableBatching(false)
                        .messageRoutingMode(MessageRoutingMode.RoundRobinPartition)
                        .autoUpdatePartitionsInterval(1, TimeUnit.SECONDS)
                        .create()) {
            producer.send("before");
            done(names.growPartitionedTopic(TopicName.parse("growing"), 4));
            Set<Integer> used = new HashSet<>();
            await("messages of all four", () -> {
                send(producer);
                Message<String> message = receive(consumer);
                if (message != null) {
                    used.add(TopicName.parse(message.getTopicName()).partition());
                }
                return used.size() == 4;
            });
        }
    }

    @Test
    @Behaviour("NS-5")
    void readersAndSeeksGoOverAllPartitions() throws Throwable {
        make("read", PARTITIONS);
        try (Producer<String> producer = producer("read");
                Consumer<String> consumer = subscribe("read", SubscriptionType.Exclusive)) {
            Set<String> sent = new HashSet<>();
            for (int i = 0; i < MESSAGES; i++) {
                producer.send("m" + i);
                sent.add("m" + i);
            }
            try (Reader<String> reader = client.newReader(Schema.STRING)
                    .topic("read")
                    .startMessageId(MessageId.earliest)
                    .create()) {
                Set<String> read = new HashSet<>();
                while (reader.hasMessageAvailable()) {
                    read.add(reader.readNext(20, TimeUnit.SECONDS).getValue());
                }
                assertThat(read).isEqualTo(sent);
                reader.seek(MessageId.earliest);
                assertThat(reader.hasMessageAvailable()).isTrue();
            }
            assertThat(taken(consumer, MESSAGES)).isEqualTo(sent);
            assertThat(takenAfter(consumer, () -> consumer.seek(MessageId.earliest)))
                    .isEqualTo(sent);
            assertThat(takenAfter(consumer, () -> consumer.seek(System.currentTimeMillis() - 3_600_000)))
                    .isEqualTo(sent);
            consumer.seek(MessageId.latest);
            producer.send("last");
            assertThat(next(consumer).getValue()).isEqualTo("last");
            assertThat(consumer.getLastMessageIds()).hasSize(PARTITIONS);
        }
    }

    @Test
    @Behaviour("NS-4")
    void aTopicIsMadePartitionedWhereTheNamespaceSaysSo() throws Exception {
        broker.createNamespace("acme/dev");
        var namespace = NamespaceName.parse("acme/dev");
        done(names.setPolicy(namespace, "auto-topics", "partitioned"));
        done(names.setPolicy(namespace, "auto-topic-partitions", "5"));
        try (Producer<String> producer = producer("acme/dev/new")) {
            producer.send("x");
            assertThat(client.getPartitionsForTopic("acme/dev/new", false).get(20, TimeUnit.SECONDS))
                    .hasSize(5);
        }
    }

    @Test
    @Behaviour("NS-3")
    void aNamespaceThatThereIsNotIsRefusedAtOnce() throws Exception {
        assertThatThrownBy(() -> producer("acme/dev/x"))
                .isInstanceOfAny(
                        PulsarClientException.NotFoundException.class,
                        PulsarClientException.TopicDoesNotExistException.class)
                .hasMessageContaining("Namespace not found");
        assertThatThrownBy(() -> subscribe("acme/dev/x", SubscriptionType.Shared))
                .hasMessageContaining("Namespace not found");
        broker.createNamespace("acme/dev");
        broker.createNamespace("acme/dev");
        producer("acme/dev/x").close();
    }

    @Test
    @Behaviour("NS-6")
    void aTopicInUseIsDeletedByForceAlone() throws Exception {
        make("used", PARTITIONS);
        try (Producer<String> producer = producer("used")) {
            producer.send("x");
            assertThatThrownBy(() -> done(names.deleteTopic(TopicName.parse("used"), false)))
                    .hasStackTraceContaining("clients are connected");
            producer.send("y");
            done(names.deleteTopic(TopicName.parse("used"), true));
            assertThat(done(names.topics(NamespaceName.DEFAULT)))
                    .doesNotContain("persistent://public/default/used-partition-0");
        }
    }

    @Test
    @Behaviour("NS-7")
    void aTerminatedTopicTakesNothingMoreAndItsConsumersHearOfTheEnd() throws Exception {
        try (Consumer<String> consumer = subscribe("ended", SubscriptionType.Shared);
                Producer<String> producer = producer("ended")) {
            producer.send("a");
            producer.send("b");
            done(names.terminate(TopicName.parse("ended")));
            assertThatThrownBy(() -> producer.send("c"))
                    .isInstanceOf(PulsarClientException.TopicTerminatedException.class);
            assertThatThrownBy(() -> producer("ended"))
                    .isInstanceOf(PulsarClientException.TopicTerminatedException.class);
            Message<String> last = next(consumer);
            while (!last.getValue().equals("b")) { // the first comes twice if it was taken before the topic was closed
                consumer.acknowledge(last);
                last = next(consumer);
            }
            assertThat(consumer.hasReachedEndOfTopic()).isFalse();
            consumer.acknowledge(last);
            await("the end", consumer::hasReachedEndOfTopic);
        }
        try (Consumer<String> again = subscribe("ended", SubscriptionType.Shared)) {
            await("the end", again::hasReachedEndOfTopic);
        }
    }

    @Test
    @Behaviour("NS-7")
    void whoReadsATopicThatEndedWithoutAMessageLeftHearsOfTheEnd() throws Exception {
        TopicName name = TopicName.parse("ended-empty");
        try (Producer<String> producer = producer("ended-empty")) {
            for (int i = 0; i < 3; i++) {
                producer.send("m" + i);
            }
        }
        done(names.truncate(name));
        done(names.terminate(name));
        try (Reader<String> reader = client.newReader(Schema.STRING)
                        .topic("ended-empty")
                        .startMessageId(MessageId.earliest)
                        .create();
                Consumer<String> consumer = subscribe("ended-empty", SubscriptionType.Shared)) {
            await("the end for a reader", reader::hasReachedEndOfTopic);
            await("the end for a consumer", consumer::hasReachedEndOfTopic);
        }
    }

    @Test
    @Behaviour("NS-7")
    void truncatingMovesEverySubscriptionBehindTheLastMessage() throws Exception {
        make("emptied", 2);
        try (Producer<String> producer = producer("emptied");
                Consumer<String> consumer = subscribe("emptied", SubscriptionType.Exclusive)) {
            for (int i = 0; i < 20; i++) {
                producer.send("old " + i);
            }
            taken(consumer, 20); // the client keeps none that it could give out later
            done(names.truncate(TopicName.parse("emptied")));
            producer.send("new");
            await("the new one", () -> {
                Message<String> message = receive(consumer);
                return message != null && message.getValue().equals("new");
            });
            consumer.seek(MessageId.earliest);
            assertThat(next(consumer).getValue()).isEqualTo("new");
        }
    }

    private void make(String topic, int partitions) {
        done(names.createPartitionedTopic(TopicName.parse(topic), partitions, Map.of()));
    }

    private static <T> T done(CompletionStage<T> asked) {
        return asked.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
    }

    private Producer<String> producer(String topic) throws Exception {
        return client.newProducer(Schema.STRING)
                .topic(topic)
                .enableBatching(false)
                .messageRoutingMode(MessageRoutingMode.RoundRobinPartition)
                .sendTimeout(20, TimeUnit.SECONDS)
                .create();
    }

    private Consumer<String> subscribe(String topic, SubscriptionType type) throws Exception {
        return client.newConsumer(Schema.STRING)
                .topic(topic)
                .subscriptionName("s")
                .subscriptionType(type)
                .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                .subscribe();
    }

    private static Set<String> taken(Consumer<String> consumer, int count) throws Exception {
        Set<String> taken = new HashSet<>();
        while (taken.size() < count) {
            taken.add(next(consumer).getValue());
        }
        return taken;
    }

    /** The client drops what one partition is sent before it knows that all have been sought, as on a slow machine; it is sought again then. */
    private static Set<String> takenAfter(Consumer<String> consumer, ThrowingCallable seek) throws Throwable {
        Set<String> taken = new HashSet<>();
        for (int attempt = 0; attempt < 10 && taken.size() < MESSAGES; attempt++) {
            taken.clear();
            seek.call();
            Message<String> message = consumer.receive(2, TimeUnit.SECONDS);
            while (message != null && taken.add(message.getValue()) && taken.size() < MESSAGES) {
                message = consumer.receive(2, TimeUnit.SECONDS);
            }
        }
        return taken;
    }

    private static void send(Producer<String> producer) {
        try {
            producer.send("x");
        } catch (PulsarClientException e) {
            throw new AssertionError(e);
        }
    }

    private static Message<String> receive(Consumer<String> consumer) {
        try {
            Message<String> message = consumer.receive(50, TimeUnit.MILLISECONDS);
            if (message != null) {
                consumer.acknowledge(message);
            }
            return message;
        } catch (PulsarClientException e) {
            throw new AssertionError(e);
        }
    }

    private static Message<String> next(Consumer<String> consumer) throws Exception {
        Message<String> message = consumer.receive(20, TimeUnit.SECONDS);
        assertThat(message).as("nothing came within 20 s").isNotNull();
        return message;
    }

    private static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline).as(what).isNegative();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }
}
