package io.millrace.broker.schema;

import io.millrace.avro.jackson.core.JsonFactory;
import io.millrace.avro.jackson.core.JsonParser;
import io.millrace.avro.jackson.core.JsonToken;
import java.io.IOException;

/**
 * What the parser of Avro makes of the names in a definition, looked at before it gets them: it keeps, for each type and
 * alias, the name together with the namespace around it, which the text has once, and resolves names from each record on.
 */
final class AvroNames {
    /** The texts of a definition times its longest name: what the parser may keep, in characters. */
    private static final long MAX_CHARS = 32 << 20;

    /** The texts of a definition times its records: the parser goes through all that a record leads to, for each of them. */
    private static final long MAX_VISITS = 20_000_000;

    private long texts;
    private long longest = 1;
    private long records;

    private AvroNames() {}

    /**
     * Refuses a definition that would take the parser many times its bytes, or long. Of one that is no JSON what comes before its
     * error counts: the parser looks at that first, and refuses the rest.
     */
    static void requireModest(SchemaType type, String text) {
        AvroNames names = new AvroNames();
        names.count(text);
        names.require(type);
    }

    private void count(String text) {
        try (JsonParser parser =
                new JsonFactory().enable(JsonParser.Feature.ALLOW_COMMENTS).createParser(text)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.VALUE_STRING) {
                    texts++;
                    longest = Math.max(longest, isName(parser) ? parser.getTextLength() : 0);
                    records += isRecord(parser) ? 1 : 0;
                }
            }
        } catch (IOException e) {
            return; // left to the parser of Avro, which says where it is
        }
    }

    private void require(SchemaType type) {
        if (texts * longest > MAX_CHARS) {
            throw Refused.invalid(
                    type,
                    "a name or namespace of " + longest + " characters is too long for a definition of " + texts
                            + " texts: use a shorter one");
        }
        if (texts * records > MAX_VISITS) {
            throw Refused.invalid(type, "it has too many records, " + records + ", for one of " + texts + " texts");
        }
    }

    private static boolean isName(JsonParser parser) throws IOException {
        String field = parser.currentName();
        return "namespace".equals(field) || "name".equals(field);
    }

    private static boolean isRecord(JsonParser parser) throws IOException {
        return "type".equals(parser.currentName())
                && ("record".equals(parser.getText()) || "error".equals(parser.getText()));
    }
}
