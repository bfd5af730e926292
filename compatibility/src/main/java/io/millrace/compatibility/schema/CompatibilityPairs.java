package io.millrace.compatibility.schema;

import io.millrace.compatibility.scenario.Context;
import io.millrace.compatibility.scenario.Scenarios;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pulsar.client.admin.PulsarAdminException;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.common.policies.data.SchemaCompatibilityStrategy;
import org.apache.pulsar.common.protocol.schema.PostSchemaPayload;
import org.apache.pulsar.common.schema.SchemaInfo;
import org.apache.pulsar.common.schema.SchemaType;

/** Every strategy with every kind of change: whether the admin client, a producer and a consumer may bring the new schema. Generated. */
public final class CompatibilityPairs {
    private static final String PLAIN = record("{\"name\":\"a\",\"type\":\"int\"}");
    private static final String TWO =
            record("{\"name\":\"a\",\"type\":\"int\"}", "{\"name\":\"b\",\"type\":\"string\"}");
    private static final String TWO_WITH_DEFAULT =
            record("{\"name\":\"a\",\"type\":\"int\"}", "{\"name\":\"b\",\"type\":\"string\",\"default\":\"\"}");

    /** A change from one definition to another, and for the transitive strategies what was before both. */
    private record Change(SchemaType type, String first, String before, String after) {}

    private CompatibilityPairs() {}

    /** Adds them. */
    public static void declare(Scenarios scenarios) {
        scenarios.add("refused-by-a-test", CompatibilityPairs::refusedByTest);
        changes().forEach((name, change) -> {
            for (SchemaCompatibilityStrategy strategy : SchemaCompatibilityStrategy.values()) {
                if (strategy != SchemaCompatibilityStrategy.UNDEFINED) {
                    String rule = strategy.name().toLowerCase(Locale.ROOT).replace('_', '-');
                    scenarios.add(rule + "." + name, context -> pair(context, strategy, change));
                }
            }
        });
    }

    private static void refusedByTest(Context context) throws Exception {
        String topic = context.topic("t");
        context.admin().schemas().createSchema(topic, payload(SchemaType.AVRO, PLAIN));
        PostSchemaPayload next = payload(SchemaType.AVRO, TWO);
        context.call(
                "tested",
                () -> context.admin().schemas().testCompatibility(topic, next).isCompatibility());
    }

    private static Map<String, Change> changes() {
        Map<String, Change> changes = new LinkedHashMap<>();
        addFields(changes);
        addTypes(changes);
        addNested(changes);
        avro(changes, "transitive-default-dropped", PLAIN, TWO_WITH_DEFAULT, TWO);
        avro(changes, "transitive-required-later", TWO, TWO_WITH_DEFAULT, PLAIN);
        changes.put("type-avro-to-json", new Change(SchemaType.JSON, "", PLAIN, PLAIN));
        changes.put("type-to-string", new Change(SchemaType.STRING, "", PLAIN, ""));
        changes.put("garbage", new Change(SchemaType.AVRO, "", PLAIN, "{\"type\":\"recor"));
        return changes;
    }

    private static void addFields(Map<String, Change> changes) {
        avro(changes, "add-required", "", PLAIN, TWO);
        avro(changes, "add-with-default", "", PLAIN, TWO_WITH_DEFAULT);
        avro(changes, "remove-required", "", TWO, PLAIN);
        avro(changes, "remove-with-default", "", TWO_WITH_DEFAULT, PLAIN);
        avro(changes, "rename", "", PLAIN, record("{\"name\":\"z\",\"type\":\"int\"}"));
        avro(changes, "rename-with-alias", "", PLAIN, record("{\"name\":\"z\",\"type\":\"int\",\"aliases\":[\"a\"]}"));
        avro(changes, "rename-record", "", PLAIN, PLAIN.replace("\"R\"", "\"S\""));
        avro(changes, "default-added", "", TWO, TWO_WITH_DEFAULT);
        avro(changes, "default-removed", "", TWO_WITH_DEFAULT, TWO);
        avro(changes, "default-changed", "", TWO_WITH_DEFAULT, TWO_WITH_DEFAULT.replace("\"\"", "\"x\""));
        avro(
                changes,
                "order",
                "",
                TWO,
                record("{\"name\":\"b\",\"type\":\"string\"}", "{\"name\":\"a\",\"type\":\"int\"}"));
    }

    private static void addTypes(Map<String, Change> changes) {
        typed(changes, "retype-int-to-long", "\"int\"", "\"long\"");
        typed(changes, "retype-long-to-int", "\"long\"", "\"int\"");
        typed(changes, "retype-int-to-string", "\"int\"", "\"string\"");
        typed(changes, "retype-string-to-bytes", "\"string\"", "\"bytes\"");
        typed(changes, "enum-symbol-added", enumOf("\"A\""), enumOf("\"A\",\"B\""));
        typed(changes, "enum-symbol-removed", enumOf("\"A\",\"B\""), enumOf("\"A\""));
        typed(changes, "union-branch-added", "[\"null\",\"int\"]", "[\"null\",\"int\",\"string\"]");
        typed(changes, "union-branch-removed", "[\"null\",\"int\",\"string\"]", "[\"null\",\"int\"]");
        typed(changes, "to-nullable", "\"int\"", "[\"null\",\"int\"]");
        typed(changes, "from-nullable", "[\"null\",\"int\"]", "\"int\"");
        typed(
                changes,
                "fixed-size",
                "{\"type\":\"fixed\",\"name\":\"F\",\"size\":2}",
                "{\"type\":\"fixed\",\"name\":\"F\",\"size\":3}");
        typed(
                changes,
                "array-items",
                "{\"type\":\"array\",\"items\":\"int\"}",
                "{\"type\":\"array\",\"items\":\"string\"}");
    }

    private static void addNested(Map<String, Change> changes) {
        String inner = PLAIN.replace("\"R\"", "\"I\"");
        typed(changes, "nested-add-required", inner, TWO.replace("\"R\"", "\"I\""));
        typed(changes, "nested-add-with-default", inner, TWO_WITH_DEFAULT.replace("\"R\"", "\"I\""));
        typed(changes, "nested-retype", inner, inner.replace("\"int\"", "\"string\""));
        typed(
                changes,
                "nested-in-array",
                "{\"type\":\"array\",\"items\":" + inner + "}",
                "{\"type\":\"array\",\"items\":" + TWO.replace("\"R\"", "\"I\"") + "}");
    }

    private static void avro(Map<String, Change> changes, String name, String first, String before, String after) {
        changes.put(name, new Change(SchemaType.AVRO, first, before, after));
    }

    private static void typed(Map<String, Change> changes, String name, String before, String after) {
        avro(
                changes,
                name,
                "",
                record("{\"name\":\"f\",\"type\":" + before + "}"),
                record("{\"name\":\"f\",\"type\":" + after + "}"));
    }

    private static String record(String... fields) {
        return "{\"type\":\"record\",\"name\":\"R\",\"fields\":[" + String.join(",", fields) + "]}";
    }

    private static String enumOf(String symbols) {
        return "{\"type\":\"enum\",\"name\":\"E\",\"symbols\":[" + symbols + "]}";
    }

    private static void pair(Context context, SchemaCompatibilityStrategy strategy, Change change) throws Exception {
        context.admin().namespaces().setSchemaCompatibilityStrategy(context.namespace(), strategy);
        AtomicInteger topics = new AtomicInteger();
        String tested = topic(context, topics, change);
        PostSchemaPayload next = payload(change.type(), change.after());
        context.say("tested", isTaken(context, tested, next) ? "taken" : "refused");
        String posted = topic(context, topics, change);
        context.run("posted", () -> context.admin().schemas().createSchema(posted, next));
        Schema<byte[]> schema = DefinedSchema.of(change.type(), change.after());
        String produced = topic(context, topics, change);
        context.call(
                "producer",
                () -> context.closing(context.client()
                                .newProducer(schema)
                                .topic(produced)
                                .create())
                        .isConnected());
        String consumed = topic(context, topics, change);
        context.call(
                "consumer",
                () -> context.closing(context.client()
                                .newConsumer(schema)
                                .topic(consumed)
                                .subscriptionName("s")
                                .subscribe())
                        .isConnected());
        context.say(
                "versions", context.admin().schemas().getAllSchemas(produced).size());
    }

    /** Whether it would be; a refusal is an answer, or a failure where the broker has none for it. */
    private static boolean isTaken(Context context, String topic, PostSchemaPayload next) throws Exception {
        try {
            return context.admin().schemas().testCompatibility(topic, next).isCompatibility();
        } catch (PulsarAdminException.ServerSideErrorException refused) {
            return false;
        }
    }

    /** A topic of its own that has the definitions before the change. */
    private static String topic(Context context, AtomicInteger topics, Change change) throws Exception {
        String topic = context.topic("t" + topics.incrementAndGet());
        SchemaType before = SchemaType.AVRO;
        if (!change.first().isEmpty()) {
            context.admin().schemas().createSchema(topic, payload(before, change.first()));
        }
        try {
            context.admin().schemas().createSchema(topic, payload(before, change.before()));
        } catch (PulsarAdminException refused) {
            context.say("the one before", "refused");
        }
        return topic;
    }

    private static PostSchemaPayload payload(SchemaType type, String definition) {
        return new PostSchemaPayload(type.name(), definition, Map.of());
    }

    /** A schema of any definition, whose messages are bytes. */
    private record DefinedSchema(SchemaInfo info) implements Schema<byte[]> {
        static DefinedSchema of(SchemaType type, String definition) {
            return new DefinedSchema(SchemaInfo.builder()
                    .name("")
                    .type(type)
                    .schema(definition.getBytes(StandardCharsets.UTF_8))
                    .properties(Map.of())
                    .build());
        }

        @Override
        public byte[] encode(byte[] message) {
            return message;
        }

        @Override
        public byte[] decode(byte[] bytes) {
            return bytes;
        }

        @Override
        public SchemaInfo getSchemaInfo() {
            return info;
        }

        @Override
        public Schema<byte[]> clone() {
            return this;
        }
    }
}
