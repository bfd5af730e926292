package io.millrace.broker.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.sun.management.ThreadMXBean;
import io.millrace.broker.dispatch.BrokerException;
import io.millrace.testkit.Behaviour;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Definitions of the largest size that is taken, made to take as long and as much memory as they can. */
@Timeout(120)
class SchemaCostTest {
    private static final int MAX_BYTES = 1 << 20;
    private static final Duration LONG = Duration.ofSeconds(30);
    /** Bytes that are allocated for each byte of a definition of native Protobuf, its JSON included. */
    private static final int PROTOBUF_FACTOR = 50;
    /** The same for Avro, of all that is parsed and compared for one schema: several times over, one after the other. */
    private static final int AVRO_FACTOR = 1_000;

    private static final String PADDING = "x".repeat(600_000);
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Test
    @Behaviour("REG-6")
    void messagesWithoutNamesInALongPackageCostTheirBytes() {
        String pack = "a".repeat(200_000);
        SchemaContent long200 = protobuf("", "x", pack, new byte[] {0x22, 0}, 290_000);
        assertRefusedInBounds(long200, PROTOBUF_FACTOR);
        SchemaContent none = protobuf("", "x", "", new byte[] {0x22, 0}, 370_000);
        assertRefusedInBounds(none, PROTOBUF_FACTOR);
    }

    @Test
    @Behaviour("REG-6")
    void messagesOfWhichEachBeginsTheWantedNameCostTheirBytes() {
        byte[] named = {0x22, 3, 0x0a, 1, 'a'};
        assertRefusedInBounds(protobuf("", "a.".repeat(100_000) + "b", "", named, 110_000), PROTOBUF_FACTOR);
        byte[] nested = {0x22, 8, 0x0a, 1, 'a', 0x1a, 3, 0x0a, 1, 'a'};
        assertRefusedInBounds(protobuf("", "a.".repeat(100_000) + "b", "", nested, 55_000), PROTOBUF_FACTOR);
    }

    @Test
    @Behaviour("REG-6")
    void messagesDeepWithinEachOtherCostTheirBytes() {
        byte[] message = field(1, "a".getBytes(StandardCharsets.UTF_8));
        for (int i = 0; i < 99; i++) {
            message = join(field(1, "a".getBytes(StandardCharsets.UTF_8)), field(3, message));
        }
        byte[] file = field(4, message);
        assertRefusedInBounds(protobuf("", "a.".repeat(100) + "b", "", file, 500_000 / file.length), PROTOBUF_FACTOR);
    }

    @Test
    @Behaviour("REG-6")
    void manyTypesInALongNamespaceAreRefused() {
        String fields = many(12_000, i -> field("f" + i, "{\"type\":\"fixed\",\"name\":\"F" + i + "\",\"size\":1}"));
        SchemaContent types = avro("{\"type\":\"record\",\"name\":\"R\",\"namespace\":\"" + "a".repeat(200_000)
                + "\",\"fields\":[" + fields + "]}");
        assertRefusedInBounds(types, AVRO_FACTOR);
    }

    /** The parser finds what follows a definition after it has made all of it. */
    @Test
    @Behaviour("REG-6")
    void whatFollowsADefinitionMakesItNoCheaper() {
        String aliases = many(30_000, i -> "\"a" + i + "\"");
        SchemaContent names = avro("{\"type\":\"record\",\"name\":\"R\",\"namespace\":\"" + "a".repeat(300_000)
                + "\",\"aliases\":[" + aliases + "],\"fields\":[]} x");
        assertRefusedInBounds(names, AVRO_FACTOR);
        String layers = new String(layers(560, "", false).data(), StandardCharsets.UTF_8);
        assertRefusedInBounds(avro(layers + " x"), AVRO_FACTOR);
    }

    /** Branches of unions are paired one by one where both are the same, and each with each where they are not. */
    @Test
    @Behaviour("REG-6")
    void unionsOfRecordsWithOtherFieldsAreComparedInBounds() {
        assertComparedInBounds(unionOfRecords("a", "x"), unionOfRecords("b", "y"));
        assertComparedInBounds(unionOfRecords("b", "y"), unionOfRecords("a", "x"));
    }

    private static SchemaContent unionOfRecords(String namespace, String field) {
        String types = many(2_000, i -> record("R" + i, "{\"name\":\"" + field + "\",\"type\":\"int\",\"default\":0}"));
        return avro("{\"type\":\"record\",\"name\":\"R\",\"namespace\":\"" + namespace + "\",\"doc\":\"" + PADDING
                + "\",\"fields\":[" + field("u", "[" + types + "]") + "]}");
    }

    @Test
    @Behaviour("REG-6")
    void aLargeEnumThatIsReferredToOftenIsRefused() {
        String symbols = many(50_000, i -> "\"S" + i + "\"");
        String fields = field("e", "{\"type\":\"enum\",\"name\":\"E\",\"symbols\":[" + symbols + "]}") + ","
                + many(15_000, i -> field("f" + i, "\"E\""));
        assertRefusedInBounds(avro(record("R", fields)), AVRO_FACTOR);
    }

    @Test
    @Behaviour("REG-6")
    void enumsThatAreReferredToOftenAreComparedInBounds() {
        String symbols = many(900, i -> "\"S" + i + "\"");
        String fields = field("e", "{\"type\":\"enum\",\"name\":\"E\",\"symbols\":[" + symbols + "]}") + ","
                + many(1_100, i -> field("f" + i, "\"E\"") + "," + field("p".repeat(450) + i, "\"int\""));
        assertComparedInBounds(avro(record("R", fields)));
    }

    @Test
    @Behaviour("REG-6")
    void recordsThatArePairedInManyWaysAreComparedInBounds() {
        assertComparedInBounds(layers(120, PADDING, false), layers(120, PADDING, true));
    }

    @Test
    @Behaviour("REG-6")
    void recordsThatLeadToEachOtherInThousandsAreRefused() {
        assertRefusedInBounds(layers(560, "", false), AVRO_FACTOR);
    }

    /** Ten layers of records, whose fields refer to records of the layer before; in the other one to others of them. */
    private static SchemaContent layers(int width, String doc, boolean isOther) {
        StringBuilder fields = new StringBuilder();
        for (int layer = 0; layer < 10; layer++) {
            for (int i = 0; i < width; i++) {
                int base = layer - 1;
                int number = i;
                String parts = layer == 0
                        ? ""
                        : many(
                                3,
                                k -> field(
                                        "" + (char) ('a' + k),
                                        "\"T" + base + "_"
                                                + (isOther ? number * 7 + k * 31 + 5 : number * 3 + k) % width + "\""));
                fields.append(fields.length() == 0 ? "" : ",")
                        .append(field("f" + layer + "_" + i, record("T" + layer + "_" + i, parts)));
            }
        }
        return avro("{\"type\":\"record\",\"name\":\"R\",\"doc\":\"" + doc + "\",\"fields\":[" + fields + "]}");
    }

    @Test
    @Behaviour("REG-6")
    void unionsOfOneLargeRecordAreComparedInBounds() {
        String large = record("T", many(14_000, i -> field("t" + i, "\"int\"")));
        SchemaContent unions =
                avro(record("R", field("t", large) + "," + many(13_000, i -> field("f" + i, "[\"null\",\"T\"]"))));
        assertComparedInBounds(unions);
    }

    @Test
    @Behaviour("REG-6")
    void defaultsThatStandForMoreThanTheyAreAreComparedInBounds() {
        StringBuilder types =
                new StringBuilder(field("f0", record("T0", "{\"name\":\"a\",\"type\":\"int\",\"default\":0}")));
        for (int i = 1; i < 60; i++) {
            String part = "\"type\":\"T" + (i - 1) + "\",\"default\":{}}";
            types.append(',')
                    .append(field("f" + i, record("T" + i, "{\"name\":\"a\"," + part + ",{\"name\":\"b\"," + part)));
        }
        String padding = "\"doc\":\"" + PADDING + "\",";
        String before = "{\"type\":\"record\",\"name\":\"R\"," + padding + "\"fields\":[" + types;
        SchemaContent after = avro(before + ",{\"name\":\"n\",\"type\":\"T59\",\"default\":{}}]}");
        assertComparedInBounds(avro(before + "]}"), after);
    }

    private static void assertComparedInBounds(SchemaContent schema) {
        assertComparedInBounds(schema, schema);
    }

    /** Whether they are compared or refused, it is within the bounds; and so is whether they are the same. */
    private static void assertComparedInBounds(SchemaContent before, SchemaContent after) {
        List<StoredSchema> versions = List.of(new StoredSchema(0, 0, before));
        assertInBounds(after.data().length, AVRO_FACTOR, () -> {
            try {
                SchemaRules.requireSound(after);
                SchemaRules.requireCompatible(after, versions, Compatibility.FULL);
            } catch (BrokerException refusal) {
                assertThat(refusal).hasMessageContaining("to be compared");
            }
        });
    }

    private static SchemaContent avro(String text) {
        return new SchemaContent(SchemaType.AVRO, text.getBytes(StandardCharsets.UTF_8), Map.of());
    }

    private static String record(String name, String fields) {
        return "{\"type\":\"record\",\"name\":\"" + name + "\",\"fields\":[" + fields + "]}";
    }

    private static String field(String name, String type) {
        return "{\"name\":\"" + name + "\",\"type\":" + type + "}";
    }

    private static String many(int count, IntFunction<String> part) {
        return IntStream.range(0, count).mapToObj(part).collect(Collectors.joining(","));
    }

    private static void assertRefusedInBounds(SchemaContent content, int factor) {
        assertInBounds(
                content.data().length,
                factor,
                () -> assertThatThrownBy(() -> SchemaRules.requireSound(content))
                        .isInstanceOf(BrokerException.class));
    }

    /** Runs it within a time and an allocation that definitions of that size may take. */
    private static void assertInBounds(int bytes, int factor, Runnable judging) {
        assertThat(bytes).isBetween(MAX_BYTES / 2, MAX_BYTES);
        long allocated = assertTimeoutPreemptively(LONG, () -> {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            judging.run();
            return THREADS.getCurrentThreadAllocatedBytes() - before;
        });
        assertThat(allocated).isLessThan((long) factor * bytes);
    }

    /** A set of one file, with that many times the same bytes. */
    private static SchemaContent protobuf(String file, String root, String pack, byte[] part, int times) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(field(2, pack.getBytes(StandardCharsets.UTF_8)));
        for (int i = 0; i < times; i++) {
            bytes.writeBytes(part);
        }
        String files = Base64.getEncoder().encodeToString(field(1, bytes.toByteArray()));
        String json = "{\"fileDescriptorSet\":\"" + files + "\",\"rootMessageTypeName\":\"" + root
                + "\",\"rootFileDescriptorName\":\"" + file + "\"}";
        return new SchemaContent(SchemaType.PROTOBUF_NATIVE, json.getBytes(StandardCharsets.UTF_8), Map.of());
    }

    private static byte[] field(int number, byte[] value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write((number << 3) | 2);
        int length = value.length;
        while (length >= 0x80) {
            bytes.write((length & 0x7f) | 0x80);
            length >>>= 7;
        }
        bytes.write(length);
        bytes.writeBytes(value);
        return bytes.toByteArray();
    }

    private static byte[] join(byte[] first, byte[] second) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(first);
        bytes.writeBytes(second);
        return bytes.toByteArray();
    }
}
