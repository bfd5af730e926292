package io.millrace.broker.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.testkit.Behaviour;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Which schema may follow which, and what is no schema at all. */
@Timeout(60)
class SchemaRulesTest {
    /**
     * A change of a record.
     *
     * @param holds by the book of Avro, the strictest rule that the change keeps
     * @param changed words that a refusal has: what changed
     */
    record Change(String name, String before, String after, Compatibility holds, String changed) {
        boolean newReadsOld() {
            return holds == Compatibility.FULL || holds == Compatibility.BACKWARD;
        }

        boolean oldReadsNew() {
            return holds == Compatibility.FULL || holds == Compatibility.FORWARD;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Change> changes() {
        return Stream.of(changesOfFields(), changesOfTypes(), changesWithin()).flatMap(changes -> changes);
    }

    private static Stream<Change> changesOfFields() {
        String id = field("id", "\"string\"", null);
        String count = field("count", "\"int\"", null);
        return Stream.of(
                new Change("nothing", record(id), record(id), Compatibility.FULL, ""),
                new Change(
                        "add with default", record(id), record(id, field("n", "\"int\"", "1")), Compatibility.FULL, ""),
                new Change("add without default", record(id), record(id, count), Compatibility.FORWARD, "'count'"),
                new Change(
                        "remove with default",
                        record(id, field("n", "\"int\"", "1")),
                        record(id),
                        Compatibility.FULL,
                        ""),
                new Change("remove without default", record(id, count), record(id), Compatibility.BACKWARD, "'count'"),
                new Change(
                        "rename",
                        record(id, count),
                        record(id, field("sum", "\"int\"", null)),
                        Compatibility.ALWAYS_INCOMPATIBLE,
                        "field '"),
                new Change(
                        "rename by alias",
                        record(count),
                        record(aliased("sum", "count")),
                        Compatibility.BACKWARD,
                        "field '"),
                new Change("reorder", record(id, count), record(count, id), Compatibility.FULL, ""),
                new Change(
                        "retype",
                        record(count),
                        record(field("count", "\"string\"", null)),
                        Compatibility.ALWAYS_INCOMPATIBLE,
                        "'count'"),
                new Change(
                        "promote",
                        record(count),
                        record(field("count", "\"long\"", null)),
                        Compatibility.BACKWARD,
                        "'count'"),
                new Change(
                        "text and bytes", record(id), record(field("id", "\"bytes\"", null)), Compatibility.FULL, ""),
                new Change(
                        "drop a default",
                        record(field("n", "\"int\"", "1")),
                        record(field("n", "\"int\"", null)),
                        Compatibility.FULL,
                        ""));
    }

    private static Stream<Change> changesOfTypes() {
        String count = field("count", "\"int\"", null);
        return Stream.of(
                // By Avro's readers an enum with other symbols is resolved when a symbol comes, and so Pulsar takes it.
                new Change(
                        "add a symbol",
                        record(enumOf("A", "B")),
                        record(enumOf("A", "B", "C")),
                        Compatibility.FULL,
                        ""),
                new Change("remove a symbol", record(enumOf("A", "B")), record(enumOf("A")), Compatibility.FULL, ""),
                new Change(
                        "rename the enum",
                        record(enumNamed("E")),
                        record(enumNamed("F")),
                        Compatibility.ALWAYS_INCOMPATIBLE,
                        "'e'"),
                new Change(
                        "make optional", record(count), record(optional("count")), Compatibility.BACKWARD, "'count'"),
                new Change("make required", record(optional("count")), record(count), Compatibility.FORWARD, "'count'"),
                new Change(
                        "add to a union",
                        record(union("null", "int")),
                        record(union("null", "int", "string")),
                        Compatibility.BACKWARD,
                        "'u'"),
                new Change(
                        "remove from a union",
                        record(union("null", "int", "string")),
                        record(union("null", "int")),
                        Compatibility.FORWARD,
                        "'u'"),
                new Change(
                        "reorder a union",
                        record(union("null", "int")),
                        record(union("int", "null")),
                        Compatibility.FULL,
                        ""));
    }

    private static Stream<Change> changesWithin() {
        return Stream.of(
                new Change(
                        "add inside",
                        record(nested("")),
                        record(nested(field("x", "\"int\"", null))),
                        Compatibility.FORWARD,
                        "'in.x'"),
                new Change(
                        "add inside with default",
                        record(nested("")),
                        record(nested(field("x", "\"int\"", "0"))),
                        Compatibility.FULL,
                        ""),
                new Change(
                        "retype elements",
                        record(array("int")),
                        record(array("string")),
                        Compatibility.ALWAYS_INCOMPATIBLE,
                        "'a'"),
                new Change("retype values", record(map("int")), record(map("long")), Compatibility.BACKWARD, "'m'"),
                new Change("resize", record(fixed(4)), record(fixed(8)), Compatibility.ALWAYS_INCOMPATIBLE, "'f'"));
    }

    @ParameterizedTest
    @MethodSource("changes")
    @Behaviour("REG-4")
    void everyStrategyDecidesAsAvrosReadersDo(Change change) {
        for (SchemaType type : List.of(SchemaType.AVRO, SchemaType.JSON, SchemaType.PROTOBUF)) {
            for (Compatibility strategy : Compatibility.values()) {
                if (strategy != Compatibility.UNDEFINED) {
                    boolean expected = expected(change, strategy);
                    assertThat(verdict(type, change, strategy).isEmpty())
                            .as(change + " by " + strategy + " as " + type)
                            .isEqualTo(expected);
                }
            }
        }
    }

    private static boolean expected(Change change, Compatibility strategy) {
        return switch (strategy) {
            case UNDEFINED, ALWAYS_INCOMPATIBLE -> false;
            case ALWAYS_COMPATIBLE -> true;
            case BACKWARD, BACKWARD_TRANSITIVE -> change.newReadsOld();
            case FORWARD, FORWARD_TRANSITIVE -> change.oldReadsNew();
            case FULL, FULL_TRANSITIVE -> change.newReadsOld() && change.oldReadsNew();
        };
    }

    @ParameterizedTest
    @MethodSource("changes")
    @Behaviour("REG-5")
    void aRefusalNamesTheFieldTheRuleAndARemedy(Change change) {
        for (Compatibility strategy : List.of(Compatibility.BACKWARD, Compatibility.FORWARD, Compatibility.FULL)) {
            String refusal = verdict(SchemaType.AVRO, change, strategy);
            if (!refusal.isEmpty()) {
                assertThat(refusal)
                        .startsWith("Incompatible schema: ")
                        .contains(change.changed)
                        .contains("schema-compatibility=" + strategy)
                        .contains("version 0")
                        .contains("or change the rule");
            }
        }
    }

    /** Why it is refused; empty if it is not. */
    private static String verdict(SchemaType type, Change change, Compatibility strategy) {
        try {
            SchemaRules.requireCompatible(
                    content(type, change.after), versions(content(type, change.before)), strategy);
            return "";
        } catch (BrokerException refusal) {
            assertThat(refusal.kind()).isEqualTo(ErrorKind.INCOMPATIBLE_SCHEMA);
            return String.valueOf(refusal.getMessage());
        }
    }

    @Test
    void everyVersionThatCountsIsCompared() {
        SchemaContent first = avro(record(field("id", "\"string\"", null), field("n", "\"int\"", null)));
        SchemaContent second = avro(record(field("id", "\"string\"", null), field("n", "\"int\"", "0")));
        SchemaContent third = avro(record(field("id", "\"string\"", null)));
        SchemaRules.requireCompatible(third, versions(second), Compatibility.FORWARD);
        assertThatThrownBy(() ->
                        SchemaRules.requireCompatible(third, versions(second, first), Compatibility.FORWARD_TRANSITIVE))
                .hasMessageContaining("'n' is gone");
    }

    @ParameterizedTest
    @EnumSource(Compatibility.class)
    void anotherTypeIsTakenOnlyWhereEverythingIs(Compatibility strategy) {
        Runnable change = () -> SchemaRules.requireCompatible(
                content(SchemaType.INT32, ""), versions(content(SchemaType.STRING, "")), strategy);
        if (strategy == Compatibility.ALWAYS_COMPATIBLE) {
            change.run();
        } else {
            assertThatThrownBy(change::run).hasMessageContaining("exists schema type STRING, new schema type INT32");
        }
    }

    @Test
    void theSameDefinitionInOtherWordsIsTheSameSchema() {
        SchemaContent stored = avro(record(field("id", "\"string\"", null)));
        SchemaContent spaced = avro(record(field("id", " { \"type\" : \"string\" } ", null)));
        assertThat(spaced.identity()).isNotEqualTo(stored.identity());
        assertThat(SchemaRules.same(spaced, versions(stored)).version()).isZero();
        assertThat(SchemaRules.same(
                        content(SchemaType.JSON, new String(stored.data(), StandardCharsets.UTF_8)), versions(stored)))
                .as("of another type it is another one")
                .isNull();
    }

    @Test
    void propertiesMakeNoOtherSchema() {
        SchemaContent plain = new SchemaContent(SchemaType.STRING, new byte[0], Map.of());
        SchemaContent described = new SchemaContent(SchemaType.STRING, new byte[0], Map.of("owner", "x"));
        assertThat(described.identity()).isEqualTo(plain.identity());
        assertThat(described.digest()).isNotEqualTo(plain.digest());
    }

    @Test
    @Behaviour("REG-3")
    void keyAndValueAreComparedEach() {
        SchemaContent before =
                keyValue("INLINE", content(SchemaType.STRING, ""), avro(record(field("id", "\"string\"", null))));
        SchemaContent more = keyValue(
                "INLINE",
                content(SchemaType.STRING, ""),
                avro(record(field("id", "\"string\"", null), field("n", "\"int\"", null))));
        SchemaContent otherKey =
                keyValue("INLINE", content(SchemaType.INT32, ""), avro(record(field("id", "\"string\"", null))));
        SchemaContent apart =
                keyValue("SEPARATED", content(SchemaType.STRING, ""), avro(record(field("id", "\"string\"", null))));
        SchemaRules.requireSound(before);
        SchemaRules.requireCompatible(more, versions(before), Compatibility.FORWARD);
        assertThatThrownBy(() -> SchemaRules.requireCompatible(more, versions(before), Compatibility.BACKWARD))
                .hasMessageContaining("value: field 'n' is new and has no default");
        assertThatThrownBy(() -> SchemaRules.requireCompatible(otherKey, versions(before), Compatibility.FULL))
                .hasMessageContaining("key: exists schema type STRING, new schema type INT32");
        assertThatThrownBy(() -> SchemaRules.requireCompatible(apart, versions(before), Compatibility.FULL))
                .hasMessageContaining("encoding is SEPARATED");
        assertThat(otherKey.identity()).isNotEqualTo(before.identity());
    }

    /** The client for C++ writes -1 as the length of an empty definition, which all primitive types have. */
    @Test
    @Behaviour("REG-3")
    void anEmptyDefinitionOfAKeyMayHaveTheLengthOfTheClientForCpp() {
        byte[] value = record(field("id", "\"string\"", null)).getBytes(StandardCharsets.UTF_8);
        SchemaContent ofJava =
                keyValue("INLINE", content(SchemaType.STRING, ""), avro(new String(value, StandardCharsets.UTF_8)));
        byte[] data = ByteBuffer.allocate(2 * Integer.BYTES + value.length)
                .putInt(-1)
                .putInt(value.length)
                .put(value)
                .array();
        SchemaContent ofCpp = new SchemaContent(SchemaType.KEY_VALUE, data, ofJava.properties());
        SchemaRules.requireSound(ofCpp);
        SchemaRules.requireCompatible(ofCpp, versions(ofJava), Compatibility.FULL);
        SchemaRules.requireCompatible(ofJava, versions(ofCpp), Compatibility.FULL);
        data[3] = (byte) 0xfe;
        assertInvalid(new SchemaContent(SchemaType.KEY_VALUE, data, ofJava.properties()));
    }

    /** What a registry of the client's holds is known to that alone. */
    @Test
    @Behaviour("REG-3")
    void anExternalSchemaFollowsAnyOtherOfItsType() {
        SchemaContent before = content(SchemaType.EXTERNAL, "1");
        SchemaContent after = content(SchemaType.EXTERNAL, "anything");
        SchemaRules.requireSound(after);
        SchemaRules.requireCompatible(after, versions(before), Compatibility.FULL_TRANSITIVE);
        SchemaRules.requireCompatible(after, versions(before), Compatibility.ALWAYS_INCOMPATIBLE);
        SchemaContent text = content(SchemaType.STRING, "");
        assertThatThrownBy(() -> SchemaRules.requireCompatible(text, versions(before), Compatibility.FULL))
                .hasMessageContaining("exists schema type EXTERNAL, new schema type STRING");
    }

    @Test
    @Behaviour("REG-3")
    void nativeProtobufKeepsItsRootMessage() {
        SchemaContent order = protobuf("shop.Order", "shop", "Order");
        SchemaContent item = protobuf("shop.Item", "shop", "Item");
        SchemaRules.requireSound(order);
        SchemaRules.requireCompatible(order, versions(order), Compatibility.FULL);
        assertThatThrownBy(() -> SchemaRules.requireCompatible(item, versions(order), Compatibility.FULL))
                .hasMessageContaining("root message is shop.Item, and was shop.Order");
        assertThatThrownBy(() -> SchemaRules.requireSound(protobuf("shop.Other", "shop", "Order")))
                .hasMessageContaining("has no message 'shop.Other'");
        byte[] followed = Arrays.copyOf(order.data(), order.data().length + 4);
        System.arraycopy(new byte[] {'k', 0, 'v', 0}, 0, followed, order.data().length, 4);
        assertInvalid(new SchemaContent(SchemaType.PROTOBUF_NATIVE, followed, Map.of()));
    }

    @Test
    void namesMayBeOfNestedClassesAndOfAnyScript() {
        SchemaRules.requireSound(avro("{\"type\":\"record\",\"name\":\"a.Outer$Größe\",\"fields\":[]}"));
    }

    @Test
    void whatThePythonClientSendsForTextIsTaken() {
        SchemaRules.requireSound(content(SchemaType.STRING, "null"));
        assertInvalid(content(SchemaType.INT32, "null"));
    }

    static void assertInvalid(SchemaContent content) {
        assertThatThrownBy(() -> SchemaRules.requireSound(content))
                .isInstanceOfSatisfying(BrokerException.class, refusal -> {
                    assertThat(refusal.kind()).isEqualTo(ErrorKind.INVALID_SCHEMA);
                    assertThat(refusal).hasMessageStartingWith("Invalid schema: ");
                });
    }

    static List<StoredSchema> versions(SchemaContent... newestFirst) {
        return IntStream.range(0, newestFirst.length)
                .mapToObj(i -> new StoredSchema(newestFirst.length - 1 - i, 0, newestFirst[i]))
                .toList();
    }

    static SchemaContent avro(String text) {
        return content(SchemaType.AVRO, text);
    }

    static SchemaContent content(SchemaType type, String text) {
        return new SchemaContent(type, text.getBytes(StandardCharsets.UTF_8), Map.of());
    }

    private static SchemaContent keyValue(String encoding, SchemaContent key, SchemaContent value) {
        ByteBuffer data = ByteBuffer.allocate(2 * Integer.BYTES + key.data().length + value.data().length)
                .putInt(key.data().length)
                .put(key.data())
                .putInt(value.data().length)
                .put(value.data());
        return new SchemaContent(
                SchemaType.KEY_VALUE,
                data.array(),
                new TreeMap<>(Map.of(
                        "key.schema.type", key.type().name(),
                        "value.schema.type", value.type().name(),
                        "kv.encoding.type", encoding)));
    }

    /** A set of one file with one message. */
    private static SchemaContent protobuf(String root, String pack, String message) {
        byte[] descriptor = part(1, message.getBytes(StandardCharsets.UTF_8));
        byte[] file = join(
                part(1, "shop.proto".getBytes(StandardCharsets.UTF_8)),
                part(2, pack.getBytes(StandardCharsets.UTF_8)),
                part(4, descriptor));
        String files = Base64.getEncoder().encodeToString(part(1, file));
        return content(
                SchemaType.PROTOBUF_NATIVE,
                "{\"fileDescriptorSet\":\"" + files + "\",\"rootMessageTypeName\":\"" + root
                        + "\",\"rootFileDescriptorName\":\"shop.proto\"}");
    }

    private static byte[] part(int number, byte[] value) {
        return join(new byte[] {(byte) (number << 3 | 2), (byte) value.length}, value);
    }

    private static byte[] join(byte[]... parts) {
        ByteBuffer all = ByteBuffer.allocate(
                Stream.of(parts).mapToInt(part -> part.length).sum());
        Stream.of(parts).forEach(all::put);
        return all.array();
    }

    static String record(String... fields) {
        return "{\"type\":\"record\",\"name\":\"R\",\"fields\":[" + String.join(",", fields) + "]}";
    }

    static String field(String name, String type, String defaultValue) {
        return "{\"name\":\"" + name + "\",\"type\":" + type
                + (defaultValue == null ? "" : ",\"default\":" + defaultValue) + "}";
    }

    private static String aliased(String name, String alias) {
        return "{\"name\":\"" + name + "\",\"type\":\"int\",\"aliases\":[\"" + alias + "\"]}";
    }

    private static String optional(String name) {
        return "{\"name\":\"" + name + "\",\"type\":[\"null\",\"int\"],\"default\":null}";
    }

    private static String enumOf(String... symbols) {
        return field(
                "e",
                "{\"type\":\"enum\",\"name\":\"E\",\"symbols\":[\"" + String.join("\",\"", symbols) + "\"]}",
                null);
    }

    private static String enumNamed(String name) {
        return field("e", "{\"type\":\"enum\",\"name\":\"" + name + "\",\"symbols\":[\"A\"]}", null);
    }

    private static String union(String... types) {
        return field("u", "[\"" + String.join("\",\"", types) + "\"]", null);
    }

    private static String nested(String fields) {
        return field("in", "{\"type\":\"record\",\"name\":\"In\",\"fields\":[" + fields + "]}", null);
    }

    private static String array(String items) {
        return field("a", "{\"type\":\"array\",\"items\":\"" + items + "\"}", null);
    }

    private static String map(String values) {
        return field("m", "{\"type\":\"map\",\"values\":\"" + values + "\"}", null);
    }

    private static String fixed(int size) {
        return field("f", "{\"type\":\"fixed\",\"name\":\"F\",\"size\":" + size + "}", null);
    }
}
