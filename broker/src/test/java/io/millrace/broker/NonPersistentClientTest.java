package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.namespace.NamespaceName;
import io.millrace.broker.namespace.TopicListing;
import io.millrace.broker.topic.TopicName;
import io.millrace.testkit.Behaviour;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Reader;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Topics that store nothing, with the Java client. */
@Timeout(60)
class NonPersistentClientTest {
    private static final int MESSAGES = 200;
    private static final String TOPIC = "non-persistent://public/default/live";

    @TempDir
    Path folder;

    private Broker broker;
    private PulsarClient client;

    @BeforeEach
    void start() throws Exception {
        broker = Broker.start(BrokerConfig.defaults(folder).withPort(0));
        client = RealClient.of(broker).build();
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        broker.close();
    }

    @ParameterizedTest
    @EnumSource(SubscriptionType.class)
    @Behaviour("NS-11")
    void everyTypeOfSubscriptionGetsWhatIsPublishedWhileItIsThere(SubscriptionType type) throws Exception {
        try (Producer<String> producer = producer(TOPIC);
                Consumer<String> first = subscribe("s", type);
                Consumer<String> other = subscribe("t", SubscriptionType.Shared)) {
            Set<String> sent = new HashSet<>();
            for (int i = 0; i < MESSAGES; i++) {
                producer.newMessage().key("k" + i % 5).value("m" + i).send();
                sent.add("m" + i);
            }
            assertThat(new HashSet<>(taken(first))).isEqualTo(sent);
            assertThat(new HashSet<>(taken(other))).isEqualTo(sent);
            first.unsubscribe();
        }
        assertThat(broker.namespaces()
                        .topics(NamespaceName.DEFAULT)
                        .toCompletableFuture()
                        .join())
                .as("nothing is in the log")
                .isEmpty();
    }

    @Test
    @Behaviour("NS-11")
    void twoConsumersShareAndAKeyStaysWithOne() throws Exception {
        try (Producer<String> producer = producer(TOPIC);
                Consumer<String> first = subscribe("s", SubscriptionType.Key_Shared);
                Consumer<String> second = subscribe("s", SubscriptionType.Key_Shared)) {
            for (int i = 0; i < MESSAGES; i++) {
                producer.newMessage().key("k" + i % 20).value("m" + i).send();
            }
            Set<String> ofFirst = keys(first);
            Set<String> ofSecond = keys(second);
            assertThat(ofFirst).isNotEmpty().doesNotContainAnyElementsOf(ofSecond);
            assertThat(ofFirst.size() + ofSecond.size()).isEqualTo(20);
        }
    }

    @Test
    @Behaviour("NS-11")
    void aFailoverSubscriptionGoesOnWithTheNextConsumer() throws Exception {
        try (Producer<String> producer = producer(TOPIC)) {
            Consumer<String> first = subscribe("s", SubscriptionType.Failover);
            try (Consumer<String> second = subscribe("s", SubscriptionType.Failover)) {
                producer.send("a");
                Consumer<String> active = first.receive(5, TimeUnit.SECONDS) == null ? second : first;
                Consumer<String> waiting = active == first ? second : first;
                active.close();
                producer.send("b");
                assertThat(waiting.receive(20, TimeUnit.SECONDS).getValue()).isEqualTo("b");
            } finally {
                first.close();
            }
        }
    }

    @Test
    @Behaviour("NS-12")
    void whatNobodyTakesIsDroppedAndCountedAndThePublisherGoesOn() throws Exception {
        try (Producer<String> producer = producer(TOPIC);
                Consumer<String> slow = client.newConsumer(Schema.STRING)
                        .topic(TOPIC)
                        .subscriptionName("s")
                        .receiverQueueSize(10)
                        .subscribe()) {
            List<CompletableFuture<MessageId>> sends = new ArrayList<>();
            for (int i = 0; i < MESSAGES; i++) {
                sends.add(producer.sendAsync("m" + i));
            }
            for (CompletableFuture<MessageId> send : sends) {
                assertThat(send.get(20, TimeUnit.SECONDS)).isNotNull();
            }
            List<String> taken = taken(slow);
            assertThat(taken).hasSizeBetween(1, MESSAGES - 1).startsWith("m0");
        }
    }

    @Test
    @Behaviour("NS-11")
    void whatIsPublishedWithoutAConsumerIsGoneAndThereIsNothingToSeekTo() throws Exception {
        try (Producer<String> producer = producer(TOPIC)) {
            producer.send("before");
            try (Consumer<String> consumer = subscribe("s", SubscriptionType.Exclusive);
                    Reader<String> reader = client.newReader(Schema.STRING)
                            .topic(TOPIC)
                            .startMessageId(MessageId.earliest)
                            .create()) {
                producer.send("after");
                assertThat(consumer.receive(20, TimeUnit.SECONDS).getValue()).isEqualTo("after");
                assertThat(reader.readNext(20, TimeUnit.SECONDS).getValue()).isEqualTo("after");
                assertThatThrownBy(() -> consumer.seek(MessageId.earliest))
                        .isInstanceOf(PulsarClientException.class)
                        .hasMessageContaining("no position");
                assertThatThrownBy(() -> subscribe("s", SubscriptionType.Exclusive))
                        .isInstanceOf(PulsarClientException.ConsumerBusyException.class);
            }
        }
    }

    @Test
    @Behaviour("NS-11")
    void theyArePartitionedListedAndDeletedLikeOthers() throws Exception {
        TopicName name = TopicName.parse("non-persistent://public/default/parts");
        done(broker.namespaces().createPartitionedTopic(name, 3, Map.of()));
        try (Producer<String> producer = producer(name.full());
                Consumer<String> consumer = client.newConsumer(Schema.STRING)
                        .topic(name.full())
                        .subscriptionName("s")
                        .subscribe()) {
            for (int i = 0; i < 30; i++) {
                producer.send("m" + i);
            }
            assertThat(taken(consumer)).hasSize(30);
            TopicListing listing = new TopicListing(NamespaceName.DEFAULT, TopicName.Domain.NON_PERSISTENT, ".*/parts");
            assertThat(done(broker.namespaces().list(listing)).names())
                    .containsExactly(
                            name.partition(0).full(),
                            name.partition(1).full(),
                            name.partition(2).full());
            assertThatThrownBy(() -> done(broker.namespaces().deleteTopic(name, false)))
                    .hasMessageContaining("clients are connected");
        }
        done(broker.namespaces().deleteTopic(name, true));
        assertThat(done(broker.namespaces().partitionedTopics(NamespaceName.DEFAULT)))
                .isEmpty();
    }

    private static <T> T done(CompletionStage<T> asked) {
        return asked.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
    }

    private Producer<String> producer(String topic) throws Exception {
        return client.newProducer(Schema.STRING)
                .topic(topic)
                .enableBatching(false)
                .create();
    }

    private Consumer<String> subscribe(String name, SubscriptionType type) throws Exception {
        return client.newConsumer(Schema.STRING)
                .topic(TOPIC)
                .subscriptionName(name)
                .subscriptionType(type)
                .subscribe();
    }

    /** What comes until nothing does. */
    private static List<String> taken(Consumer<String> consumer) throws Exception {
        List<String> taken = new ArrayList<>();
        for (Message<String> message = consumer.receive(500, TimeUnit.MILLISECONDS);
                message != null;
                message = consumer.receive(500, TimeUnit.MILLISECONDS)) {
            taken.add(message.getValue());
            consumer.acknowledge(message);
        }
        return taken;
    }

    private static Set<String> keys(Consumer<String> consumer) throws Exception {
        Set<String> keys = new HashSet<>();
        for (Message<String> message = consumer.receive(500, TimeUnit.MILLISECONDS);
                message != null;
                message = consumer.receive(500, TimeUnit.MILLISECONDS)) {
            keys.add(message.getKey());
        }
        return keys;
    }
}
