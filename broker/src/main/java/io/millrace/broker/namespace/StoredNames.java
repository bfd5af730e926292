package io.millrace.broker.namespace;

import io.millrace.broker.log.Texts;
import io.millrace.broker.namespace.NameTable.Partitioned;
import io.millrace.broker.topic.TopicName;
import java.io.EOFException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Map;

/**
 * How tenants, namespaces and partitioned topics are values of the log: each under a name that people can read, as texts
 * by key.
 *
 * <pre>
 *   tenant acme                                  properties
 *   namespace acme/dev                           policies
 *   partitioned persistent://acme/dev/orders     partitions, properties
 *   topic persistent://acme/dev/orders           policies; properties, if it has no partitions
 * </pre>
 */
final class StoredNames {
    static final String TENANT = "tenant ";
    static final String NAMESPACE = "namespace ";
    static final String PARTITIONED = "partitioned ";
    static final String TOPIC = "topic ";

    private static final byte FORMAT = 1;
    /** With the number of partitions before the texts; in format 1, that is the text of this key. */
    private static final byte PARTITIONED_FORMAT = 2;

    private static final String PARTITIONS = "partitions";

    private StoredNames() {}

    static String tenant(String name) {
        return TENANT + name;
    }

    static String namespace(NamespaceName name) {
        return NAMESPACE + name;
    }

    static String partitioned(TopicName name) {
        return PARTITIONED + name.full();
    }

    static String topic(TopicName name) {
        return TOPIC + name.full();
    }

    static byte[] encode(Map<String, String> texts) {
        byte[] stored = Texts.encode(texts);
        return ByteBuffer.allocate(1 + stored.length).put(FORMAT).put(stored).array();
    }

    static byte[] encode(Partitioned topic) {
        byte[] stored = Texts.encode(topic.properties());
        return ByteBuffer.allocate(1 + Integer.BYTES + stored.length)
                .put(PARTITIONED_FORMAT)
                .putInt(topic.partitions())
                .put(stored)
                .array();
    }

    static Map<String, String> decode(String name, byte[] value) {
        try {
            ByteBuffer in = ByteBuffer.wrap(value);
            requireFormat(name, in.get(), FORMAT);
            return Texts.decode(in);
        } catch (EOFException | BufferUnderflowException e) {
            throw cutShort(name, e);
        }
    }

    static Partitioned decodePartitioned(String name, byte[] value) {
        try {
            ByteBuffer in = ByteBuffer.wrap(value);
            int format = in.get();
            if (format == FORMAT) {
                Map<String, String> texts = Texts.decode(in);
                int partitions = Integer.parseInt(String.valueOf(texts.remove(PARTITIONS)));
                return new Partitioned(partitions, Map.copyOf(texts));
            }
            requireFormat(name, format, PARTITIONED_FORMAT);
            int partitions = in.getInt();
            return new Partitioned(partitions, Map.copyOf(Texts.decode(in)));
        } catch (EOFException | BufferUnderflowException e) {
            throw cutShort(name, e);
        }
    }

    private static void requireFormat(String name, int format, int known) {
        if (format != known) {
            throw new IllegalStateException("the value '" + name + "' has format " + format
                    + ", but this version reads format " + known + ": start a newer one");
        }
    }

    private static IllegalStateException cutShort(String name, Exception cause) {
        return new IllegalStateException("the value '" + name + "' is cut short", cause);
    }
}
