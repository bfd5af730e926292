package io.millrace.compatibility.schema;

import io.millrace.compatibility.scenario.Context;
import io.millrace.compatibility.scenario.Scenarios;
import io.millrace.compatibility.schema.Orders.Order;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Base64;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.ConsumerBuilder;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Reader;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.TableView;
import org.apache.pulsar.client.api.schema.GenericRecord;
import org.apache.pulsar.common.schema.KeyValue;
import org.apache.pulsar.common.schema.KeyValueEncodingType;
import org.apache.pulsar.common.schema.SchemaInfo;
import org.apache.pulsar.common.schema.SchemaType;

/** Every type of schema that the Java client has: there and back, by its own consumer, by one of any schema, by readers and table views. */
@SuppressWarnings("JavaUtilDate") // a schema of Pulsar is of that class
public final class SchemaKinds {
    /** A schema with a value of it. */
    private record Kind<T>(Schema<T> schema, T value) {}

    private SchemaKinds() {}

    /** Adds them. */
    public static void declare(Scenarios scenarios) {
        Map<String, Kind<?>> kinds = kinds();
        kinds.forEach((name, kind) -> scenarios
                .add(name + ".there-and-back", context -> thereAndBack(context, kind))
                .add(name + ".any-schema", context -> anySchema(context, kind))
                .add(name + ".admin", context -> admin(context, kind))
                .add(name + ".reader", context -> reader(context, kind))
                .add(name + ".table-view", context -> tableView(context, kind))
                .add(name + ".without-schema", context -> withoutSchema(context, kind))
                .add(name + ".auto-produce", context -> autoProduce(context, kind))
                .add(name + ".consumer-first", context -> consumerFirst(context, kind)));
        kinds.forEach((name, kind) -> kinds.forEach((other, second) -> {
            if (name.startsWith("string") || name.startsWith("avro") || name.startsWith("key-value-inline")) {
                scenarios.add(name + ".then-" + other, context -> then(context, kind, second));
            }
        }));
    }

    private static Map<String, Kind<?>> kinds() {
        Map<String, Kind<?>> kinds = new LinkedHashMap<>();
        kinds.put("bytes", new Kind<>(Schema.BYTES, new byte[] {1, 2}));
        kinds.put("byte-buffer", new Kind<>(Schema.BYTEBUFFER, ByteBuffer.wrap(new byte[] {1, 2})));
        kinds.put("string", new Kind<>(Schema.STRING, "tüxt"));
        kinds.put("bool", new Kind<>(Schema.BOOL, true));
        kinds.put("int8", new Kind<>(Schema.INT8, (byte) -7));
        kinds.put("int16", new Kind<>(Schema.INT16, (short) 300));
        kinds.put("int32", new Kind<>(Schema.INT32, 70_000));
        kinds.put("int64", new Kind<>(Schema.INT64, Long.MIN_VALUE));
        kinds.put("float", new Kind<>(Schema.FLOAT, 1.5f));
        kinds.put("double", new Kind<>(Schema.DOUBLE, -0.25));
        kinds.put("date", new Kind<>(Schema.DATE, new Date(1_000)));
        kinds.put("time", new Kind<>(Schema.TIME, new java.sql.Time(1_000)));
        kinds.put("timestamp", new Kind<>(Schema.TIMESTAMP, new java.sql.Timestamp(1_000)));
        kinds.put("instant", new Kind<>(Schema.INSTANT, Instant.ofEpochSecond(1, 2)));
        kinds.put("local-date", new Kind<>(Schema.LOCAL_DATE, LocalDate.of(2026, 1, 31)));
        kinds.put("local-time", new Kind<>(Schema.LOCAL_TIME, LocalTime.of(1, 2, 3)));
        kinds.put("local-date-time", new Kind<>(Schema.LOCAL_DATE_TIME, LocalDateTime.of(2026, 1, 31, 1, 2)));
        kinds.put("json", new Kind<>(Schema.JSON(Order.class), Order.of(3, "nut")));
        kinds.put("avro", new Kind<>(Schema.AVRO(Order.class), Order.of(3, "nut")));
        kinds.put(
                "key-value-inline",
                new Kind<>(
                        Schema.KeyValue(Schema.STRING, Schema.AVRO(Order.class), KeyValueEncodingType.INLINE),
                        new KeyValue<>("k", Order.of(3, "nut"))));
        kinds.put(
                "key-value-separated",
                new Kind<>(
                        Schema.KeyValue(Schema.STRING, Schema.JSON(Order.class), KeyValueEncodingType.SEPARATED),
                        new KeyValue<>("k", Order.of(3, "nut"))));
        kinds.put(
                "key-value-of-numbers",
                new Kind<>(
                        Schema.KeyValue(Schema.INT32, Schema.INT64, KeyValueEncodingType.SEPARATED),
                        new KeyValue<>(1, 2L)));
        return kinds;
    }

    private static <T> MessageId publish(Context context, String topic, Kind<T> kind) throws Exception {
        Producer<T> producer = context.closing(context.client()
                .newProducer(kind.schema)
                .topic(topic)
                .enableBatching(false)
                .create());
        if (kind.schema.getSchemaInfo() != null && kind.schema.getSchemaInfo().getType() == SchemaType.KEY_VALUE) {
            return producer.newMessage().value(kind.value).send();
        }
        return producer.newMessage().key("k").value(kind.value).send();
    }

    private static <T> ConsumerBuilder<T> consumer(Context context, String topic, Schema<T> schema) {
        return context.client()
                .newConsumer(schema)
                .topic(topic)
                .subscriptionName("s")
                .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest);
    }

    private static <T> void tell(Context context, Message<T> message) {
        if (message == null) {
            context.say("message", "nothing came");
            return;
        }
        context.call("value", () -> text(message.getValue()));
        context.say("key", message.getKey());
        byte[] version = message.getSchemaVersion();
        context.say("version", version == null ? "none" : Base64.getEncoder().encodeToString(version));
        context.call(
                "reader schema",
                () -> message.getReaderSchema()
                        .map(schema -> schema.getSchemaInfo().getType())
                        .map(Object::toString)
                        .orElse("none"));
    }

    private static String text(Object value) {
        if (value instanceof byte[] bytes) {
            return Base64.getEncoder().encodeToString(bytes);
        } else if (value instanceof KeyValue<?, ?> both) {
            return text(both.getKey()) + "=" + text(both.getValue());
        } else if (value instanceof GenericRecord record) {
            StringBuilder fields = new StringBuilder(String.valueOf(record.getSchemaType()));
            if (record.getSchemaType() == SchemaType.AVRO || record.getSchemaType() == SchemaType.JSON) {
                record.getFields()
                        .forEach(field -> fields.append(' ')
                                .append(field.getName())
                                .append('=')
                                .append(text(record.getField(field))));
            } else {
                fields.append(' ').append(text(record.getNativeObject()));
            }
            return fields.toString();
        } else if (value instanceof java.sql.Time || value instanceof Date) {
            return String.valueOf(((Date) value).getTime());
        } else if (value instanceof ByteBuffer buffer) {
            return buffer.remaining() + " bytes";
        }
        return String.valueOf(value);
    }

    private static <T> void thereAndBack(Context context, Kind<T> kind) throws Exception {
        String topic = context.topic("t");
        publish(context, topic, kind);
        Consumer<T> consumer =
                context.closing(consumer(context, topic, kind.schema).subscribe());
        tell(context, consumer.receive(10, TimeUnit.SECONDS));
    }

    private static <T> void anySchema(Context context, Kind<T> kind) throws Exception {
        String topic = context.topic("t");
        publish(context, topic, kind);
        Consumer<GenericRecord> consumer =
                context.closing(consumer(context, topic, Schema.AUTO_CONSUME()).subscribe());
        tell(context, consumer.receive(10, TimeUnit.SECONDS));
    }

    private static <T> void admin(Context context, Kind<T> kind) throws Exception {
        String topic = context.topic("t");
        publish(context, topic, kind);
        context.call("latest", () -> told(context.admin().schemas().getSchemaInfo(topic)));
        context.call("version 0", () -> told(context.admin().schemas().getSchemaInfo(topic, 0)));
        context.call("version 9", () -> told(context.admin().schemas().getSchemaInfo(topic, 9)));
        context.call("all", () -> context.admin().schemas().getAllSchemas(topic).size());
        context.call(
                "version of it",
                () -> context.admin().schemas().getVersionBySchema(topic, kind.schema.getSchemaInfo()));
        context.call(
                "test",
                () -> context.admin()
                        .schemas()
                        .testCompatibility(topic, kind.schema.getSchemaInfo())
                        .isCompatibility());
        context.call("set again", () -> {
            context.admin().schemas().createSchema(topic, kind.schema.getSchemaInfo());
            return context.admin().schemas().getAllSchemas(topic).size();
        });
        context.run("delete", () -> context.admin().schemas().deleteSchema(topic));
        context.call("then", () -> told(context.admin().schemas().getSchemaInfo(topic)));
    }

    private static String told(SchemaInfo info) {
        return info.getType() + " "
                + new String(info.getSchema(), StandardCharsets.UTF_8).replaceAll("[\\x00-\\x1f]", "") + " "
                + new java.util.TreeMap<>(info.getProperties());
    }

    private static <T> void reader(Context context, Kind<T> kind) throws Exception {
        String topic = context.topic("t");
        publish(context, topic, kind);
        Reader<T> reader = context.closing(context.client()
                .newReader(kind.schema)
                .topic(topic)
                .startMessageId(MessageId.earliest)
                .create());
        tell(context, reader.readNext(10, TimeUnit.SECONDS));
        Reader<GenericRecord> any = context.closing(context.client()
                .newReader(Schema.AUTO_CONSUME())
                .topic(topic)
                .startMessageId(MessageId.earliest)
                .create());
        tell(context, any.readNext(10, TimeUnit.SECONDS));
    }

    private static <T> void tableView(Context context, Kind<T> kind) throws Exception {
        String topic = context.topic("t");
        publish(context, topic, kind);
        context.call("view", () -> {
            TableView<T> view = context.closing(
                    context.client().newTableView(kind.schema).topic(topic).create());
            return view.keySet() + " "
                    + view.values().stream().map(SchemaKinds::text).toList();
        });
    }

    private static <T> void withoutSchema(Context context, Kind<T> kind) throws Exception {
        String topic = context.topic("t");
        publish(context, topic, kind);
        context.call(
                "producer of bytes",
                () -> context.closing(context.client()
                                        .newProducer()
                                        .topic(topic)
                                        .create())
                                .send(new byte[] {5})
                        != null);
        Consumer<byte[]> consumer =
                context.closing(consumer(context, topic, Schema.BYTES).subscribe());
        for (int i = 0; i < 2; i++) {
            tell(context, consumer.receive(10, TimeUnit.SECONDS));
        }
        context.admin().namespaces().setSchemaValidationEnforced(context.namespace(), true);
        context.await("is refused once it is enforced", () -> {
            try {
                context.client().newProducer().topic(topic).create().close();
                return kind.schema == Schema.BYTES || kind.schema == Schema.BYTEBUFFER;
            } catch (PulsarClientException.IncompatibleSchemaException refused) {
                return true;
            }
        });
    }

    private static <T> void autoProduce(Context context, Kind<T> kind) throws Exception {
        String topic = context.topic("t");
        publish(context, topic, kind);
        Producer<byte[]> producer = context.closing(context.client()
                .newProducer(Schema.AUTO_PRODUCE_BYTES())
                .topic(topic)
                .create());
        context.call("garbage", () -> producer.send(new byte[] {-1, -1, -1, -1, -1}) != null);
        context.call("nothing", () -> producer.send(new byte[0]) != null);
        if (kind.schema.getSchemaInfo().getType() != SchemaType.KEY_VALUE) {
            context.call("a value", () -> producer.send(kind.schema.encode(kind.value)) != null);
        }
    }

    private static <T> void consumerFirst(Context context, Kind<T> kind) throws Exception {
        String topic = context.topic("t");
        Consumer<T> consumer =
                context.closing(consumer(context, topic, kind.schema).subscribe());
        context.call("all", () -> context.admin().schemas().getAllSchemas(topic).size());
        publish(context, topic, kind);
        tell(context, consumer.receive(10, TimeUnit.SECONDS));
    }

    private static <A, B> void then(Context context, Kind<A> first, Kind<B> second) throws Exception {
        String topic = context.topic("t");
        publish(context, topic, first);
        context.call("publish", () -> publish(context, topic, second) != null);
        context.call(
                "consumer",
                () -> context.closing(consumer(context, topic, second.schema).subscribe())
                        .isConnected());
        context.say("versions", context.admin().schemas().getAllSchemas(topic).size());
    }
}
