package io.millrace.docs.guides;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.Broker;
import io.millrace.broker.BrokerConfig;
import io.millrace.broker.namespace.NamespaceName;
import io.millrace.broker.namespace.SchemaVerdict;
import io.millrace.broker.namespace.Schemas;
import io.millrace.broker.schema.SchemaContent;
import io.millrace.broker.schema.SchemaType;
import io.millrace.broker.schema.StoredSchema;
import io.millrace.broker.topic.TopicName;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.schema.GenericRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code of docs/guides/schemas.md. */
class SchemasGuideTest {
    @TempDir
    Path folder;

    /** What the guide's messages are. */
    public static class Order {
        public String id;
        public int count;
    }

    @Test
    void whoeverConsumesFindsTheFields() throws Exception {
        try (Broker broker = Broker.start(BrokerConfig.defaults(folder).withPort(0));
                PulsarClient client =
                        PulsarClient.builder().serviceUrl(broker.serviceUrl()).build()) {
            Order order = new Order();
            order.id = "a-17";
            order.count = 3;
            Object count;
            // snippet: typed
            try (Producer<Order> producer = client.newProducer(Schema.AVRO(Order.class))
                            .topic("orders")
                            .create();
                    Consumer<GenericRecord> consumer = client.newConsumer(Schema.AUTO_CONSUME())
                            .topic("orders")
                            .subscriptionName("any")
                            .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                            .subscribe()) {
                producer.send(order);
                count = consumer.receive(10, TimeUnit.SECONDS).getValue().getField("count");
            }
            // end
            assertThat(count).isEqualTo(3);
            assertThatThrownBy(() ->
                            client.newProducer(Schema.STRING).topic("orders").create())
                    .isInstanceOf(PulsarClientException.IncompatibleSchemaException.class);
        }
    }

    @Test
    void aSchemaIsTriedBeforeItIsDeployed() throws Exception {
        try (Broker broker = Broker.start(BrokerConfig.defaults(folder).withPort(0))) {
            String before =
                    "{\"type\":\"record\",\"name\":\"Order\",\"fields\":[{\"name\":\"id\",\"type\":\"string\"}]}";
            String after = before.replace("]}", ",{\"name\":\"count\",\"type\":\"int\"}]}");
            SchemaContent next = new SchemaContent(SchemaType.AVRO, after.getBytes(UTF_8), Map.of());
            // snippet: verbs
            Schemas schemas = broker.namespaces().schemas();
            TopicName orders = TopicName.parse("orders");
            schemas.post(orders, new SchemaContent(SchemaType.AVRO, before.getBytes(UTF_8), Map.of()))
                    .toCompletableFuture()
                    .get(); // 0, its version
            SchemaVerdict verdict =
                    schemas.test(orders, next).toCompletableFuture().get();
            StoredSchema latest = schemas.latest(orders).toCompletableFuture().get();
            // end
            assertThat(latest.version()).isZero();
            assertThat(verdict.reason())
                    .isEqualTo("Incompatible schema: field 'count' is new and has no default. By the rule"
                            + " schema-compatibility=FULL, the new schema must read what version 0 wrote: give it a"
                            + " default, or change the rule");
            // snippet: policy
            broker.namespaces()
                    .setPolicy(NamespaceName.DEFAULT, "schema-compatibility", "BACKWARD_TRANSITIVE")
                    .toCompletableFuture()
                    .get();
            schemas.setPolicy(orders, "schema-validation-enforced", "true")
                    .toCompletableFuture()
                    .get();
            // end
            assertThat(schemas.policies(orders).toCompletableFuture().get())
                    .containsEntry("schema-validation-enforced", "true");
        }
    }
}
