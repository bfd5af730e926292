package io.millrace.broker.admin;

import io.millrace.avro.jackson.databind.JsonNode;
import io.millrace.broker.http.HttpRefusal;
import io.millrace.broker.schema.KeyValueParts;
import io.millrace.broker.schema.SchemaContent;
import io.millrace.broker.schema.SchemaType;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * A schema as tools write and read it: its definition as text, and of a key and a value both definitions in one JSON object, where an empty text stands for
 * that of a primitive type.
 */
final class SchemaDocument {
    private static final int UNPROCESSABLE = 422;
    private static final String KEY = "key";
    private static final String VALUE = "value";

    private SchemaDocument() {}

    /** What a client sends: type, schema and properties. */
    static SchemaContent content(JsonNode payload) {
        if (!payload.path("type").isTextual()) {
            throw new HttpRefusal(
                    UNPROCESSABLE, "a schema needs a type: {\"type\": ..., \"schema\": ..., \"properties\": {}}");
        }
        SchemaType type = SchemaType.ofName(payload.path("type").textValue());
        String text = payload.path("schema").asText("");
        Map<String, String> properties = new HashMap<>();
        payload.path("properties")
                .properties()
                .forEach(each -> properties.put(each.getKey(), each.getValue().asText()));
        byte[] data = type == SchemaType.KEY_VALUE ? keyAndValue(text) : bytes(text);
        return new SchemaContent(type, data, properties);
    }

    private static byte[] keyAndValue(String text) {
        JsonNode both = Json.parseOrRefuse(text);
        if (!both.has(KEY) || !both.has(VALUE)) {
            throw new HttpRefusal(
                    UNPROCESSABLE, "a schema of a key and a value has both: {\"key\": ..., \"value\": ...}");
        }
        return KeyValueParts.join(part(both.get(KEY)), part(both.get(VALUE)));
    }

    private static byte[] part(JsonNode part) {
        return bytes(part.isTextual() ? part.textValue() : part.toString());
    }

    /** The definition of a stored schema. */
    static String text(SchemaContent content) {
        if (content.type() != SchemaType.KEY_VALUE) {
            return text(content.data());
        }
        KeyValueParts parts = KeyValueParts.of(content);
        return "{\"key\":" + part(parts.key()) + ",\"value\":" + part(parts.value()) + "}";
    }

    /** A definition in JSON is told as such, anything else as a text. */
    private static String part(SchemaContent part) {
        boolean isJson = part.type().isOfAvro() || part.type() == SchemaType.PROTOBUF_NATIVE;
        return isJson ? text(part.data()) : Json.text(text(part.data()));
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
