package io.millrace.cli.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A schema as a broker tells it.
 *
 * @param type its name, such as {@code AVRO}
 * @param definition empty for a primitive type, and for a key and a value
 * @param parts of a schema of a key and a value, the two; null of another
 */
public record MessageSchema(
        String type, String definition, @Nullable KeyValue parts) {
    static final String KEY_VALUE = "KEY_VALUE";

    private static final String KEY = "key";
    private static final String VALUE = "value";

    /**
     * The schemas of a key and a value.
     *
     * @param isSeparated whether the key of the message is the key, rather than the first part of its payload
     */
    public record KeyValue(MessageSchema key, MessageSchema value, boolean isSeparated) {}

    /**
     * One that the admin API has answered.
     *
     * @throws IOException if it is a key and a value that cannot be told apart
     */
    public static MessageSchema ofAnswer(JsonNode answer) throws IOException {
        String type = answer.path("type").asText();
        String data = answer.path("data").asText();
        if (!type.equals(KEY_VALUE)) {
            return new MessageSchema(type, data, null);
        }
        JsonNode both = Json.read(data.getBytes(StandardCharsets.UTF_8));
        Map<String, String> properties = new HashMap<>();
        answer.path("properties")
                .fields()
                .forEachRemaining(
                        each -> properties.put(each.getKey(), each.getValue().asText()));
        return keyValue(text(both.path(KEY)), text(both.path(VALUE)), properties);
    }

    private static String text(JsonNode part) {
        return part.isTextual() ? part.textValue() : part.toString();
    }

    /**
     * One that a client has fetched.
     *
     * @throws IOException if it is a key and a value that cannot be told apart
     */
    public static MessageSchema ofClient(String type, byte[] data, Map<String, String> properties) throws IOException {
        if (!type.equals(KEY_VALUE)) {
            return new MessageSchema(type, new String(data, StandardCharsets.UTF_8), null);
        }
        try {
            ByteBuffer left = ByteBuffer.wrap(data);
            String key = text(left);
            return keyValue(key, text(left), properties);
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw new IOException("its schema of a key and a value is not whole", e);
        }
    }

    private static String text(ByteBuffer left) {
        int length = Math.max(0, left.getInt()); // the client for C++ writes -1 for an empty one
        ByteBuffer part = left.slice().limit(length);
        left.position(left.position() + length);
        return StandardCharsets.UTF_8.decode(part).toString();
    }

    private static MessageSchema keyValue(String key, String value, Map<String, String> properties) {
        return new MessageSchema(
                KEY_VALUE,
                "",
                new KeyValue(
                        new MessageSchema(properties.getOrDefault("key.schema.type", "BYTES"), key, null),
                        new MessageSchema(properties.getOrDefault("value.schema.type", "BYTES"), value, null),
                        "SEPARATED".equals(properties.get("kv.encoding.type"))));
    }

    /** Whether its definition is one of Avro. */
    boolean isOfAvro() {
        return type.equals("AVRO") || type.equals("JSON") || type.equals("PROTOBUF");
    }
}
