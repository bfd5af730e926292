package io.millrace.broker.namespace;

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
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeByte(FORMAT);
            out.writeInt(texts.size());
            for (Map.Entry<String, String> text : new TreeMap<>(texts).entrySet()) {
                write(out, text.getKey());
                write(out, text.getValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("memory cannot be written to", e);
        }
        return bytes.toByteArray();
    }

    static Map<String, String> decode(String name, byte[] value) {
        Map<String, String> texts = new TreeMap<>();
        try {
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(value));
            int format = in.readByte();
            if (format != FORMAT) {
                throw new IllegalStateException("the value '" + name + "' has format " + format
                        + ", but this version reads format " + FORMAT + ": start a newer one");
            }
            for (int left = in.readInt(); left > 0; left--) {
                String key = read(in);
                texts.put(key, read(in));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the value '" + name + "' is cut short", e);
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
