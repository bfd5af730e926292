package io.millrace.broker.schema;

import io.millrace.broker.topic.TopicName;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How schemas are values of the log: the versions of a topic, and each content once, whoever uses it.
 *
 * <pre>
 *   schemas persistent://acme/dev/orders      format 1, next version 8, policies, count 4,
 *                                             of each: number 8, time 8, content 32, identity 32
 *   schema 9f86d081884c7d65...                format 1, type 4, properties, then the definition
 *   texts by key                              count 4, of each: bytes 4, key, bytes 4, value
 * </pre>
 */
public final class SchemaValues {
    /** What names of the values of topics begin with. */
    public static final String TOPIC = "schemas ";
    /** What names of the values of contents begin with. */
    public static final String CONTENT = "schema ";

    private static final byte FORMAT = 1;
    private static final int VERSION_BYTES = 2 * Long.BYTES + 2 * Digest.BYTES;

    private SchemaValues() {}

    /** The name of the value that has the versions of that topic. */
    public static String topic(TopicName whole) {
        return TOPIC + whole.full();
    }

    /** The name of the value that has that content. */
    public static String content(Digest digest) {
        return CONTENT + digest.hex();
    }

    static byte[] encode(TopicSchemas schemas) {
        byte[] policies = encode(schemas.policies());
        ByteBuffer bytes = ByteBuffer.allocate(1
                + Long.BYTES
                + policies.length
                + Integer.BYTES
                + VERSION_BYTES * schemas.versions().size());
        bytes.put(FORMAT).putLong(schemas.nextVersion()).put(policies);
        bytes.putInt(schemas.versions().size());
        for (TopicSchemas.Version version : schemas.versions()) {
            bytes.putLong(version.number()).putLong(version.timestampMillis());
            version.content().write(bytes);
            version.identity().write(bytes);
        }
        return bytes.array();
    }

    static TopicSchemas decodeTopic(String name, byte[] value) {
        ByteBuffer bytes = ByteBuffer.wrap(value);
        requireFormat(name, bytes.get());
        long nextVersion = bytes.getLong();
        Map<String, String> policies = texts(bytes);
        List<TopicSchemas.Version> versions = new ArrayList<>();
        for (int left = bytes.getInt(); left > 0; left--) {
            versions.add(
                    new TopicSchemas.Version(bytes.getLong(), bytes.getLong(), Digest.read(bytes), Digest.read(bytes)));
        }
        return new TopicSchemas(nextVersion, versions, policies);
    }

    static byte[] encode(SchemaContent content) {
        byte[] properties = encode(content.properties());
        ByteBuffer bytes = ByteBuffer.allocate(1 + Integer.BYTES + properties.length + content.data().length);
        bytes.put(FORMAT).putInt(content.type().number()).put(properties).put(content.data());
        return bytes.array();
    }

    /** The content that a value holds. */
    public static SchemaContent decodeContent(String name, byte[] value) {
        ByteBuffer bytes = ByteBuffer.wrap(value);
        requireFormat(name, bytes.get());
        int number = bytes.getInt();
        SchemaType type = SchemaType.ofNumber(number);
        if (type == null) {
            throw new IllegalStateException(
                    "the value '" + name + "' is of schema type " + number + ", which this version does not have");
        }
        Map<String, String> properties = texts(bytes);
        byte[] data = new byte[bytes.remaining()];
        bytes.get(data);
        return new SchemaContent(type, data, properties);
    }

    private static void requireFormat(String name, byte format) {
        if (format != FORMAT) {
            throw new IllegalStateException("the value '" + name + "' has format " + format
                    + ", but this version reads format " + FORMAT + ": start a newer one");
        }
    }

    private static byte[] encode(Map<String, String> texts) {
        List<byte[]> parts = new ArrayList<>();
        new TreeMap<>(texts).forEach((key, value) -> {
            parts.add(key.getBytes(StandardCharsets.UTF_8));
            parts.add(value.getBytes(StandardCharsets.UTF_8));
        });
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES
                + parts.stream().mapToInt(part -> Integer.BYTES + part.length).sum());
        bytes.putInt(texts.size());
        parts.forEach(part -> bytes.putInt(part.length).put(part));
        return bytes.array();
    }

    private static Map<String, String> texts(ByteBuffer bytes) {
        Map<String, String> texts = new TreeMap<>();
        for (int left = bytes.getInt(); left > 0; left--) {
            String key = text(bytes);
            texts.put(key, text(bytes));
        }
        return texts;
    }

    private static String text(ByteBuffer bytes) {
        byte[] text = new byte[bytes.getInt()];
        bytes.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }
}
