package io.millrace.junit.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.schema.GenericRecord;
import org.apache.pulsar.client.api.schema.SchemaDefinition;
import org.apache.pulsar.common.policies.data.Policies;
import org.apache.pulsar.common.policies.data.SchemaCompatibilityStrategy;
import org.apache.pulsar.common.protocol.schema.IsCompatibilityResponse;
import org.apache.pulsar.common.protocol.schema.PostSchemaPayload;
import org.apache.pulsar.common.schema.KeyValueEncodingType;
import org.apache.pulsar.common.schema.SchemaInfo;
import org.apache.pulsar.common.schema.SchemaType;
import org.junit.jupiter.api.Test;

/** Schemas by Pulsar's own admin client, beside typed producers. */
class SchemasTest extends AdminFixture {
    private static final String TOPIC = "persistent://public/default/typed";
    private static final String ONE =
            "{\"type\":\"record\",\"name\":\"Order\",\"fields\":[{\"name\":\"id\",\"type\":\"int\"}]}";
    private static final String TWO =
            "{\"type\":\"record\",\"name\":\"Order\",\"fields\":[{\"name\":\"id\",\"type\":\"int\"},"
                    + "{\"name\":\"note\",\"type\":\"string\",\"default\":\"none\"}]}";
    private static final String BROKEN =
            "{\"type\":\"record\",\"name\":\"Order\",\"fields\":[{\"name\":\"id\",\"type\":\"string\"}]}";

    /** What a producer sends. */
    public static class Order {
        public int id;
    }

    private static PostSchemaPayload avro(String definition) {
        return new PostSchemaPayload("AVRO", definition, Map.of("by", "hand"));
    }

    private static String text(SchemaInfo schema) {
        return new String(schema.getSchema(), StandardCharsets.UTF_8);
    }

    @Test
    void aSchemaThatIsSetByHandIsTheTopicsAlsoAfterARestart() throws Exception {
        admin.schemas().createSchema(TOPIC, avro(ONE));
        admin.schemas().createSchema(TOPIC, avro(TWO));
        admin.schemas().createSchema(TOPIC, avro(ONE));
        restart();
        SchemaInfo latest = admin.schemas().getSchemaInfo(TOPIC);
        assertThat(latest.getType()).isEqualTo(SchemaType.AVRO);
        assertThat(text(latest)).isEqualTo(TWO);
        assertThat(latest.getProperties()).containsEntry("by", "hand");
        assertThat(admin.schemas().getSchemaInfoWithVersion(TOPIC).getVersion()).isEqualTo(1);
        assertThat(text(admin.schemas().getSchemaInfo(TOPIC, 0))).isEqualTo(ONE);
        assertThat(admin.schemas().getAllSchemas(TOPIC))
                .extracting(SchemasTest::text)
                .containsExactly(ONE, TWO);
        assertThat(admin.schemas().getVersionBySchema(TOPIC, avro(ONE))).isZero();
    }

    @Test
    void whatMayNotFollowIsTestedAndRefused() throws Exception {
        admin.schemas().createSchema(TOPIC, avro(ONE));
        IsCompatibilityResponse fits = admin.schemas().testCompatibility(TOPIC, avro(TWO));
        assertThat(fits.isCompatibility()).isTrue();
        assertThat(fits.getSchemaCompatibilityStrategy()).isEqualTo("FULL");
        assertThat(admin.schemas().testCompatibility(TOPIC, avro(BROKEN)).isCompatibility())
                .isFalse();
        refusedWith(409, () -> admin.schemas().createSchema(TOPIC, avro(BROKEN)));
        refusedWith(422, () -> admin.schemas().createSchema(TOPIC, avro("{")));
        refusedWith(422, () -> admin.schemas().createSchema(TOPIC, new PostSchemaPayload("NOBODY", "", Map.of())));
        refusedWith(404, () -> admin.schemas().getSchemaInfo(TOPIC, 7));
        assertThat(admin.schemas().getAllSchemas(TOPIC)).hasSize(1);
    }

    @Test
    void aDeletedSchemaIsGoneAndAnotherMayFollow() throws Exception {
        admin.topics().createNonPartitionedTopic(TOPIC);
        refusedWith(404, () -> admin.schemas().getSchemaInfo(TOPIC));
        admin.schemas().createSchema(TOPIC, avro(ONE));
        admin.schemas().deleteSchema(TOPIC);
        refusedWith(404, () -> admin.schemas().getSchemaInfo(TOPIC));
        admin.schemas().createSchema(TOPIC, avro(BROKEN));
        assertThat(text(admin.schemas().getSchemaInfo(TOPIC))).isEqualTo(BROKEN);
        admin.topics().delete(TOPIC, true);
        refusedWith(404, () -> admin.schemas().getSchemaInfo(TOPIC));
    }

    @Test
    void primitivesAndPairsComeBackAsTheyWere() throws Exception {
        List<Schema<?>> all = List.of(
                Schema.STRING,
                Schema.INT64,
                Schema.JSON(Order.class),
                Schema.KeyValue(Schema.STRING, Schema.AVRO(Order.class), KeyValueEncodingType.SEPARATED),
                Schema.KeyValue(Schema.JSON(Order.class), Schema.INT32, KeyValueEncodingType.INLINE));
        for (int i = 0; i < all.size(); i++) {
            String topic = TOPIC + i;
            SchemaInfo sent = all.get(i).getSchemaInfo();
            admin.schemas().createSchema(topic, sent);
            SchemaInfo found = admin.schemas().getSchemaInfo(topic);
            assertThat(found.getType()).isEqualTo(sent.getType());
            assertThat(found.getSchema()).isEqualTo(sent.getSchema());
            try (Producer<?> producer =
                    client.newProducer(all.get(i)).topic(topic).create()) {
                assertThat(producer.getTopic()).isEqualTo(topic);
            }
            assertThat(admin.schemas().getAllSchemas(topic)).hasSize(1);
        }
    }

    @Test
    void aPairWithNativeProtobufComesBackAsItWas() throws Exception {
        String definition =
                "{\"fileDescriptorSet\":\"Cg4KB20ucHJvdG8iAwoBTQ==\",\"rootMessageTypeName\":\"M\",\"rootFileDescriptorName\":\"m.proto\"}";
        Map<String, String> properties = Map.of(
                "key.schema.type", "STRING",
                "value.schema.type", "PROTOBUF_NATIVE",
                "kv.encoding.type", "SEPARATED");
        String both = "{\"key\":\"\",\"value\":" + definition + "}";
        admin.schemas().createSchema(TOPIC, new PostSchemaPayload("KEY_VALUE", both, properties));
        SchemaInfo found = admin.schemas().getSchemaInfo(TOPIC);
        ByteBuffer parts = ByteBuffer.wrap(found.getSchema());
        assertThat(parts.getInt()).isZero();
        assertThat(parts.getInt()).isEqualTo(definition.length());
        assertThat(StandardCharsets.UTF_8.decode(parts).toString()).isEqualTo(definition);
        admin.schemas().createSchema(TOPIC, found);
        assertThat(admin.schemas().getAllSchemas(TOPIC)).hasSize(1);
    }

    @Test
    void aProducersSchemaIsTold() throws Exception {
        Schema<Order> schema = Schema.AVRO(
                SchemaDefinition.<Order>builder().withPojo(Order.class).build());
        try (Producer<Order> producer = client.newProducer(schema).topic(TOPIC).create();
                var reader = client.newReader(Schema.AUTO_CONSUME())
                        .topic(TOPIC)
                        .startMessageId(org.apache.pulsar.client.api.MessageId.earliest)
                        .create()) {
            Order order = new Order();
            order.id = 7;
            producer.send(order);
            GenericRecord record = reader.readNext().getValue();
            assertThat(record.getField("id")).isEqualTo(7);
        }
        assertThat(text(admin.schemas().getSchemaInfo(TOPIC))).isEqualTo(text(schema.getSchemaInfo()));
    }

    @Test
    void schemasOfATopicThatStoresNothingAreToldAndChanged() throws Exception {
        String live = "non-persistent://public/default/live";
        Schema<Order> schema = Schema.JSON(Order.class);
        client.newProducer(schema).topic(live).create().close();
        assertThat(text(admin.schemas().getSchemaInfo(live))).isEqualTo(text(schema.getSchemaInfo()));
        assertThat(admin.schemas().getAllSchemas(live)).hasSize(1);
        admin.schemas().deleteSchema(live);
        refusedWith(404, () -> admin.schemas().getSchemaInfo(live));
        String other = "non-persistent://public/default/other";
        try (Producer<byte[]> open = client.newProducer().topic(other).create()) {
            admin.schemas().createSchema(other, avro(ONE));
            assertThat(open.isConnected()).isTrue();
        }
        assertThatThrownBy(() -> client.newProducer(Schema.STRING).topic(other).create())
                .isInstanceOf(PulsarClientException.IncompatibleSchemaException.class);
        admin.topics().createNonPartitionedTopic(TOPIC);
        client.newProducer(schema)
                .topic(TOPIC.replace("persistent", "non-persistent"))
                .create()
                .close();
        refusedWith(404, () -> admin.schemas().getSchemaInfo(TOPIC));
    }

    @Test
    void policiesOfANamespaceDecideAndAreTold() throws Exception {
        assertThat(admin.namespaces().getSchemaCompatibilityStrategy(NAMESPACE))
                .isEqualTo(SchemaCompatibilityStrategy.UNDEFINED);
        admin.namespaces().setSchemaCompatibilityStrategy(NAMESPACE, SchemaCompatibilityStrategy.ALWAYS_COMPATIBLE);
        admin.namespaces().setSchemaValidationEnforced(NAMESPACE, true);
        admin.namespaces().setIsAllowAutoUpdateSchema(NAMESPACE, false);
        restart();
        assertThat(admin.namespaces().getSchemaCompatibilityStrategy(NAMESPACE))
                .isEqualTo(SchemaCompatibilityStrategy.ALWAYS_COMPATIBLE);
        assertThat(admin.namespaces().getSchemaValidationEnforced(NAMESPACE)).isTrue();
        assertThat(admin.namespaces().getIsAllowAutoUpdateSchema(NAMESPACE)).isFalse();
        Policies policies = admin.namespaces().getPolicies(NAMESPACE);
        assertThat(policies.schema_compatibility_strategy).isEqualTo(SchemaCompatibilityStrategy.ALWAYS_COMPATIBLE);
        assertThat(policies.schema_validation_enforced).isTrue();
        assertThat(policies.is_allow_auto_update_schema).isFalse();
        assertThatThrownBy(() -> client.newProducer(Schema.STRING).topic(TOPIC).create())
                .isInstanceOf(PulsarClientException.class);
        admin.schemas().createSchema(TOPIC, avro(ONE));
        admin.schemas().createSchema(TOPIC, avro(BROKEN));
        assertThatThrownBy(() -> client.newProducer().topic(TOPIC).create()).isInstanceOf(PulsarClientException.class);
    }

    @Test
    void policiesOfATopicComeBeforeThoseOfItsNamespace() throws Exception {
        admin.topics().createNonPartitionedTopic(TOPIC);
        admin.topicPolicies().setSchemaCompatibilityStrategy(TOPIC, SchemaCompatibilityStrategy.ALWAYS_INCOMPATIBLE);
        assertThat(admin.topicPolicies().getSchemaCompatibilityStrategy(TOPIC, false))
                .isEqualTo(SchemaCompatibilityStrategy.ALWAYS_INCOMPATIBLE);
        admin.schemas().createSchema(TOPIC, avro(ONE));
        refusedWith(409, () -> admin.schemas().createSchema(TOPIC, avro(TWO)));
        admin.topicPolicies().removeSchemaCompatibilityStrategy(TOPIC);
        admin.schemas().createSchema(TOPIC, avro(TWO));
    }
}
