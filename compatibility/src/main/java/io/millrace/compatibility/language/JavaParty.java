package io.millrace.compatibility.language;

import com.google.protobuf.StringValue;
import io.millrace.compatibility.scenario.Context;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.Reader;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.TableView;
import org.apache.pulsar.client.api.TypedMessageBuilder;
import org.apache.pulsar.client.api.schema.GenericRecord;
import org.apache.pulsar.client.api.schema.GenericSchema;
import org.apache.pulsar.client.api.schema.KeyValueSchema;
import org.apache.pulsar.client.impl.schema.SchemaInfoImpl;
import org.apache.pulsar.common.schema.KeyValue;
import org.apache.pulsar.common.schema.KeyValueEncodingType;
import org.apache.pulsar.common.schema.SchemaType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The Java client. Records are generic ones: their definitions are those of the other languages. */
final class JavaParty implements Party {
    private static final Logger LOG = LoggerFactory.getLogger(JavaParty.class);
    private static final String ORDER = """
            {"type":"record","name":"Order","namespace":"shop","fields":[{"name":"count","type":"int"},\
            {"name":"item","type":["null","string"],"default":null}]}""";
    private static final String SHIPPED = """
            {"type":"record","name":"Order","namespace":"shop","fields":[{"name":"count","type":"int"},\
            {"name":"item","type":["null","string"],"default":null},\
            {"name":"street","type":["null","string"],"default":null}]}""";
    private static final int PATIENCE_SECONDS = 20;

    /** A schema and a value of it. */
    private record Kind<T>(Schema<T> schema, @Nullable T value) {}

    private static Kind<?> kind(String name) {
        return switch (name) {
            case "bytes" -> new Kind<>(Schema.BYTES, "value".getBytes(StandardCharsets.UTF_8));
            case "string" -> new Kind<>(Schema.STRING, "größer");
            case "int8" -> new Kind<>(Schema.INT8, (byte) -5);
            case "int16" -> new Kind<>(Schema.INT16, (short) -300);
            case "int32" -> new Kind<>(Schema.INT32, -70_000);
            case "int64" -> new Kind<>(Schema.INT64, -5_000_000_000L);
            case "float" -> new Kind<>(Schema.FLOAT, 0.5f);
            case "double" -> new Kind<>(Schema.DOUBLE, 0.25);
            case "protobuf" -> new Kind<>(Schema.PROTOBUF(StringValue.class), StringValue.of("x"));
            case "protobuf-native" -> new Kind<>(Schema.PROTOBUF_NATIVE(StringValue.class), StringValue.of("x"));
            case "inline" ->
                new Kind<>(
                        Schema.KeyValue(Schema.STRING, Schema.INT32, KeyValueEncodingType.INLINE),
                        new KeyValue<>("key", 7));
            case "separated" ->
                new Kind<>(
                        Schema.KeyValue(Schema.STRING, Schema.INT32, KeyValueEncodingType.SEPARATED),
                        new KeyValue<>("key", 7));
            case "any" -> new Kind<>(Schema.AUTO_CONSUME(), null);
            default -> record(name);
        };
    }

    private static Kind<GenericRecord> record(String name) {
        boolean isSecond = name.endsWith("-2");
        GenericSchema<GenericRecord> schema = Schema.generic(SchemaInfoImpl.builder()
                .name("Order")
                .type(name.startsWith("avro") ? SchemaType.AVRO : SchemaType.JSON)
                .schema((isSecond ? SHIPPED : ORDER).getBytes(StandardCharsets.UTF_8))
                .properties(Map.of())
                .build());
        GenericRecord value = isSecond
                ? schema.newRecordBuilder()
                        .set("count", 8)
                        .set("item", "y")
                        .set("street", "z")
                        .build()
                : schema.newRecordBuilder().set("count", 7).set("item", "x").build();
        return new Kind<>(schema, value);
    }

    @Override
    public String ask(Context context, String verb, String kind, String topic) {
        try {
            return "ok " + told(done(context, verb, kind(kind), topic));
        } catch (Exception e) {
            LOG.info("{} of {} failed", verb, kind, e); // the transcript has its class alone
            return "failed " + e.getClass().getSimpleName();
        }
    }

    @Override
    public void end() {
        // The client is that of all scenarios.
    }

    private static <T> @Nullable Object done(Context context, String verb, Kind<T> kind, String topic)
            throws Exception {
        switch (verb) {
            case "publish" -> {
                try (Producer<T> producer =
                        context.client().newProducer(kind.schema).topic(topic).create()) {
                    TypedMessageBuilder<T> message = producer.newMessage().value(kind.value);
                    (kind.schema instanceof KeyValueSchema ? message : message.key("k")).send();
                }
                return "\"\"";
            }
            case "consume" -> {
                try (Consumer<T> consumer = context.client()
                        .newConsumer(kind.schema)
                        .topic(topic)
                        .subscriptionName("s")
                        .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                        .subscribe()) {
                    Message<T> message = consumer.receive(PATIENCE_SECONDS, TimeUnit.SECONDS);
                    consumer.acknowledge(message);
                    return message.getValue();
                }
            }
            case "read" -> {
                try (Reader<T> reader = context.client()
                        .newReader(kind.schema)
                        .topic(topic)
                        .startMessageId(MessageId.earliest)
                        .create()) {
                    return reader.readNext(PATIENCE_SECONDS, TimeUnit.SECONDS).getValue();
                }
            }
            default -> {
                try (TableView<T> view =
                        context.client().newTableView(kind.schema).topic(topic).create()) {
                    return view.values().stream().findFirst().orElse(null);
                }
            }
        }
    }

    private static String told(@Nullable Object value) {
        if (value instanceof GenericRecord record) {
            Map<String, Object> fields = new TreeMap<>();
            record.getFields().forEach(field -> fields.put(field.getName(), String.valueOf(record.getField(field))));
            return fields.toString();
        }
        if (value instanceof byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
        return value instanceof StringValue text ? text.getValue() : String.valueOf(value);
    }
}
