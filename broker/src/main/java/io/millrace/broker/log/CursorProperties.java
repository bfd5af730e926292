package io.millrace.broker.log;

import java.io.EOFException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Map;

/** What users say of a subscription, as bytes: {@link Texts}, or no bytes for none. */
final class CursorProperties {
    /** Of a cursor without properties. */
    static final byte[] NONE = {};

    private CursorProperties() {}

    static byte[] encode(Map<String, String> properties) {
        return properties.isEmpty() ? NONE : Texts.encode(properties);
    }

    static Map<String, String> decode(byte[] encoded) {
        if (encoded.length == 0) {
            return Map.of();
        }
        try {
            return Collections.unmodifiableMap(Texts.decode(ByteBuffer.wrap(encoded)));
        } catch (EOFException e) {
            throw new UncheckedIOException("the properties of a cursor are cut short", e);
        }
    }
}
