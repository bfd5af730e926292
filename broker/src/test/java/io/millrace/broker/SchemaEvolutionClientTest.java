package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.namespace.NamespaceName;
import io.millrace.broker.topic.TopicName;
import io.millrace.testkit.Behaviour;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.avro.reflect.AvroDefault;
import org.apache.avro.reflect.Nullable;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.DeadLetterPolicy;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException.IncompatibleSchemaException;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;
import org.apache.pulsar.client.api.schema.GenericRecord;
import org.apache.pulsar.client.api.schema.SchemaDefinition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs of different versions on one topic, by the unmodified Java client. */
@Timeout(60)
class SchemaEvolutionClientTest {
    /** The first version. */
    public static class Order1 {
        public String id;
    }

    /** The second one, which has a field more. */
    public static class Order2 {
        public String id;

        @Nullable
        @AvroDefault("null")
        public Integer count;
    }

    /** One that no consumer of the others can read. */
    public static class Broken {
        public int id;
        public int size;
    }

    private static final Schema<Order1> FIRST = schema(Order1.class);
    private static final Schema<Order2> SECOND = schema(Order2.class);
    private static final Schema<Broken> BROKEN = schema(Broken.class);

    @TempDir
    Path folder;

    private Broker broker;
    private PulsarClient client;

    @BeforeEach
    void start() throws Exception {
        broker = Broker.start(BrokerConfig.defaults(folder.resolve("data")).withPort(0));
        client = RealClient.of(broker).build();
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        broker.close();
    }

    private static <T> Schema<T> schema(Class<T> type) {
        return Schema.AVRO(SchemaDefinition.<T>builder()
                .withPojo(type)
                .withAlwaysAllowNull(false)
                .build());
    }

    @Test
    @Behaviour({"REG-1", "REG-4"})
    void consumersOfEachVersionReadWhatEachVersionWrote() throws Exception {
        try (Producer<Order1> first = client.newProducer(FIRST).topic("orders").create();
                Producer<Order2> second =
                        client.newProducer(SECOND).topic("orders").create()) {
            first.send(order1("one"));
            second.send(order2("two", 2));
        }
        stop();
        start();
        try (Consumer<Order1> old = subscribe(FIRST, "orders", "old");
                Consumer<Order2> now = subscribe(SECOND, "orders", "now");
                Consumer<GenericRecord> any = subscribe(Schema.AUTO_CONSUME(), "orders", "any")) {
            assertThat(receive(old).getValue().id).isEqualTo("one");
            assertThat(receive(old).getValue().id).isEqualTo("two");
            Message<Order2> before = receive(now);
            assertThat(before.getValue().id).isEqualTo("one");
            assertThat(before.getValue().count).isNull();
            assertThat(before.getSchemaVersion()).containsExactly(version(0));
            Message<Order2> after = receive(now);
            assertThat(after.getValue().count).isEqualTo(2);
            assertThat(after.getSchemaVersion()).containsExactly(version(1));
            assertThat(receive(any).getValue().getFields()).hasSize(1);
            assertThat(receive(any).getValue().getField("count")).isEqualTo(2);
        }
    }

    @Test
    @Behaviour({"REG-4", "REG-5"})
    void whatWouldBreakAConsumerIsRefusedByFieldAndRule() throws Exception {
        try (Producer<Order1> first = client.newProducer(FIRST).topic("orders").create()) {
            first.send(order1("one"));
            assertThatThrownBy(() -> client.newProducer(BROKEN).topic("orders").create())
                    .isInstanceOf(IncompatibleSchemaException.class)
                    .hasMessageContaining("field '")
                    .hasMessageContaining("schema-compatibility=FULL");
            assertThatThrownBy(() -> subscribe(BROKEN, "orders", "s")).isInstanceOf(IncompatibleSchemaException.class);
            first.send(order1("still there"));
        }
    }

    @Test
    @Behaviour("REG-1")
    void messagesOfOtherSchemasGetTheirVersionBeforeTheyAreSent() throws Exception {
        try (Producer<Order1> producer =
                        client.newProducer(FIRST).topic("mixed").create();
                Consumer<Order2> consumer = subscribe(SECOND, "mixed", "s")) {
            producer.send(order1("one"));
            producer.newMessage(SECOND).value(order2("two", 2)).send();
            producer.send(order1("three"));
            assertThat(receive(consumer).getSchemaVersion()).containsExactly(version(0));
            assertThat(receive(consumer).getSchemaVersion()).containsExactly(version(1));
            assertThat(receive(consumer).getSchemaVersion()).containsExactly(version(0));
            assertThatThrownBy(() ->
                            producer.newMessage(BROKEN).value(new Broken()).send())
                    .isInstanceOf(IncompatibleSchemaException.class);
        }
    }

    @Test
    @Behaviour("REG-9")
    void aConsumerThatIsFirstSetsTheSchema() throws Exception {
        try (Consumer<GenericRecord> any = subscribe(Schema.AUTO_CONSUME(), "first", "any");
                Consumer<Order1> consumer = subscribe(FIRST, "first", "s")) {
            assertThatThrownBy(() -> client.newProducer(BROKEN).topic("first").create())
                    .isInstanceOf(IncompatibleSchemaException.class);
            try (Producer<Order1> producer =
                    client.newProducer(FIRST).topic("first").create()) {
                producer.send(order1("one"));
            }
            assertThat(receive(consumer).getValue().id).isEqualTo("one");
            assertThat(receive(any).getValue().getField("id")).hasToString("one");
        }
    }

    @Test
    @Behaviour("REG-11")
    void theVersionOfAMessageGoesThroughUntouched() throws Exception {
        await(broker.namespaces().createPartitionedTopic(TopicName.parse("parts"), 3, Map.of()));
        for (String topic : List.of("plain", "parts", "non-persistent://public/default/live")) {
            try (Consumer<Order2> consumer = subscribe(SECOND, topic, "s");
                    Producer<Order1> first =
                            client.newProducer(FIRST).topic(topic).create();
                    Producer<Order2> batched = client.newProducer(SECOND)
                            .topic(topic)
                            .batchingMaxPublishDelay(1, TimeUnit.HOURS)
                            .create()) {
                awaitThere(first, consumer);
                CompletableFuture<?> sent =
                        CompletableFuture.allOf(batched.sendAsync(order2("a", 1)), batched.sendAsync(order2("b", 2)));
                batched.flush();
                sent.get(20, TimeUnit.SECONDS);
                first.send(order1("c"));
                for (int i = 0; i < 3; i++) {
                    Message<Order2> message = receive(consumer);
                    int expected = message.getValue().count == null ? 1 : 0; // the consumer was first
                    assertThat(message.getSchemaVersion()).as(topic).containsExactly(version(expected));
                }
            }
        }
        try (Consumer<Order2> consumer = subscribe(SECOND, "chunked", "s");
                Producer<Order2> producer = client.newProducer(SECOND)
                        .topic("chunked")
                        .enableBatching(false)
                        .enableChunking(true)
                        .chunkMaxMessageSize(100)
                        .create()) {
            producer.send(order2("x".repeat(1_000), 1));
            Message<Order2> whole = receive(consumer);
            assertThat(whole.getValue().id).hasSize(1_000);
            assertThat(whole.getSchemaVersion()).containsExactly(version(0));
        }
    }

    @Test
    @Behaviour("REG-3")
    void deadLettersKeepTheirSchema() throws Exception {
        try (Consumer<Order1> letters = subscribe(FIRST, "orders-s-DLQ", "letters");
                Consumer<Order1> consumer = client.newConsumer(FIRST)
                        .topic("orders")
                        .subscriptionName("s")
                        .subscriptionType(SubscriptionType.Shared)
                        .negativeAckRedeliveryDelay(10, TimeUnit.MILLISECONDS)
                        .deadLetterPolicy(DeadLetterPolicy.builder()
                                .maxRedeliverCount(1)
                                .deadLetterTopic("orders-s-DLQ")
                                .build())
                        .subscribe();
                Producer<Order1> producer =
                        client.newProducer(FIRST).topic("orders").create()) {
            producer.send(order1("one"));
            consumer.negativeAcknowledge(receive(consumer));
            consumer.negativeAcknowledge(receive(consumer));
            CompletableFuture<Message<Order1>> never = consumer.receiveAsync();
            assertThat(receive(letters).getValue().id).isEqualTo("one");
            never.cancel(true);
        }
    }

    @Test
    @Behaviour("REG-9")
    void whereSchemasAreEnforcedBytesAreRefused() throws Exception {
        await(broker.namespaces().setPolicy(NamespaceName.DEFAULT, "schema-validation-enforced", "true"));
        try (Producer<byte[]> bytes = client.newProducer().topic("free").create();
                Producer<Order1> producer =
                        client.newProducer(FIRST).topic("strict").create()) {
            bytes.send(new byte[1]);
            producer.send(order1("one"));
            assertThatThrownBy(() -> client.newProducer().topic("strict").create())
                    .isInstanceOf(IncompatibleSchemaException.class)
                    .hasMessageContaining("without a schema");
        }
    }

    @Test
    @Behaviour("REG-7")
    void afterADeletionAnotherSchemaIsTakenUnderANumberOfItsOwn() throws Exception {
        TopicName topic = TopicName.parse("orders");
        try (Producer<Order1> first = client.newProducer(FIRST).topic("orders").create()) {
            first.send(order1("one"));
        }
        await(broker.namespaces().schemas().delete(topic));
        try (Producer<Broken> producer =
                        client.newProducer(BROKEN).topic("orders").create();
                Consumer<GenericRecord> any = subscribe(Schema.AUTO_CONSUME(), "orders", "any")) {
            producer.send(new Broken());
            Message<GenericRecord> old = receive(any);
            assertThat(old.getSchemaVersion()).containsExactly(version(0));
            Message<GenericRecord> now = receive(any);
            assertThat(now.getSchemaVersion()).containsExactly(version(2));
            assertThat(now.getValue().getField("size")).isEqualTo(0);
        }
    }

    private static Order1 order1(String id) {
        Order1 order = new Order1();
        order.id = id;
        return order;
    }

    private static Order2 order2(String id, int count) {
        Order2 order = new Order2();
        order.id = id;
        order.count = count;
        return order;
    }

    private <T> Consumer<T> subscribe(Schema<T> schema, String topic, String subscription) throws Exception {
        return client.newConsumer(schema)
                .topic(topic)
                .subscriptionName(subscription)
                .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                .subscribe();
    }

    private static <T> Message<T> receive(Consumer<T> consumer) throws Exception {
        Message<T> message = consumer.receive(20, TimeUnit.SECONDS);
        assertThat(message).as("a message").isNotNull();
        return message;
    }

    /** Publishes until something comes: what stores nothing drops what comes before the consumer's first permits. */
    private static void awaitThere(Producer<Order1> producer, Consumer<Order2> consumer) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        Message<Order2> early = null;
        while (early == null) {
            assertThat(System.nanoTime() - deadline).as("nothing came").isNegative();
            producer.send(order1("early"));
            early = consumer.receive(1, TimeUnit.SECONDS);
        }
    }

    private static <T> void await(CompletionStage<T> asked) throws Exception {
        asked.toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    private static byte[] version(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }
}
