package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.topic.TopicName;
import io.millrace.testkit.Behaviour;
import java.nio.file.Path;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.pulsar.client.api.BatcherBuilder;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Reader;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;
import org.apache.pulsar.client.api.TableView;
import org.apache.pulsar.client.api.schema.GenericRecord;
import org.apache.pulsar.common.schema.KeyValue;
import org.apache.pulsar.common.schema.KeyValueEncodingType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Schemas as the unmodified Java client uses them. */
@Timeout(60)
class SchemaClientTest {
    @TempDir
    Path folder;

    private Broker broker;
    private PulsarClient client;

    /** An order, as the first version of a program has it. */
    public static class Order {
        public String id;
        public int count;

        static Order of(String id, int count) {
            Order order = new Order();
            order.id = id;
            order.count = count;
            return order;
        }
    }

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

    private void restart() throws Exception {
        stop();
        start();
    }

    private record Sample<T>(Schema<T> schema, T value) {
        String topic() {
            return "plain-" + schema.getSchemaInfo().getType();
        }
    }

    private static final List<Sample<?>> PRIMITIVES = List.of(
            new Sample<>(Schema.STRING, "text"),
            new Sample<>(Schema.BOOL, true),
            new Sample<>(Schema.INT8, (byte) 8),
            new Sample<>(Schema.INT16, (short) 16),
            new Sample<>(Schema.INT32, 32),
            new Sample<>(Schema.INT64, 64L),
            new Sample<>(Schema.FLOAT, 1.5f),
            new Sample<>(Schema.DOUBLE, 2.5),
            new Sample<>(Schema.DATE, Date.from(Instant.ofEpochSecond(1_000))),
            new Sample<>(Schema.TIME, new Time(5_000)),
            new Sample<>(Schema.TIMESTAMP, new Timestamp(7_000)),
            new Sample<>(Schema.INSTANT, Instant.ofEpochSecond(1_000)),
            new Sample<>(Schema.LOCAL_DATE, LocalDate.of(2026, 1, 2)),
            new Sample<>(Schema.LOCAL_TIME, LocalTime.of(3, 4)),
            new Sample<>(Schema.LOCAL_DATE_TIME, LocalDateTime.of(2026, 1, 2, 3, 4)));

    @Test
    @Behaviour({"REG-1", "REG-3"})
    void primitivesArriveAndAutoConsumersKnowThemAfterARestart() throws Exception {
        for (Sample<?> sample : PRIMITIVES) {
            produce(sample);
        }
        restart();
        for (Sample<?> sample : PRIMITIVES) {
            consume(sample);
        }
        assertThatThrownBy(() ->
                        client.newProducer(Schema.INT32).topic("plain-STRING").create())
                .isInstanceOf(PulsarClientException.IncompatibleSchemaException.class)
                .hasMessageContaining("exists schema type STRING, new schema type INT32");
    }

    private <T> void produce(Sample<T> sample) throws Exception {
        try (Producer<T> producer =
                client.newProducer(sample.schema).topic(sample.topic()).create()) {
            producer.send(sample.value);
        }
    }

    private <T> void consume(Sample<T> sample) throws Exception {
        try (Consumer<T> consumer = subscribe(sample.schema, sample.topic(), "typed");
                Consumer<GenericRecord> any = subscribe(Schema.AUTO_CONSUME(), sample.topic(), "any")) {
            assertThat(receive(consumer).getValue()).isEqualTo(sample.value);
            assertThat(receive(any).getValue().getNativeObject()).isEqualTo(sample.value);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"json", "avro"})
    @Behaviour({"REG-1", "REG-3"})
    void aRecordArrivesAndAutoConsumersSeeItsFieldsAfterARestart(String kind) throws Exception {
        Schema<Order> schema = kind.equals("json") ? Schema.JSON(Order.class) : Schema.AVRO(Order.class);
        try (Producer<Order> producer =
                        client.newProducer(schema).topic("orders").create();
                Consumer<Order> consumer = subscribe(schema, "orders", "typed")) {
            producer.send(Order.of("a", 3));
            Message<Order> received = receive(consumer);
            assertThat(received.getValue().count).isEqualTo(3);
            assertThat(received.getSchemaVersion()).containsExactly(version(0));
        }
        restart();
        try (Consumer<GenericRecord> any = subscribe(Schema.AUTO_CONSUME(), "orders", "any")) {
            GenericRecord record = receive(any).getValue();
            assertThat(record.getField("id")).hasToString("a");
            assertThat(record.getField("count")).isEqualTo(3);
            assertThat(record.getFields()).hasSize(2);
        }
    }

    @Test
    @Behaviour("REG-3")
    void messagesOfProtobufArriveBothWays() throws Exception {
        com.google.protobuf.Timestamp value =
                com.google.protobuf.Timestamp.newBuilder().setSeconds(17).build();
        for (Schema<com.google.protobuf.Timestamp> schema : List.of(
                Schema.PROTOBUF(com.google.protobuf.Timestamp.class),
                Schema.PROTOBUF_NATIVE(com.google.protobuf.Timestamp.class))) {
            String topic = "protobuf-" + schema.getSchemaInfo().getType();
            try (Producer<com.google.protobuf.Timestamp> producer =
                            client.newProducer(schema).topic(topic).create();
                    Consumer<com.google.protobuf.Timestamp> consumer = subscribe(schema, topic, "typed")) {
                producer.send(value);
                assertThat(receive(consumer).getValue()).isEqualTo(value);
            }
        }
        try (Consumer<GenericRecord> any = subscribe(Schema.AUTO_CONSUME(), "protobuf-PROTOBUF_NATIVE", "any")) {
            assertThat(receive(any).getValue().getField("seconds")).isEqualTo(17L);
        }
        assertThatThrownBy(() -> client.newProducer(Schema.PROTOBUF_NATIVE(com.google.protobuf.Duration.class))
                        .topic("protobuf-PROTOBUF_NATIVE")
                        .create())
                .isInstanceOf(PulsarClientException.IncompatibleSchemaException.class)
                .hasMessageContaining("root message is google.protobuf.Duration");
    }

    @ParameterizedTest
    @EnumSource(KeyValueEncodingType.class)
    @Behaviour("REG-3")
    void keysAndValuesArriveInBothEncodingsAndByKey(KeyValueEncodingType encoding) throws Exception {
        Schema<KeyValue<String, Order>> schema = Schema.KeyValue(Schema.STRING, Schema.AVRO(Order.class), encoding);
        try (Producer<KeyValue<String, Order>> producer = client.newProducer(schema)
                        .topic("pairs")
                        .batcherBuilder(BatcherBuilder.KEY_BASED)
                        .create();
                Consumer<KeyValue<String, Order>> consumer = client.newConsumer(schema)
                        .topic("pairs")
                        .subscriptionName("keys")
                        .subscriptionType(SubscriptionType.Key_Shared)
                        .subscribe()) {
            List<CompletableFuture<MessageId>> sent = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                sent.add(producer.sendAsync(new KeyValue<>("k" + i % 4, Order.of("o" + i, i))));
            }
            producer.flush();
            CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new)).get(20, TimeUnit.SECONDS);
            Map<String, Integer> last = new HashMap<>();
            for (int i = 0; i < 20; i++) {
                KeyValue<String, Order> pair = receive(consumer).getValue();
                assertThat(pair.getValue().id).isEqualTo("o" + pair.getValue().count);
                assertThat(pair.getValue().count % 4).hasToString(pair.getKey().substring(1));
                assertThat(pair.getValue().count).isGreaterThan(last.getOrDefault(pair.getKey(), -1));
                last.put(pair.getKey(), pair.getValue().count);
            }
        }
        try (Consumer<GenericRecord> any = subscribe(Schema.AUTO_CONSUME(), "pairs", "any")) {
            KeyValue<?, ?> pair = (KeyValue<?, ?>) receive(any).getValue().getNativeObject();
            assertThat(((GenericRecord) pair.getValue()).getField("id").toString())
                    .startsWith("o");
        }
    }

    @Test
    @Behaviour("REG-3")
    void whoProducesBytesOfTheTopicsSchemaIsChecked() throws Exception {
        Schema<Order> schema = Schema.AVRO(Order.class);
        try (Producer<Order> first = client.newProducer(schema).topic("checked").create();
                Producer<byte[]> auto = client.newProducer(Schema.AUTO_PRODUCE_BYTES())
                        .topic("checked")
                        .create();
                Producer<byte[]> plain = client.newProducer().topic("checked").create();
                Consumer<Order> consumer = subscribe(schema, "checked", "s")) {
            auto.send(schema.encode(Order.of("auto", 1)));
            assertThatThrownBy(() -> auto.send(new byte[] {1, 2, 3})).isInstanceOf(RuntimeException.class);
            first.send(Order.of("typed", 2));
            plain.send(schema.encode(Order.of("plain", 3)));
            assertThat(receive(consumer).getValue().id).isEqualTo("auto");
            assertThat(receive(consumer).getValue().id).isEqualTo("typed");
            Message<Order> unversioned = receive(consumer);
            assertThat(unversioned.getSchemaVersion()).isNullOrEmpty();
            assertThat(unversioned.getValue().id).isEqualTo("plain");
        }
    }

    @Test
    @Behaviour("REG-3")
    void bytesNeedNoSchemaAndLeaveNone() throws Exception {
        try (Producer<byte[]> producer =
                        client.newProducer(Schema.BYTES).topic("bytes").create();
                Consumer<byte[]> consumer = subscribe(Schema.BYTES, "bytes", "s")) {
            producer.send(new byte[] {1});
            assertThat(receive(consumer).getValue()).containsExactly(1);
            assertThat(broker.namespaces()
                            .schemas()
                            .versions(TopicName.parse("bytes"))
                            .toCompletableFuture()
                            .get())
                    .isEmpty();
            assertThatThrownBy(() -> subscribe(Schema.STRING, "bytes", "typed"))
                    .isInstanceOf(PulsarClientException.IncompatibleSchemaException.class)
                    .hasMessageContaining("empty(BYTES) schema");
        }
    }

    @Test
    @Behaviour("REG-3")
    void readersAndTableViewsReadBySchema() throws Exception {
        Schema<Order> schema = Schema.JSON(Order.class);
        try (Producer<Order> producer =
                client.newProducer(schema).topic("table").create()) {
            producer.newMessage().key("a").value(Order.of("old", 1)).send();
            producer.newMessage().key("a").value(Order.of("new", 2)).send();
            try (Reader<Order> reader = client.newReader(schema)
                            .topic("table")
                            .startMessageId(MessageId.earliest)
                            .create();
                    TableView<Order> table =
                            client.newTableView(schema).topic("table").create()) {
                assertThat(reader.readNext(20, TimeUnit.SECONDS).getValue().id).isEqualTo("old");
                awaitValue(table, "new");
            }
        }
    }

    /** A view is made when it has read some of what there is. */
    private static void awaitValue(TableView<Order> table, String id) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!table.containsKey("a") || !table.get("a").id.equals(id)) {
            assertThat(System.nanoTime() - deadline)
                    .as("the view has " + table.size())
                    .isNegative();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    private <T> Consumer<T> subscribe(Schema<T> schema, String topic, String subscription) throws Exception {
        return client.newConsumer(schema)
                .topic(topic)
                .subscriptionName(subscription)
                .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                .subscribe();
    }

    private static byte[] version(int number) {
        return new byte[] {0, 0, 0, 0, 0, 0, 0, (byte) number};
    }

    private static <T> Message<T> receive(Consumer<T> consumer) throws Exception {
        Message<T> message = consumer.receive(20, TimeUnit.SECONDS);
        assertThat(message).as("a message").isNotNull();
        return message;
    }
}
