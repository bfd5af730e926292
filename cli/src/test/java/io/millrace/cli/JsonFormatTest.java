package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.Broker;
import io.millrace.broker.BrokerConfig;
import io.millrace.broker.topic.TopicName;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.common.schema.SchemaType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code millrace consume --json}: messages of a broker as lines of JSON. */
@Timeout(60)
final class JsonFormatTest {
    private static final String FIRST =
            "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"a\",\"type\":\"int\"}]}";
    private static final String SECOND =
            "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"a\",\"type\":\"int\"},"
                    + "{\"name\":\"b\",\"type\":\"string\",\"default\":\"\"}]}";

    @TempDir
    private Path folder;

    @Test
    void eachMessageIsToldByTheVersionItWasWrittenWith() throws Exception {
        try (Broker broker =
                        Broker.start(BrokerConfig.defaults(folder).withPort(0).withHttpPort("off"));
                PulsarClient client = Clients.open(broker.serviceUrl())) {
            broker.namespaces()
                    .createPartitionedTopic(TopicName.parse("mixed"), 2, Map.of())
                    .toCompletableFuture()
                    .get();
            publish(client, DefinedSchema.of(SchemaType.AVRO, FIRST), new byte[] {2});
            publish(client, DefinedSchema.of(SchemaType.AVRO, SECOND), new byte[] {4, 2, 'x'});
            publish(client, Schema.BYTES, new byte[] {(byte) 0xff});
            publish(client, Schema.BYTES, null);
            List<String> lines = lines(broker, 4);
            assertThat(lines)
                    .allMatch(line -> line.matches(
                            "\\{\"id\":\"\\d+:\\d+\",\"partition\":[01],\"key\":\"k\",\"publishTime\":\".+Z\","
                                    + "\"eventTime\":\"1970-01-01T00:00:01Z\",\"properties\":\\{\"p\":\"q\"},.*}"))
                    .anyMatch(
                            line -> line.endsWith("\"schema\":{\"version\":0,\"type\":\"AVRO\"},\"value\":{\"a\":1}}"))
                    .anyMatch(line -> line.endsWith(
                            "\"schema\":{\"version\":1,\"type\":\"AVRO\"},\"value\":{\"a\":2,\"b\":\"x\"}}"))
                    .anyMatch(line -> line.endsWith("\"bytes\":\"/w==\"}"))
                    .anyMatch(line -> line.endsWith("\"value\":null}"));
            broker.namespaces()
                    .schemas()
                    .delete(TopicName.parse("mixed"))
                    .toCompletableFuture()
                    .get();
            assertThat(lines(broker, 4))
                    .anyMatch(line -> line.contains("there is no version 0, it may have been deleted"));
        }
    }

    private static void publish(PulsarClient client, Schema<byte[]> schema, byte[] value) throws Exception {
        try (Producer<byte[]> producer =
                client.newProducer(schema).topic("mixed").enableBatching(false).create()) {
            producer.newMessage()
                    .key("k")
                    .eventTime(1_000)
                    .property("p", "q")
                    .value(value)
                    .send();
        }
    }

    private static List<String> lines(Broker broker, int count) throws Exception {
        VersionedBytes schemas = new VersionedBytes();
        LineFormat format = new JsonFormat(schemas);
        List<String> lines = new ArrayList<>();
        try (PulsarClient client = Clients.open(broker.serviceUrl());
                Consumer<byte[]> consumer = client.newConsumer(schemas)
                        .topic("mixed")
                        .subscriptionName("s" + System.nanoTime())
                        .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                        .subscribe()) {
            while (lines.size() < count) {
                Message<byte[]> message = consumer.receive(30, TimeUnit.SECONDS);
                lines.add(new String(format.line(message), StandardCharsets.UTF_8));
            }
        }
        return lines;
    }
}
