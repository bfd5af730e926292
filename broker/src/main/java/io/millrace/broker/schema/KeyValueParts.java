package io.millrace.broker.schema;

import java.nio.ByteBuffer;
import java.util.Map;

/**
 * The two schemas of a key and a value, as one content holds them.
 *
 * <pre>
 *   bytes of the key's definition: 4, the definition, bytes of the value's: 4, the definition
 * </pre>
 *
 * @param encoding whether the key is in the payload or in the message's metadata
 */
public record KeyValueParts(SchemaContent key, SchemaContent value, String encoding) {
    static final String KEY_TYPE = "key.schema.type";
    static final String VALUE_TYPE = "value.schema.type";
    static final String ENCODING = "kv.encoding.type";

    /** How the client for C++ writes the length of an empty definition. */
    private static final int NO_DEFINITION = -1;

    /** Takes a content apart; one that is not whole is refused. */
    public static KeyValueParts of(SchemaContent content) {
        ByteBuffer bytes = ByteBuffer.wrap(content.data());
        byte[] key = part(bytes);
        byte[] value = part(bytes);
        if (bytes.hasRemaining()) {
            throw Refused.invalid(SchemaType.KEY_VALUE, "bytes follow the definitions of key and value");
        }
        Map<String, String> properties = content.properties();
        return new KeyValueParts(
                new SchemaContent(type(properties, KEY_TYPE), key, Map.of()),
                new SchemaContent(type(properties, VALUE_TYPE), value, Map.of()),
                properties.getOrDefault(ENCODING, "INLINE"));
    }

    /** The two definitions as one. */
    public static byte[] join(byte[] key, byte[] value) {
        return ByteBuffer.allocate(2 * Integer.BYTES + key.length + value.length)
                .putInt(key.length)
                .put(key)
                .putInt(value.length)
                .put(value)
                .array();
    }

    private static byte[] part(ByteBuffer bytes) {
        boolean isWhole = bytes.remaining() >= Integer.BYTES;
        int length = isWhole ? bytes.getInt() : 0;
        if (!isWhole || length < NO_DEFINITION || length > bytes.remaining()) {
            throw Refused.invalid(SchemaType.KEY_VALUE, "it ends within the definition of key or value");
        }
        byte[] part = new byte[Math.max(0, length)];
        bytes.get(part);
        return part;
    }

    private static SchemaType type(Map<String, String> properties, String key) {
        SchemaType type = SchemaType.ofName(properties.getOrDefault(key, SchemaType.BYTES.name()));
        if (type == SchemaType.KEY_VALUE || type.number() < SchemaType.BYTES.number()) {
            throw Refused.invalid(SchemaType.KEY_VALUE, key + " cannot be " + type);
        }
        return type;
    }
}
