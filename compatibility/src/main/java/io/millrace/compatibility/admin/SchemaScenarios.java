package io.millrace.compatibility.admin;

import io.millrace.compatibility.scenario.Context;
import io.millrace.compatibility.scenario.Scenarios;
import io.millrace.compatibility.scenario.There;
import java.util.Map;
import org.apache.pulsar.client.admin.Schemas;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.common.protocol.schema.PostSchemaPayload;
import org.apache.pulsar.common.schema.SchemaInfo;
import org.apache.pulsar.common.schema.SchemaType;

/** {@link Schemas}. */
public final class SchemaScenarios {
    private static final String A = "a";
    private static final String RECORD = "{\"type\":\"record\",\"name\":\"Person\",\"fields\":[%s]}";
    private static final String NAME = "{\"name\":\"name\",\"type\":[\"null\",\"string\"],\"default\":null}";
    private static final String AGE = "{\"name\":\"age\",\"type\":[\"null\",\"int\"],\"default\":null}";
    private static final String REQUIRED = "{\"name\":\"age\",\"type\":\"int\"}";

    private SchemaScenarios() {}

    public static void declare(Scenarios scenarios) {
        creation(scenarios);
        types(scenarios);
        versions(scenarios);
        verdicts(scenarios);
    }

    private static void creation(Scenarios scenarios) {
        scenarios
                .add("createSchema", context -> {
                    create(context, "create", NAME);
                    schema(context, "schema");
                    create(context, "again", NAME);
                    context.callJson(
                            "with version",
                            () -> schemas(context)
                                    .getSchemaInfoWithVersion(context.topic(A))
                                    .getVersion());
                })
                .add("createSchema-of-a-payload", context -> {
                    PostSchemaPayload payload = new PostSchemaPayload("AVRO", RECORD.formatted(NAME), Map.of("k", "v"));
                    context.run("create", () -> schemas(context).createSchema(context.topic(A), payload));
                    schema(context, "schema");
                    context.call(
                            "properties",
                            () -> schemas(context)
                                    .getSchemaInfo(context.topic(A))
                                    .getProperties());
                })
                .add("createSchema-that-makes-no-sense", context -> {
                    for (String text : new String[] {"", "{", "\"string\"", "{\"type\":\"record\"}", "[]"}) {
                        PostSchemaPayload payload = new PostSchemaPayload("AVRO", text, Map.of());
                        context.run("avro " + text, () -> schemas(context).createSchema(context.topic(A), payload));
                    }
                    PostSchemaPayload unknown = new PostSchemaPayload("SQUARE", "", Map.of());
                    context.run("unknown type", () -> schemas(context).createSchema(context.topic(A), unknown));
                })
                .add("createSchema-of-a-topic-with-partitions", context -> {
                    context.admin().topics().createPartitionedTopic(context.topic("p"), 2);
                    context.run("create", () -> schemas(context).createSchema(context.topic("p"), avro(NAME)));
                    context.call(
                            "of the topic",
                            () -> schemas(context)
                                    .getSchemaInfo(context.topic("p"))
                                    .getType());
                    context.call(
                            "of a partition",
                            () -> schemas(context)
                                    .getSchemaInfo(context.topic("p-partition-1"))
                                    .getType());
                })
                .add("createSchema-of-a-topic-that-is-not-stored", context -> {
                    context.run("create", () -> schemas(context).createSchema(context.liveTopic(A), avro(NAME)));
                    context.call(
                            "then",
                            () -> schemas(context)
                                    .getSchemaInfo(context.liveTopic(A))
                                    .getType());
                });
    }

    private static void types(Scenarios scenarios) {
        Map<String, Schema<?>> primitives = Map.of(
                "string", Schema.STRING,
                "int8", Schema.INT8,
                "int32", Schema.INT32,
                "int64", Schema.INT64,
                "double", Schema.DOUBLE,
                "boolean", Schema.BOOL,
                "date", Schema.DATE,
                "instant", Schema.INSTANT,
                "bytes", Schema.BYTES);
        primitives.keySet().stream()
                .sorted()
                .forEach(name -> scenarios.add("createSchema-" + name, context -> {
                    SchemaInfo info = There.of(primitives, name).getSchemaInfo();
                    context.run("create", () -> schemas(context).createSchema(context.topic(A), info));
                    schema(context, "schema");
                }));
        scenarios.add("createSchema-json", context -> {
            SchemaInfo info = SchemaInfo.builder()
                    .name("x")
                    .type(SchemaType.JSON)
                    .schema(bytes(RECORD.formatted(NAME)))
                    .build();
            context.run("create", () -> schemas(context).createSchema(context.topic(A), info));
            schema(context, "schema");
        });
        scenarios.add("createSchema-key-value", context -> {
            SchemaInfo info = Schema.KeyValue(Schema.STRING, Schema.INT32).getSchemaInfo();
            context.run("create", () -> schemas(context).createSchema(context.topic(A), info));
            context.call(
                    "type",
                    () -> schemas(context).getSchemaInfo(context.topic(A)).getType());
        });
    }

    private static void versions(Scenarios scenarios) {
        scenarios
                .add("versions", context -> {
                    create(context, "first", NAME);
                    create(context, "second", NAME + "," + AGE);
                    create(context, "first again", NAME);
                    context.call(
                            "latest",
                            () -> schemas(context)
                                    .getSchemaInfoWithVersion(context.topic(A))
                                    .getVersion());
                    context.call(
                            "how many",
                            () -> schemas(context)
                                    .getAllSchemas(context.topic(A))
                                    .size());
                    for (long version : new long[] {0, 1, 2, -1}) {
                        context.call(
                                "version " + version,
                                () -> schemas(context)
                                        .getSchemaInfo(context.topic(A), version)
                                        .getSchemaDefinition());
                    }
                })
                .add("getVersionBySchema", context -> {
                    create(context, "first", NAME);
                    create(context, "second", NAME + "," + AGE);
                    context.call(
                            "of the first", () -> schemas(context).getVersionBySchema(context.topic(A), avro(NAME)));
                    context.call(
                            "of the second",
                            () -> schemas(context).getVersionBySchema(context.topic(A), avro(NAME + "," + AGE)));
                    context.call("of none", () -> schemas(context).getVersionBySchema(context.topic(A), avro(AGE)));
                })
                .add("deleteSchema", context -> {
                    create(context, "create", NAME);
                    context.run("delete", () -> schemas(context).deleteSchema(context.topic(A)));
                    context.run("get", () -> schemas(context).getSchemaInfo(context.topic(A)));
                    context.run("delete again", () -> schemas(context).deleteSchema(context.topic(A)));
                    create(context, "create again", AGE);
                })
                .add("deleteSchema-by-force", context -> {
                    create(context, "create", NAME);
                    context.run("delete", () -> schemas(context).deleteSchema(context.topic(A), true));
                    context.run("get", () -> schemas(context).getSchemaInfo(context.topic(A)));
                })
                .add("getSchemaMetadata", context -> {
                    create(context, "create", NAME);
                    context.run("metadata", () -> schemas(context).getSchemaMetadata(context.topic(A)));
                });
    }

    private static void verdicts(Scenarios scenarios) {
        scenarios
                .add("createSchema-that-does-not-fit", context -> {
                    create(context, "create", NAME);
                    create(context, "a required field", NAME + "," + REQUIRED);
                    context.run(
                            "another type",
                            () -> schemas(context).createSchema(context.topic(A), Schema.STRING.getSchemaInfo()));
                })
                .add("testCompatibility", context -> {
                    create(context, "create", NAME);
                    for (String fields : new String[] {NAME, NAME + "," + AGE, NAME + "," + REQUIRED}) {
                        context.callJson(
                                "fields " + fields.length(),
                                () -> schemas(context).testCompatibility(context.topic(A), avro(fields)));
                    }
                })
                .add("testCompatibility-without-a-schema", context -> {
                    context.admin().topics().createNonPartitionedTopic(context.topic(A));
                    context.callJson("test", () -> schemas(context).testCompatibility(context.topic(A), avro(NAME)));
                });
    }

    private static void create(Context context, String key, String fields) {
        context.run(key, () -> schemas(context).createSchema(context.topic(A), avro(fields)));
    }

    private static void schema(Context context, String key) {
        context.call(key, () -> {
            SchemaInfo info = schemas(context).getSchemaInfo(context.topic(A));
            return info.getName() + " " + info.getType() + " " + info.getSchemaDefinition();
        });
    }

    private static SchemaInfo avro(String fields) {
        return SchemaInfo.builder()
                .name("x")
                .type(SchemaType.AVRO)
                .schema(bytes(RECORD.formatted(fields)))
                .build();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }

    private static Schemas schemas(Context context) {
        return context.admin().schemas();
    }
}
