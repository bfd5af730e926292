package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.http.RawHttp;
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
    private static final int KEYS = 20;
    private static final String TOPIC = "non-persistent://public/default/live";
    /** What is published until the consumers are known to be there; left out of what they have taken. */
    private static final String EARLY = "early";

    @TempDir
    Path folder;

    private Broker broker;
    private PulsarClient client;

    @BeforeEach
    void start() throws Exception {
        broker = Broker.start(BrokerConfig.defaults(folder).withPort(0).withHttpPort(0));
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
            awaitThere(producer, first);
            awaitThere(producer, other);
            Set<String> sent = new HashSet<>();
            for (int i = 0; i < MESSAGES; i++) {
                producer.newMessage().key("k" + i % 5).value("m" + i).send();
                sent.add("m" + i);
            }
            assertThat(new HashSet<>(taken(first, MESSAGES))).isEqualTo(sent);
            assertThat(new HashSet<>(taken(other, MESSAGES))).isEqualTo(sent);
            first.unsubscribe();
        }
        assertThat(broker.namespaces()
                        .topics(NamespaceName.DEFAULT)
                        .toCompletableFuture()
                        .join())
                .as("nothing is in the log")
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource(SubscriptionType.class)
    @Behaviour("NS-11")
    void aConsumerThatAsksForEverythingAgainGetsWhatComesNext(SubscriptionType type) throws Exception {
        try (Producer<String> producer = producer(TOPIC);
                Consumer<String> consumer = subscribe("s", type)) {
            awaitThere(producer, consumer);
            for (int i = 0; i < 3; i++) {
                consumer.redeliverUnacknowledgedMessages();
                producer.send("m" + i);
                assertThat(taken(consumer, 1)).containsExactly("m" + i);
            }
        }
    }

    @Test
    @Behaviour("NS-11")
    void twoConsumersShareAndAKeyStaysWithOne() throws Exception {
        try (Producer<String> producer = producer(TOPIC);
                Consumer<String> first = subscribe("s", SubscriptionType.Key_Shared);
                Consumer<String> second = subscribe("s", SubscriptionType.Key_Shared)) {
            awaitThere(producer, first);
            awaitThere(producer, second);
            for (int i = 0; i < MESSAGES; i++) {
                producer.newMessage().key("k" + i % KEYS).value("m" + i).send();
            }
            Set<String> ofFirst = new HashSet<>();
            Set<String> ofSecond = new HashSet<>();
            int taken = 0;
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (taken < MESSAGES) {
                assertThat(System.nanoTime() - deadline).as("%d taken", taken).isNegative();
                taken += takeKey(first, ofFirst) + takeKey(second, ofSecond);
            }
            assertThat(ofFirst).isNotEmpty().doesNotContainAnyElementsOf(ofSecond);
            assertThat(ofFirst.size() + ofSecond.size()).isEqualTo(KEYS);
        }
    }

    @Test
    @Behaviour("NS-11")
    void aFailoverSubscriptionGoesOnWithTheNextConsumer() throws Exception {
        try (Producer<String> producer = producer(TOPIC)) {
            Consumer<String> first = subscribe("s", SubscriptionType.Failover);
            try (Consumer<String> second = subscribe("s", SubscriptionType.Failover)) {
                Consumer<String> active = active(producer, first, second);
                Consumer<String> waiting = active == first ? second : first;
                active.close();
                awaitThere(producer, waiting);
                producer.send("b");
                assertThat(taken(waiting, 1)).containsExactly("b");
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
            firstOf(() -> receive(slow, 1_000), producer, EARLY, 1); // its permits are few
            List<CompletableFuture<MessageId>> sends = new ArrayList<>();
            for (int i = 0; i < MESSAGES; i++) {
                sends.add(producer.sendAsync("m" + i));
            }
            for (CompletableFuture<MessageId> send : sends) {
                assertThat(send.get(20, TimeUnit.SECONDS)).isNotNull();
            }
            List<String> taken = taken(slow, 1);
            assertThat(taken).containsExactly("m0");
            for (Message<String> next = receive(slow, 500); next != null; next = receive(slow, 500)) {
                taken.add(next.getValue());
            }
            assertThat(taken).hasSizeLessThan(MESSAGES);
            String stats = RawHttp.ask(
                    broker.httpPort(), "GET /admin/v2/non-persistent/public/default/live/stats HTTP/1.1", "");
            assertThat(stats.substring(stats.indexOf("\"subscriptions\""))).containsPattern("\"msgDropRate\":[1-9]");
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
                assertThat(firstOf(() -> receive(consumer, 1_000), producer, "after", 1))
                        .isEqualTo("after");
                assertThat(firstOf(() -> reader.readNext(1, TimeUnit.SECONDS), producer, "after", 1))
                        .isEqualTo("after");
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
            Set<String> there = new HashSet<>();
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (there.size() < 3) {
                assertThat(System.nanoTime() - deadline).as("there: %s", there).isNegative();
                producer.send(EARLY);
                Message<String> early = receive(consumer, 50);
                if (early != null) {
                    there.add(early.getTopicName());
                }
            }
            for (int i = 0; i < 30; i++) {
                producer.send("m" + i);
            }
            assertThat(taken(consumer, 30)).doesNotHaveDuplicates();
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

    /** Gives the next message, or null when none has come for a moment. */
    private interface Taking {
        Message<String> next() throws PulsarClientException;
    }

    /** The first message that comes of those that are published until then, each time one for so many keys. */
    private static String firstOf(Taking taking, Producer<String> producer, String published, int keys)
            throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        Message<String> message = null;
        while (message == null) {
            assertThat(System.nanoTime() - deadline).as("nothing came").isNegative();
            for (int key = 0; key < keys; key++) {
                producer.newMessage().key("k" + key).value(published).send();
            }
            message = taking.next();
        }
        return message.getValue();
    }

    /** The broker may hear of a consumer's first permits a moment after the consumer is open, and drops what comes before. */
    private static void awaitThere(Producer<String> producer, Consumer<String> consumer) throws Exception {
        firstOf(() -> receive(consumer, 1_000), producer, EARLY, KEYS);
        Message<String> rest = receive(consumer, 0);
        while (rest != null) {
            rest = receive(consumer, 0);
        }
    }

    /** Which of the two gets what is published. */
    private static Consumer<String> active(Producer<String> producer, Consumer<String> first, Consumer<String> second)
            throws Exception {
        List<Consumer<String>> active = new ArrayList<>();
        Taking either = () -> {
            for (Consumer<String> each : List.of(first, second)) {
                Message<String> message = receive(each, 500);
                if (message != null) {
                    active.add(each);
                    return message;
                }
            }
            return null;
        };
        firstOf(either, producer, EARLY, 1);
        return active.get(0);
    }

    /** The next so many messages. */
    private static List<String> taken(Consumer<String> consumer, int count) throws Exception {
        List<String> taken = new ArrayList<>();
        while (taken.size() < count) {
            Message<String> message = receive(consumer, 20_000);
            assertThat(message)
                    .as("after %d of %d messages", taken.size(), count)
                    .isNotNull();
            if (!message.getValue().equals(EARLY)) {
                taken.add(message.getValue());
                consumer.acknowledge(message);
            }
        }
        return taken;
    }

    /** Takes the next message, if one has come; how many that were. */
    private static int takeKey(Consumer<String> consumer, Set<String> keys) throws Exception {
        Message<String> message = receive(consumer, 20);
        if (message == null || message.getValue().equals(EARLY)) {
            return 0;
        }
        keys.add(message.getKey());
        return 1;
    }

    private static Message<String> receive(Consumer<String> consumer, int millis) throws PulsarClientException {
        return consumer.receive(millis, TimeUnit.MILLISECONDS);
    }
}
