package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.testkit.Behaviour;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.DeadLetterPolicy;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.ProducerAccessMode;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Reader;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the real Java client does that raw frames do not show. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PulsarClientTest {
    private ServerFixture broker;
    private PulsarClient client;

    @BeforeAll
    @SuppressWarnings("deprecation")
    void start(@TempDir Path folder) throws Exception {
        broker = new ServerFixture(folder);
        client = PulsarClient.builder()
                .serviceUrl("pulsar://127.0.0.1:" + broker.port())
                .statsInterval(0, TimeUnit.SECONDS)
                .build();
    }

    @AfterAll
    void stop() throws Exception {
        client.close();
        broker.close();
    }

    @Test
    void stringsInBatchesArriveInOrderWithKeysAndProperties() throws Exception {
        try (Consumer<String> consumer = subscribe("strings", SubscriptionType.Exclusive);
                Producer<String> producer = client.newProducer(Schema.STRING)
                        .topic("strings")
                        .batchingMaxMessages(7)
                        .create()) {
            List<CompletableFuture<MessageId>> sends = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                sends.add(producer.newMessage()
                        .key("k" + i)
                        .property("n", "" + i)
                        .value("value " + i)
                        .sendAsync());
            }
            producer.flush();
            for (CompletableFuture<MessageId> send : sends) {
                assertThat(send.get(20, TimeUnit.SECONDS)).isNotNull();
            }
            for (int i = 0; i < 100; i++) {
                Message<String> message = next(consumer);
                assertThat(message.getValue()).isEqualTo("value " + i);
                assertThat(message.getKey()).isEqualTo("k" + i);
                assertThat(message.getProperty("n")).isEqualTo("" + i);
                consumer.acknowledge(message);
            }
        }
    }

    @Test
    @Behaviour("ACK-9")
    void seekingGoesOnExactlyThere() throws Exception {
        try (Consumer<String> consumer = subscribe("seeks", SubscriptionType.Exclusive);
                Producer<String> producer = producer("seeks")) {
            List<MessageId> ids = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                ids.add(producer.send("value " + i));
            }
            for (int i = 0; i < 10; i++) {
                consumer.acknowledge(next(consumer));
            }
            // All of them each time: the client may keep what it has been sent before a seek.
            consumer.seek(ids.get(4));
            requireValues(consumer, 5, 10);
            consumer.seek(MessageId.earliest);
            requireValues(consumer, 0, 10);
            consumer.seek(MessageId.latest);
            producer.send("value 10");
            assertThat(next(consumer).getValue()).isEqualTo("value 10");
        }
    }

    @Test
    @Behaviour("ACK-10")
    void aReaderKnowsWhetherThereIsMore() throws Exception {
        try (Producer<String> producer = producer("reads")) {
            for (int i = 0; i < 5; i++) {
                producer.send("value " + i);
            }
            try (Reader<String> reader = client.newReader(Schema.STRING)
                    .topic("reads")
                    .subscriptionName("reader")
                    .startMessageId(MessageId.earliest)
                    .create()) {
                List<String> values = new ArrayList<>();
                while (reader.hasMessageAvailable()) {
                    values.add(reader.readNext(20, TimeUnit.SECONDS).getValue());
                }
                assertThat(values).containsExactly("value 0", "value 1", "value 2", "value 3", "value 4");
                producer.send("value 5");
                assertThat(reader.hasMessageAvailable()).isTrue();
            }
        }
    }

    @Test
    void aMessageThatIsNeverTakenEndsInTheDeadLetterTopic() throws Exception {
        try (Consumer<String> dead = subscribe("work-sub-DLQ", SubscriptionType.Shared);
                Consumer<String> consumer = client.newConsumer(Schema.STRING)
                        .topic("work")
                        .subscriptionName("sub")
                        .subscriptionType(SubscriptionType.Shared)
                        .negativeAckRedeliveryDelay(10, TimeUnit.MILLISECONDS)
                        .deadLetterPolicy(DeadLetterPolicy.builder()
                                .maxRedeliverCount(2)
                                .initialSubscriptionName("kept")
                                .build())
                        .subscribe();
                Producer<String> producer = producer("work")) {
            producer.send("poison");
            for (int i = 0; i < 3; i++) {
                Message<String> message = next(consumer);
                assertThat(message.getRedeliveryCount()).isEqualTo(i);
                consumer.negativeAcknowledge(message);
            }
            assertThat(next(dead).getValue()).isEqualTo("poison");
        }
    }

    /** A count would have the client ask for all again, without an end, instead of handing out the message. */
    @Test
    void aSingleConsumerWithADeadLetterPolicyIsHandedWhatItRefusesForAsLongAsItRefusesIt() throws Exception {
        for (SubscriptionType type : List.of(SubscriptionType.Exclusive, SubscriptionType.Failover)) {
            String topic = "refused-" + type;
            try (Consumer<String> consumer = client.newConsumer(Schema.STRING)
                            .topic(topic)
                            .subscriptionName("sub")
                            .subscriptionType(type)
                            .negativeAckRedeliveryDelay(10, TimeUnit.MILLISECONDS)
                            .deadLetterPolicy(DeadLetterPolicy.builder()
                                    .maxRedeliverCount(1)
                                    .build())
                            .subscribe();
                    Producer<String> producer = producer(topic)) {
                producer.send("refused");
                List<Integer> counts = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    Message<String> message = next(consumer);
                    assertThat(message.getValue()).isEqualTo("refused");
                    counts.add(message.getRedeliveryCount());
                    consumer.negativeAcknowledge(message);
                }
                assertThat(counts).containsOnly(0);
                consumer.acknowledge(next(consumer));
                producer.send("next");
                assertThat(next(consumer).getValue()).isEqualTo("next");
            }
        }
    }

    @Test
    void aLargeMessageGoesInChunks() throws Exception {
        byte[] large = new byte[12 * 1024 * 1024];
        new Random(1).nextBytes(large);
        try (Consumer<byte[]> consumer = client.newConsumer()
                        .topic("large")
                        .subscriptionName("sub")
                        .subscribe();
                Producer<byte[]> producer = client.newProducer()
                        .topic("large")
                        .enableBatching(false)
                        .enableChunking(true)
                        .create()) {
            producer.send(large);
            Message<byte[]> message = consumer.receive(20, TimeUnit.SECONDS);
            assertThat(message).isNotNull();
            assertThat(message.getData()).isEqualTo(large);
        }
    }

    @Test
    @Behaviour("PRO-4")
    void aTakenNameAndATakenTopicAreRefusedWithTheirOwnExceptions() throws Exception {
        try (Producer<String> first = client.newProducer(Schema.STRING)
                .topic("exclusive")
                .producerName("me")
                .create()) {
            assertThatThrownBy(() -> client.newProducer()
                            .topic("exclusive")
                            .producerName("me")
                            .create())
                    .isInstanceOf(PulsarClientException.ProducerBusyException.class);
            assertThatThrownBy(() -> client.newProducer()
                            .topic("exclusive")
                            .accessMode(ProducerAccessMode.Exclusive)
                            .create())
                    .isInstanceOf(PulsarClientException.ProducerFencedException.class);
            first.send("unharmed");
        }
    }

    @Test
    @Behaviour("PRO-8")
    void transactionsAreRefusedAndTheClientWorksOn() throws Exception {
        assertThatThrownBy(() -> client.newTransaction().build().get(20, TimeUnit.SECONDS))
                .isInstanceOf(Exception.class);
        try (Producer<String> producer = producer("after-all")) {
            producer.send("works");
        }
    }

    private Producer<String> producer(String topic) throws Exception {
        return client.newProducer(Schema.STRING)
                .topic(topic)
                .enableBatching(false)
                .create();
    }

    private Consumer<String> subscribe(String topic, SubscriptionType type) throws Exception {
        return client.newConsumer(Schema.STRING)
                .topic(topic)
                .subscriptionName("test")
                .subscriptionType(type)
                .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                .subscribe();
    }

    private static void requireValues(Consumer<String> consumer, int from, int to) throws Exception {
        for (int i = from; i < to; i++) {
            assertThat(next(consumer).getValue()).isEqualTo("value " + i);
        }
    }

    private static <T> Message<T> next(Consumer<T> consumer) throws Exception {
        Message<T> message = consumer.receive(20, TimeUnit.SECONDS);
        assertThat(message).as("nothing came within 20 s").isNotNull();
        return message;
    }
}
