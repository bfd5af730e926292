package io.millrace.broker.schema;

import static io.millrace.broker.schema.SchemaRulesTest.assertInvalid;
import static io.millrace.broker.schema.SchemaRulesTest.avro;
import static io.millrace.broker.schema.SchemaRulesTest.content;
import static io.millrace.broker.schema.SchemaRulesTest.field;
import static io.millrace.broker.schema.SchemaRulesTest.record;
import static io.millrace.broker.schema.SchemaRulesTest.versions;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.testkit.Behaviour;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Definitions that are none, and those that lead too deep, or to each other in too many ways. */
@Timeout(120)
class HostileSchemasTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "garbage",
                "{",
                "{}",
                "[]",
                "null",
                "17",
                "\"nothing\"",
                "{\"type\":\"record\"}",
                "{\"type\":\"record\",\"name\":\"R\",\"fields\":7}",
                "{\"type\":\"record\",\"name\":\"a\\u0000b\",\"fields\":[]}",
                "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"x\\u0000\",\"type\":\"int\"}]}",
                "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"x\",\"type\":\"Nobody\"}]}",
                "{\"type\":\"enum\",\"name\":\"E\",\"symbols\":[\"A\",\"A\"]}",
                "{\"type\":\"fixed\",\"name\":\"F\",\"size\":-1}",
                "[\"null\",\"int\"]"
            })
    @Behaviour("REG-6")
    void whatIsNoDefinitionIsRefused(String text) {
        assertInvalid(avro(text));
        assertInvalid(content(SchemaType.PROTOBUF_NATIVE, text));
        assertInvalid(content(SchemaType.INT32, text.isEmpty() ? "x" : text));
        assertInvalid(content(SchemaType.KEY_VALUE, text));
    }

    @Test
    @Behaviour("REG-6")
    void textThatIsNotUtf8IsRefused() {
        byte[] broken = record(field("id", "\"string\"", null)).getBytes(StandardCharsets.UTF_8);
        broken[12] = (byte) 0xff;
        assertInvalid(new SchemaContent(SchemaType.AVRO, broken, Map.of()));
    }

    @Test
    @Behaviour("REG-6")
    void definitionsThatNestDeepAreRefusedBeforeAnybodyRecurses() {
        String array = "{\"type\":\"array\",\"items\":".repeat(100_000) + "\"int\"" + "}".repeat(100_000);
        assertInvalid(avro(array));
        assertInvalid(avro("[".repeat(500_000)));
        assertInvalid(content(SchemaType.PROTOBUF_NATIVE, "[".repeat(500_000)));
    }

    @Test
    @Behaviour("REG-6")
    void namesThatLeadFromTypeToTypeAreNotFollowedTooDeep() {
        String chain = chain(3_000);
        assertInvalid(avro(chain));
    }

    /** The first field leads through all types, and the others to each of them, so that none looks deep from there. */
    @Test
    @Behaviour("REG-6")
    void typesThatLeadDeepInTheOrderOfTheirFieldsAloneAreSafelyTheSameOrRefused() throws Exception {
        String deep = deepInOrder(420, 80);
        SchemaContent spaced = avro(" " + deep);
        SchemaRules.requireSound(spaced);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread judge = new Thread(
                null,
                () -> {
                    try {
                        assertThat(SchemaRules.same(spaced, versions(avro(deep))))
                                .isNotNull();
                    } catch (Throwable caught) {
                        thrown.set(caught);
                    }
                },
                "of the usual size",
                1 << 20);
        judge.start();
        judge.join();
        if (thrown.get() != null) {
            assertThat(thrown.get()).isInstanceOf(BrokerException.class).hasMessageContaining("too deep");
        }
    }

    /** Types that refer to the one before through that many arrays; the last is written first. */
    private static String deepInOrder(int types, int arrays) {
        StringBuilder fields = new StringBuilder();
        for (int i = types - 1; i >= 0; i--) {
            String inner = i == 0
                    ? ""
                    : field(
                            "p",
                            "{\"type\":\"array\",\"items\":".repeat(arrays) + "\"T" + (i - 1) + "\""
                                    + "}".repeat(arrays),
                            null);
            String type = "{\"type\":\"record\",\"name\":\"T" + i + "\",\"fields\":[" + inner + "]}";
            fields.append(fields.length() == 0 ? "" : ",").append(field("f" + i, type, null));
        }
        return "{\"type\":\"record\",\"name\":\"R\",\"fields\":[" + fields + "]}";
    }

    /** Each type has a field of the one before it; the last one is the first that is looked at. */
    private static String chain(int length) {
        StringBuilder fields =
                new StringBuilder(field("f0", "{\"type\":\"record\",\"name\":\"T0\",\"fields\":[]}", null));
        for (int i = 1; i < length; i++) {
            String type = "{\"type\":\"record\",\"name\":\"T" + i + "\",\"fields\":["
                    + field("p", "\"T" + (i - 1) + "\"", null) + "]}";
            fields.insert(0, field("f" + i, type, null) + ",");
        }
        return "{\"type\":\"record\",\"name\":\"R\",\"fields\":[" + fields + "]}";
    }

    @Test
    @Behaviour("REG-6")
    void aTypeWithinItselfIsComparedOnce() {
        String list = "{\"type\":\"record\",\"name\":\"Node\",\"fields\":[" + field("next", "[\"null\",\"Node\"]", null)
                + "%s]}";
        SchemaContent before = avro(list.formatted(""));
        SchemaContent after = avro(list.formatted("," + field("n", "\"int\"", "1")));
        SchemaRules.requireSound(before);
        SchemaRules.requireCompatible(after, versions(before), Compatibility.FULL_TRANSITIVE);
        assertThat(SchemaRules.same(after, versions(before))).isNull();
    }

    @Test
    @Behaviour("REG-6")
    void recordsThatDoubleDoNotGrowWhenTheyAreCompared() {
        StringBuilder fields = new StringBuilder(field(
                "f0", "{\"type\":\"record\",\"name\":\"T0\",\"fields\":[" + field("a", "\"int\"", null) + "]}", null));
        for (int i = 1; i < 60; i++) {
            String before = "\"T" + (i - 1) + "\"";
            fields.append(',')
                    .append(field(
                            "f" + i,
                            "{\"type\":\"record\",\"name\":\"T" + i + "\",\"fields\":[" + field("a", before, null) + ","
                                    + field("b", before, null) + "]}",
                            null));
        }
        SchemaContent doubling = avro("{\"type\":\"record\",\"name\":\"R\",\"fields\":[" + fields + "]}");
        SchemaContent more = avro(
                "{\"type\":\"record\",\"name\":\"R\",\"fields\":[" + fields + "," + field("n", "\"int\"", "0") + "]}");
        SchemaRules.requireCompatible(more, versions(doubling), Compatibility.FULL);
    }

    @Test
    @Behaviour("REG-6")
    void aHundredThousandFieldsAreCompared() {
        String fields = String.join(
                ",",
                IntStream.range(0, 100_000)
                        .mapToObj(i -> field("f" + i, "\"int\"", null))
                        .toList());
        SchemaContent wide = avro("{\"type\":\"record\",\"name\":\"R\",\"fields\":[" + fields + "]}");
        SchemaContent wider = avro(
                "{\"type\":\"record\",\"name\":\"R\",\"fields\":[" + fields + "," + field("x", "\"int\"", null) + "]}");
        assertThatThrownBy(() -> SchemaRules.requireCompatible(wider, versions(wide), Compatibility.FULL))
                .hasMessageContaining("'x' is new");
    }

    @Test
    @Behaviour("REG-6")
    void unionsAndEnumsTooLargeToBeComparedAreRefused() {
        String symbols = String.join(
                ",", IntStream.range(0, 30_000).mapToObj(i -> "\"S" + i + "\"").toList());
        SchemaContent wide = avro(
                record("{\"name\":\"e\",\"type\":{\"type\":\"enum\",\"name\":\"E\",\"symbols\":[" + symbols + "]}}"));
        assertThatThrownBy(() -> SchemaRules.requireCompatible(wide, versions(wide), Compatibility.FULL))
                .hasMessageContaining("too many to be compared");
        String branches = String.join(
                ",",
                IntStream.range(0, 5_000)
                        .mapToObj(i -> "{\"type\":\"fixed\",\"name\":\"F" + i + "\",\"size\":1}")
                        .toList());
        SchemaContent union = avro(record("{\"name\":\"u\",\"type\":[" + branches + "]}"));
        assertThatThrownBy(() -> SchemaRules.requireCompatible(union, versions(union), Compatibility.FULL))
                .hasMessageContaining("too many to be compared");
    }
}
