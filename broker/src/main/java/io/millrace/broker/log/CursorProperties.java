package io.millrace.broker.log;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** What users say of a subscription, as bytes: how many texts there are, then each key and its value, with their lengths. */
final class CursorProperties {
    /** Of a cursor without properties. */
    static final byte[] NONE = {};

    private CursorProperties() {}

    static byte[] encode(Map<String, String> properties) {
        if (properties.isEmpty()) {
            return NONE;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeInt(properties.size());
            for (Map.Entry<String, String> property : new TreeMap<>(properties).entrySet()) {
                write(out, property.getKey());
                write(out, property.getValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("memory cannot be written to", e);
        }
        return bytes.toByteArray();
    }

    static Map<String, String> decode(byte[] encoded) {
        if (encoded.length == 0) {
            return Map.of();
        }
        Map<String, String> properties = new TreeMap<>();
        try {
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(encoded));
            for (int left = in.readInt(); left > 0; left--) {
                String key = read(in);
                properties.put(key, read(in));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the properties of a cursor are cut short", e);
        }
        return Collections.unmodifiableMap(properties);
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
