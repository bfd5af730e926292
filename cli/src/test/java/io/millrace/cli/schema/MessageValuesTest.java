package io.millrace.cli.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is made of the bytes of messages by their schemas, whatever the bytes are. */
final class MessageValuesTest {
    private static final byte[] VERSION_3 = {0, 0, 0, 0, 0, 0, 0, 3};

    private final List<Long> fetched = new ArrayList<>();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "STRING          | 68c3bc             | \"hü\"",
                "BOOLEAN         | 01                 | true",
                "INT8            | ff                 | -1",
                "INT16           | 0102               | 258",
                "INT32           | fffffffe           | -2",
                "INT64           | 7fffffffffffffff   | 9223372036854775807",
                "FLOAT           | 3fc00000           | 1.5",
                "DOUBLE          | 7ff8000000000000   | \"NaN\"",
                "DATE            | 00000000000003e8   | \"1970-01-01T00:00:01Z\"",
                "TIME            | 00000000000003e8   | \"1970-01-01T00:00:01Z\"",
                "TIMESTAMP       | ffffffffffffffff   | \"1969-12-31T23:59:59.999Z\"",
                "INSTANT         | 000000000000000100000001 | \"1970-01-01T00:00:01.000000001Z\"",
                "LOCAL_DATE      | 0000000000000001   | \"1970-01-02\"",
                "LOCAL_TIME      | 0000000000000001   | \"00:00:00.000000001\"",
                "LOCAL_DATE_TIME | 00000000000000010000000000000001 | \"1970-01-02T00:00:00.000000001\"",
                "JSON            | 7b2261223a20317d   | {\"a\":1}",
            })
    void everyTypeIsRead(String type, String hex, String value) {
        assertThat(line(new MessageSchema(type, "", null), null, HexFormat.of().parseHex(hex)))
                .isEqualTo("{\"schema\":{\"version\":3,\"type\":\"" + type + "\"},\"value\":" + value + "}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "STRING | ff         | it is not UTF-8",
                "INT32  | 00         | it has 1 bytes, and one of type INT32 has 4",
                "LOCAL_TIME | ffffffffffffffff | there is no such time",
                "JSON   | 7b         | it is no JSON",
                "JSON   | 312032     | it is no JSON",
                "JSON   | ''         | it is no JSON: it is empty",
                "PROTOBUF | 0801     | messages of type PROTOBUF are not decoded here",
                "FUTURE | 0801       | messages of type FUTURE are not decoded here",
            })
    void whatIsNotOfItsTypeIsShownAsBytes(String type, String hex, String reason) {
        assertThat(line(new MessageSchema(type, "", null), null, HexFormat.of().parseHex(hex)))
                .contains("\"error\":\"it cannot be decoded by its schema: " + reason, "\"bytes\":");
    }

    @Test
    void avroIsReadAsPeopleWriteIt() {
        String definition = """
                {"type": "record", "name": "R", "fields": [
                  {"name": "u", "type": ["null", "string"]},
                  {"name": "list", "type": {"type": "array", "items": "long"}},
                  {"name": "map", "type": {"type": "map", "values": "boolean"}},
                  {"name": "f", "type": {"type": "fixed", "name": "F", "size": 2}},
                  {"name": "d", "type": {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}},
                  {"name": "t", "type": {"type": "long", "logicalType": "timestamp-millis"}},
                  {"name": "day", "type": {"type": "int", "logicalType": "date"}},
                  {"name": "x", "type": "double"},
                  {"name": "e", "type": {"type": "enum", "name": "E", "symbols": ["A", "B"]}}]}""";
        byte[] bytes = HexFormat.of()
                .parseHex("02046162" + "03040204" + "02800100" + "02026b0100" + "0aff" + "0404d2" + "d00f" + "02"
                        + "000000000000f83f" + "02");
        assertThat(line(new MessageSchema("AVRO", definition, null), null, bytes))
                .endsWith("\"value\":{\"u\":\"ab\",\"list\":[1,2,64],\"map\":{\"k\":true},\"f\":\"Cv8=\",\"d\":12.34,"
                        + "\"t\":\"1970-01-01T00:00:01Z\",\"day\":\"1970-01-02\",\"x\":1.5,\"e\":\"B\"}}");
    }

    @Test
    void hostileAvroIsRefusedBeforeThereIsRoomForIt() {
        String nulls =
                "{\"type\": \"record\", \"name\": \"R\", \"fields\": [{\"name\": \"a\", \"type\": {\"type\": \"array\", "
                        + "\"items\": \"null\"}}]}";
        assertThat(line(avro(nulls), null, HexFormat.of().parseHex("feffffff0f00")))
                .contains("more values");
        String self =
                "{\"type\": \"record\", \"name\": \"R\", \"fields\": [{\"name\": \"r\", \"type\": [\"null\", \"R\"]}]}";
        byte[] deep = new byte[10_000];
        Arrays.fill(deep, (byte) 2);
        assertThat(line(avro(self), null, deep)).contains("500 deep");
        String text = "{\"type\": \"record\", \"name\": \"R\", \"fields\": [{\"name\": \"s\", \"type\": \"string\"}]}";
        assertThat(line(avro(text), null, HexFormat.of().parseHex("feffffff0f")))
                .contains("it ends too early");
        assertThat(line(avro(text), null, HexFormat.of().parseHex("01"))).contains("it ends too early");
        assertThat(line(avro(text), null, HexFormat.of().parseHex("ffffffffffffffffffffff")))
                .contains("does not end");
        assertThat(line(avro(text), null, HexFormat.of().parseHex("0000"))).contains("1 bytes are left behind it");
        assertThat(line(avro("{"), null, HexFormat.of().parseHex("00"))).contains("the definition is none of Avro");
    }

    @Test
    void keyAndValueAreReadWhereTheyAre() throws Exception {
        byte[] both = ByteBuffer.allocate(12).putInt(0).putInt(0).array();
        byte[] definition = Arrays.copyOf(both, 8);
        Map<String, String> inline = Map.of("key.schema.type", "STRING", "value.schema.type", "INT32");
        byte[] payload = ByteBuffer.allocate(13)
                .putInt(1)
                .put((byte) 'k')
                .putInt(4)
                .putInt(7)
                .array();
        assertThat(line(MessageSchema.ofClient("KEY_VALUE", definition, inline), null, payload))
                .endsWith("\"value\":{\"key\":\"k\",\"value\":7}}");
        assertThat(line(MessageSchema.ofClient("KEY_VALUE", definition, inline), null, new byte[3]))
                .contains("it ends within its key or value");
        Map<String, String> separated =
                Map.of("key.schema.type", "STRING", "value.schema.type", "INT32", "kv.encoding.type", "SEPARATED");
        assertThat(line(
                        MessageSchema.ofClient("KEY_VALUE", definition, separated),
                        "k".getBytes(StandardCharsets.UTF_8),
                        new byte[] {0, 0, 0, 7}))
                .endsWith("\"value\":{\"key\":\"k\",\"value\":7}}");
    }

    @Test
    void eachVersionIsFetchedOnceAlsoOneThatThereIsNot() {
        MessageValues values = new MessageValues(version -> {
            fetched.add(version);
            return version == 3 ? new MessageSchema("STRING", "", null) : null;
        });
        for (int i = 0; i < 3; i++) {
            values.addTo(Json.object(), VERSION_3, null, new byte[] {'a'});
            ObjectNode line = Json.object();
            values.addTo(line, new byte[8], null, new byte[] {'a'});
            assertThat(line.path("error").asText()).contains("no version 0");
            assertThat(line.path("text").asText()).isEqualTo("a");
        }
        assertThat(fetched).containsExactly(3L, 0L);
    }

    @Test
    void withoutASchemaThereAreBytesAndTheTextThatTheyAre() {
        ObjectNode line = Json.object();
        MessageValues values = new MessageValues(version -> null);
        values.addTo(line, null, null, new byte[] {'a'});
        values.addTo(line, new byte[] {1}, null, new byte[] {'a'});
        assertThat(line.path("text").asText()).isEqualTo("a");
        assertThat(line.path("error").asText()).contains("its schema version has 1 bytes");
        ObjectNode none = Json.object();
        values.addTo(none, null, null, null);
        assertThat(none.toString()).isEqualTo("{\"value\":null}");
    }

    private static MessageSchema avro(String definition) {
        return new MessageSchema("AVRO", definition, null);
    }

    private static String line(MessageSchema schema, byte[] key, byte[] payload) {
        ObjectNode line = Json.object();
        new MessageValues(version -> schema).addTo(line, VERSION_3, key, payload);
        return line.toString();
    }
}
