package io.millrace.broker.namespace;

import io.millrace.broker.namespace.NameTable.Partitioned;
import io.millrace.broker.topic.TopicName;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

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

    private static final int FORMAT = 1;
    /** With the number of partitions before the texts; in format 1, that is the text of this key. */
    private static final int PARTITIONED_FORMAT = 2;

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
        return bytes(out -> {
            out.writeByte(FORMAT);
            write(out, texts);
        });
    }

    static byte[] encode(Partitioned topic) {
        return bytes(out -> {
            out.writeByte(PARTITIONED_FORMAT);
            out.writeInt(topic.partitions());
            write(out, topic.properties());
        });
    }

    static Map<String, String> decode(String name, byte[] value) {
        try {
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(value));
            requireFormat(name, in.readByte(), FORMAT);
            return readTexts(in);
        } catch (IOException e) {
            throw cutShort(name, e);
        }
    }

    static Partitioned decodePartitioned(String name, byte[] value) {
        try {
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(value));
            int format = in.readByte();
            if (format == FORMAT) {
                Map<String, String> texts = readTexts(in);
                int partitions = Integer.parseInt(String.valueOf(texts.remove(PARTITIONS)));
                return new Partitioned(partitions, Map.copyOf(texts));
            }
            requireFormat(name, format, PARTITIONED_FORMAT);
            int partitions = in.readInt();
            return new Partitioned(partitions, Map.copyOf(readTexts(in)));
        } catch (IOException e) {
            throw cutShort(name, e);
        }
    }

    private static void requireFormat(String name, int format, int known) {
        if (format != known) {
            throw new IllegalStateException("the value '" + name + "' has format " + format
                    + ", but this version reads format " + known + ": start a newer one");
        }
    }

    private static UncheckedIOException cutShort(String name, IOException cause) {
        return new UncheckedIOException("the value '" + name + "' is cut short", cause);
    }

    /** Something that can be written to a stream. */
    @FunctionalInterface
    private interface Writing {
        void to(DataOutputStream out) throws IOException;
    }

    private static byte[] bytes(Writing writing) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            writing.to(new DataOutputStream(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException("memory cannot be written to", e);
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, Map<String, String> texts) throws IOException {
        out.writeInt(texts.size());
        for (Map.Entry<String, String> text : new TreeMap<>(texts).entrySet()) {
            write(out, text.getKey());
            write(out, text.getValue());
        }
    }

    private static Map<String, String> readTexts(DataInputStream in) throws IOException {
        Map<String, String> texts = new TreeMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            String key = read(in);
            texts.put(key, read(in));
        }
        return texts;
    }

    private static void write(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String read(DataInputStream in) throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
