package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.testkit.Behaviour;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
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
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Schemas as the unmodified Java client uses them. */
@Timeout(60)
class SchemaClientTest {
    @TempDir
    Path folder;

    private Broker broker;
    private PulsarClient client;

    /** A message of a version. */
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

    static Stream<Arguments> simpleTypes() {
        return Stream.of(
                Arguments.of(Schema.STRING, "text"),
                Arguments.of(Schema.BOOL, true),
                Arguments.of(Schema.INT8, (byte) 8),
                Arguments.of(Schema.INT16, (short) 16),
                Arguments.of(Schema.INT32, 32),
                Arguments.of(Schema.INT64, 64L),
                Arguments.of(Schema.FLOAT, 1.5f),
                Arguments.of(Schema.DOUBLE, 2.5),
                Arguments.of(Schema.DATE, new Date(1_000_000)),
                Arguments.of(Schema.INSTANT, Instant.ofEpochSecond(1_000)),
                Arguments.of(Schema.LOCAL_DATE, LocalDate.of(2026, 1, 2)),
                Arguments.of(Schema.LOCAL_TIME, LocalTime.of(3, 4)),
                Arguments.of(Schema.LOCAL_DATE_TIME, LocalDateTime.of(2026, 1, 2, 3, 4)));
    }

    @ParameterizedTest
    @MethodSource("simpleTypes")
    <T> void aPrimitiveArrivesAndIsKnownToAutoConsumers(Schema<T> schema, T value) throws Exception {
        try (Producer<T> producer = client.newProducer(schema).topic("plain").create()) {
            producer.send(value);
        }
        restart();
        try (Consumer<T> consumer = subscribe(schema, "plain", "typed");
                Consumer<GenericRecord> any = subscribe(Schema.AUTO_CONSUME(), "plain", "any")) {
            assertThat(receive(consumer).getValue()).isEqualTo(value);
            assertThat(receive(any).getValue().getNativeObject()).isEqualTo(value);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"json", "avro"})
    void aRecordArrivesAndAutoConsumersSeeItsFields(String kind) throws Exception {
        Schema<Order> schema = kind.equals("json") ? Schema.JSON(Order.class) : Schema.AVRO(Order.class);
        Message<Order> received;
        try (Producer<Order> producer = client.newProducer(schema).topic("orders").create();
                Consumer<Order> consumer = subscribe(schema, "orders", "typed")) {
            producer.send(Order.of("a", 3));
            received = receive(consumer);
        }
        assertThat(received.getValue().count).isEqualTo(3);
        assertThat(received.getSchemaVersion()).containsExactly(0, 0, 0, 0, 0, 0, 0, 0);
        restart();
        try (Consumer<GenericRecord> any = subscribe(Schema.AUTO_CONSUME(), "orders", "any")) {
            GenericRecord record = receive(any).getValue();
            assertThat(record.getField("id")).hasToString("a");
            assertThat(record.getField("count")).isEqualTo(3);
            assertThat(record.getFields()).hasSize(2);
        }
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
}
