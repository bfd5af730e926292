package io.millrace.compatibility.schema;

import io.millrace.compatibility.scenario.Context;
import io.millrace.compatibility.scenario.Scenarios;
import io.millrace.compatibility.schema.Orders.Order;
import io.millrace.compatibility.schema.Orders.Retyped;
import io.millrace.compatibility.schema.Orders.Shipped;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.ConsumerBuilder;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.Reader;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;
import org.apache.pulsar.client.api.schema.GenericRecord;
import org.apache.pulsar.common.policies.data.SchemaCompatibilityStrategy;
import org.apache.pulsar.common.schema.KeyValue;
import org.apache.pulsar.common.schema.KeyValueEncodingType;

/** Schemas that change, are set before anybody publishes, are deleted; and policies of topics and namespaces. */
public final class SchemaEvolution {
    private SchemaEvolution() {}

    /** Adds them. */
    public static void declare(Scenarios scenarios) {
        ofType(scenarios, "avro", Schema.AVRO(Order.class), Schema.AVRO(Shipped.class));
        ofType(scenarios, "json", Schema.JSON(Order.class), Schema.JSON(Shipped.class));
        for (SchemaCompatibilityStrategy strategy : SchemaCompatibilityStrategy.values()) {
            scenarios.add(
                    "policy."
                            + strategy.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-'),
                    context -> policy(context, strategy));
        }
        scenarios
                .add("key-value.key-shared", SchemaEvolution::keyShared)
                .add("key-value.evolves", SchemaEvolution::keyValueEvolves)
                .add("key-value.encoding-changes", SchemaEvolution::encodingChanges)
                .add("refused.producer", SchemaEvolution::refusedProducer)
                .add("refused.consumer", SchemaEvolution::refusedConsumer)
                .add("topic-is-deleted", SchemaEvolution::topicDeleted)
                .add("live-topic", SchemaEvolution::liveTopic);
    }

    private static void ofType(Scenarios scenarios, String type, Schema<Order> first, Schema<Shipped> second) {
        scenarios
                .add(type + ".old-reader", context -> oldReader(context, first, second))
                .add(type + ".new-reader", context -> newReader(context, first, second))
                .add(type + ".any-reader", context -> anyReader(context, first, second))
                .add(type + ".producer-of-the-old", context -> oldProducer(context, first, second))
                .add(type + ".set-first", context -> setFirst(context, first, second))
                .add(type + ".deleted", context -> deleted(context, first, second))
                .add(type + ".deleted-by-force", context -> deletedByForce(context, first))
                .add(type + ".partitioned", context -> partitioned(context, first, second))
                .add(type + ".closed-to-clients", context -> closed(context, first, second))
                .add(type + ".reader-from-the-first", context -> reader(context, first, second))
                .add(type + ".multi-schema-producer", context -> multi(context, first, second))
                .add(type + ".single-schema-producer", context -> single(context, first, second));
    }

    private static <T> Producer<T> producer(Context context, String topic, Schema<T> schema) throws Exception {
        return context.closing(context.client()
                .newProducer(schema)
                .topic(topic)
                .enableBatching(false)
                .create());
    }

    private static <T> ConsumerBuilder<T> consumer(Context context, String topic, Schema<T> schema) {
        return context.client()
                .newConsumer(schema)
                .topic(topic)
                .subscriptionName("s")
                .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest);
    }

    private static <T> void receive(Context context, Consumer<T> consumer, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            Message<T> message = consumer.receive(10, TimeUnit.SECONDS);
            context.call("value", () -> text(message.getValue()));
            context.say("version", message == null ? "none" : version(message));
        }
    }

    private static String version(Message<?> message) {
        byte[] version = message.getSchemaVersion();
        return version == null ? "none" : String.valueOf(version[version.length - 1]);
    }

    private static String text(Object value) {
        if (value instanceof GenericRecord record) {
            Map<String, String> fields = new TreeMap<>();
            record.getFields().forEach(field -> fields.put(field.getName(), text(record.getField(field))));
            return fields.toString();
        }
        return String.valueOf(value);
    }

    private static void oldReader(Context context, Schema<Order> first, Schema<Shipped> second) throws Exception {
        String topic = context.topic("t");
        producer(context, topic, first).send(Order.of(1, "a"));
        producer(context, topic, second).send(Shipped.of(2, "b", "street"));
        receive(context, context.closing(consumer(context, topic, first).subscribe()), 2);
    }

    private static void newReader(Context context, Schema<Order> first, Schema<Shipped> second) throws Exception {
        String topic = context.topic("t");
        producer(context, topic, first).send(Order.of(1, "a"));
        producer(context, topic, second).send(Shipped.of(2, "b", "street"));
        receive(context, context.closing(consumer(context, topic, second).subscribe()), 2);
    }

    private static void anyReader(Context context, Schema<Order> first, Schema<Shipped> second) throws Exception {
        String topic = context.topic("t");
        producer(context, topic, first).send(Order.of(1, "a"));
        producer(context, topic, second).send(Shipped.of(2, "b", "street"));
        Consumer<GenericRecord> consumer =
                context.closing(consumer(context, topic, Schema.AUTO_CONSUME()).subscribe());
        receive(context, consumer, 2);
    }

    private static void oldProducer(Context context, Schema<Order> first, Schema<Shipped> second) throws Exception {
        String topic = context.topic("t");
        producer(context, topic, first);
        producer(context, topic, second);
        producer(context, topic, first).send(Order.of(1, "a"));
        receive(context, context.closing(consumer(context, topic, first).subscribe()), 1);
        context.say("versions", context.admin().schemas().getAllSchemas(topic).size());
    }

    private static void setFirst(Context context, Schema<Order> first, Schema<Shipped> second) throws Exception {
        String topic = context.topic("t");
        context.run("set", () -> context.admin().schemas().createSchema(topic, first.getSchemaInfo()));
        context.run("set the next", () -> context.admin().schemas().createSchema(topic, second.getSchemaInfo()));
        producer(context, topic, second).send(Shipped.of(2, "b", "street"));
        receive(context, context.closing(consumer(context, topic, first).subscribe()), 1);
        context.call(
                "latest",
                () -> context.admin().schemas().getSchemaInfoWithVersion(topic).getVersion());
    }

    private static void deleted(Context context, Schema<Order> first, Schema<Shipped> second) throws Exception {
        String topic = context.topic("t");
        producer(context, topic, first).send(Order.of(1, "a"));
        context.run("delete", () -> context.admin().schemas().deleteSchema(topic));
        context.run("delete again", () -> context.admin().schemas().deleteSchema(topic));
        context.call(
                "latest", () -> context.admin().schemas().getSchemaInfo(topic).getType());
        context.call("all", () -> context.admin().schemas().getAllSchemas(topic).size());
        producer(context, topic, second).send(Shipped.of(2, "b", "street"));
        context.call(
                "then",
                () -> context.admin().schemas().getSchemaInfoWithVersion(topic).getVersion());
    }

    private static void deletedByForce(Context context, Schema<Order> first) throws Exception {
        String topic = context.topic("t");
        producer(context, topic, first).send(Order.of(1, "a"));
        context.run("delete", () -> context.admin().schemas().deleteSchema(topic, true));
        context.call("all", () -> context.admin().schemas().getAllSchemas(topic).size());
        context.call(
                "another type", () -> producer(context, topic, Schema.STRING).isConnected());
    }

    private static void partitioned(Context context, Schema<Order> first, Schema<Shipped> second) throws Exception {
        String topic = context.topic("p");
        context.admin().topics().createPartitionedTopic(topic, 3);
        producer(context, topic, first).send(Order.of(1, "a"));
        producer(context, topic + "-partition-1", second).send(Shipped.of(2, "b", "street"));
        context.say("versions", context.admin().schemas().getAllSchemas(topic).size());
        context.say(
                "versions of a partition",
                context.admin().schemas().getAllSchemas(topic + "-partition-0").size());
        Consumer<Shipped> consumer =
                context.closing(consumer(context, topic, second).subscribe());
        context.say(
                "received",
                List.of(
                                consumer.receive(10, TimeUnit.SECONDS)
                                        .getValue()
                                        .toString(),
                                consumer.receive(10, TimeUnit.SECONDS)
                                        .getValue()
                                        .toString())
                        .stream()
                        .sorted()
                        .toList());
    }

    private static void closed(Context context, Schema<Order> first, Schema<Shipped> second) throws Exception {
        String topic = context.topic("t");
        context.admin().namespaces().setIsAllowAutoUpdateSchema(context.namespace(), false);
        context.call("first", () -> producer(context, topic, first).isConnected());
        context.run("set", () -> context.admin().schemas().createSchema(topic, first.getSchemaInfo()));
        context.call("known", () -> producer(context, topic, first).isConnected());
        context.call("unknown", () -> producer(context, topic, second).isConnected());
        context.call(
                "consumer",
                () -> context.closing(consumer(context, topic, second).subscribe())
                        .isConnected());
        context.run("set the next", () -> context.admin().schemas().createSchema(topic, second.getSchemaInfo()));
        context.call("then", () -> producer(context, topic, second).isConnected());
    }

    private static void reader(Context context, Schema<Order> first, Schema<Shipped> second) throws Exception {
        String topic = context.topic("t");
        producer(context, topic, first).send(Order.of(1, "a"));
        producer(context, topic, second).send(Shipped.of(2, "b", "street"));
        Reader<Shipped> reader = context.closing(context.client()
                .newReader(second)
                .topic(topic)
                .startMessageId(MessageId.earliest)
                .create());
        while (reader.hasMessageAvailable()) {
            context.say("value", reader.readNext(10, TimeUnit.SECONDS).getValue());
        }
    }

    private static void multi(Context context, Schema<Order> first, Schema<Shipped> second) throws Exception {
        String topic = context.topic("t");
        Producer<Order> producer = producer(context, topic, first);
        producer.send(Order.of(1, "a"));
        context.call(
                "another",
                () -> producer.newMessage(second)
                                .value(Shipped.of(2, "b", "street"))
                                .send()
                        != null);
        context.call(
                "a third",
                () -> producer.newMessage(Schema.STRING).value("text").send() != null);
        context.call("again", () -> producer.send(Order.of(3, "c")) != null);
        receive(context, context.closing(consumer(context, topic, first).subscribe()), 3);
        context.say("versions", context.admin().schemas().getAllSchemas(topic).size());
    }

    private static void single(Context context, Schema<Order> first, Schema<Shipped> second) throws Exception {
        Producer<Order> producer = context.closing(context.client()
                .newProducer(first)
                .topic(context.topic("t"))
                .enableMultiSchema(false)
                .create());
        context.call(
                "another",
                () -> producer.newMessage(second)
                                .value(Shipped.of(2, "b", "street"))
                                .send()
                        != null);
    }

    private static void policy(Context context, SchemaCompatibilityStrategy strategy) throws Exception {
        context.admin().namespaces().setSchemaCompatibilityStrategy(context.namespace(), strategy);
        context.say("stored", context.admin().namespaces().getSchemaCompatibilityStrategy(context.namespace()));
        String topic = context.topic("t");
        producer(context, topic, Schema.AVRO(Order.class)).send(Order.of(1, "a"));
        context.call(
                "wider",
                () -> producer(context, topic, Schema.AVRO(Shipped.class)).isConnected());
        context.call(
                "retyped",
                () -> producer(context, topic, Schema.AVRO(Retyped.class)).isConnected());
        context.call("text", () -> producer(context, topic, Schema.STRING).isConnected());
        context.say("versions", context.admin().schemas().getAllSchemas(topic).size());
    }

    private static void keyShared(Context context) throws Exception {
        Schema<KeyValue<String, Order>> schema =
                Schema.KeyValue(Schema.STRING, Schema.AVRO(Order.class), KeyValueEncodingType.SEPARATED);
        String topic = context.topic("t");
        Consumer<KeyValue<String, Order>> consumer = context.closing(consumer(context, topic, schema)
                .subscriptionType(SubscriptionType.Key_Shared)
                .subscribe());
        Producer<KeyValue<String, Order>> producer = producer(context, topic, schema);
        for (int i = 0; i < 6; i++) {
            producer.send(new KeyValue<>("k" + i % 2, Order.of(i, "a")));
        }
        Map<String, String> byKey = new TreeMap<>();
        for (int i = 0; i < 6; i++) {
            Message<KeyValue<String, Order>> message = consumer.receive(10, TimeUnit.SECONDS);
            byKey.merge(message.getValue().getKey(), message.getValue().getValue().count + "", (a, b) -> a + "," + b);
            context.say("has a key", message.hasKey());
        }
        context.say("by key", byKey);
    }

    private static void keyValueEvolves(Context context) throws Exception {
        String topic = context.topic("t");
        producer(context, topic, Schema.KeyValue(Schema.STRING, Schema.AVRO(Order.class)))
                .send(new KeyValue<>("k", Order.of(1, "a")));
        context.call(
                "wider value",
                () -> producer(context, topic, Schema.KeyValue(Schema.STRING, Schema.AVRO(Shipped.class)))
                        .isConnected());
        context.call(
                "another key",
                () -> producer(context, topic, Schema.KeyValue(Schema.INT32, Schema.AVRO(Order.class)))
                        .isConnected());
        context.say("versions", context.admin().schemas().getAllSchemas(topic).size());
    }

    private static void encodingChanges(Context context) throws Exception {
        String topic = context.topic("t");
        producer(context, topic, Schema.KeyValue(Schema.STRING, Schema.STRING, KeyValueEncodingType.INLINE));
        context.call(
                "separated",
                () -> producer(
                                context,
                                topic,
                                Schema.KeyValue(Schema.STRING, Schema.STRING, KeyValueEncodingType.SEPARATED))
                        .isConnected());
        context.say("versions", context.admin().schemas().getAllSchemas(topic).size());
    }

    private static void refusedProducer(Context context) throws Exception {
        String topic = context.topic("t");
        Producer<Order> there = producer(context, topic, Schema.AVRO(Order.class));
        context.call(
                "retyped",
                () -> producer(context, topic, Schema.AVRO(Retyped.class)).isConnected());
        context.call("the one there", () -> there.send(Order.of(1, "a")) != null);
        context.say("versions", context.admin().schemas().getAllSchemas(topic).size());
    }

    private static void refusedConsumer(Context context) throws Exception {
        String topic = context.topic("t");
        producer(context, topic, Schema.AVRO(Order.class)).send(Order.of(1, "a"));
        context.call(
                "retyped",
                () -> context.closing(consumer(context, topic, Schema.AVRO(Retyped.class))
                                .subscribe())
                        .isConnected());
        context.call(
                "text",
                () -> context.closing(consumer(context, topic, Schema.STRING).subscribe())
                        .isConnected());
        context.call(
                "bytes",
                () -> context.closing(consumer(context, topic, Schema.BYTES).subscribe())
                        .isConnected());
    }

    private static void topicDeleted(Context context) throws Exception {
        String topic = context.topic("t");
        try (Producer<Order> producer = context.client()
                .newProducer(Schema.AVRO(Order.class))
                .topic(topic)
                .create()) {
            producer.send(Order.of(1, "a"));
        }
        context.run("delete", () -> context.admin().topics().delete(topic));
        context.call(
                "schemas", () -> context.admin().schemas().getAllSchemas(topic).size());
        context.call(
                "another type", () -> producer(context, topic, Schema.STRING).isConnected());
    }

    private static void liveTopic(Context context) throws Exception {
        String topic = context.liveTopic("t");
        Consumer<Order> consumer = context.closing(
                consumer(context, topic, Schema.AVRO(Order.class)).subscribe());
        producer(context, topic, Schema.AVRO(Order.class)).send(Order.of(1, "a"));
        receive(context, consumer, 1);
    }
}
