package io.millrace.cli.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The values of a topic's messages, each by the version that it was written with, which is fetched once. For one thread. */
public final class MessageValues {
    private final SchemaVersions versions;
    private final Map<Long, Version> known = new HashMap<>();

    public MessageValues(SchemaVersions versions) {
        this.versions = versions;
    }

    /** How a version is read: as what type, and by what; or why it cannot be. */
    private record Version(@Nullable String type, @Nullable Reading reading, String obstacle) {}

    /** Both parts of a key and a value; another schema has the value alone. */
    private record Reading(@Nullable Decoder key, Decoder value, boolean isSeparated) {
        JsonNode read(byte @Nullable [] messageKey, byte @Nullable [] payload) throws IOException {
            if (key == null) {
                return part(value, payload);
            }
            ObjectNode both = Json.object();
            if (isSeparated) {
                both.set("key", part(key, messageKey));
                both.set("value", part(value, payload));
            } else if (payload != null) {
                ByteBuffer left = ByteBuffer.wrap(payload);
                both.set("key", part(key, next(left)));
                both.set("value", part(value, next(left)));
            }
            return both;
        }

        private static JsonNode part(Decoder decoder, byte @Nullable [] bytes) throws IOException {
            return bytes == null ? NullNode.getInstance() : decoder.decode(bytes);
        }

        private static byte @Nullable [] next(ByteBuffer left) throws IOException {
            int length = left.remaining() < Integer.BYTES ? Integer.MAX_VALUE : left.getInt();
            if (length > left.remaining()) {
                throw new IOException("it ends within its key or value");
            }
            if (length < 0) {
                return null;
            }
            byte[] part = new byte[length];
            left.get(part);
            return part;
        }
    }

    /**
     * Adds what a message holds to what is told of it: its schema and its {@code value}; or, if it has no schema or is not of it,
     * its {@code bytes} in Base64, as {@code text} if they are one, and in {@code error} why it cannot be decoded.
     *
     * @param schemaVersion as the message has it; null or empty without a schema
     * @param key of the message; null without
     * @param payload null if the message has none
     */
    public void addTo(
            ObjectNode line, byte @Nullable [] schemaVersion, byte @Nullable [] key, byte @Nullable [] payload) {
        if (schemaVersion == null || schemaVersion.length == 0) {
            addBytes(line, payload);
            return;
        }
        if (schemaVersion.length != Long.BYTES) {
            line.put("error", "its schema version has " + schemaVersion.length + " bytes, and such a number has 8");
            addBytes(line, payload);
            return;
        }
        long number = ByteBuffer.wrap(schemaVersion).getLong();
        Version version = known.computeIfAbsent(number, this::fetch);
        line.putObject("schema").put("version", number).put("type", version.type);
        try {
            if (version.reading == null) {
                throw new IOException(version.obstacle);
            }
            line.set("value", version.reading.read(key, payload));
        } catch (IOException e) {
            line.put("error", "it cannot be decoded by its schema: " + e.getMessage());
            addBytes(line, payload);
        }
    }

    private Version fetch(long number) {
        String type = null;
        try {
            MessageSchema schema = versions.fetch(number);
            if (schema == null) {
                return new Version(null, null, "there is no version " + number + ", it may have been deleted");
            }
            type = schema.type();
            MessageSchema.KeyValue parts = schema.parts();
            return new Version(
                    type,
                    parts == null
                            ? new Reading(null, Decoder.of(schema), false)
                            : new Reading(Decoder.of(parts.key()), Decoder.of(parts.value()), parts.isSeparated()),
                    "");
        } catch (IOException e) {
            return new Version(type, null, String.valueOf(e.getMessage()));
        }
    }

    private static void addBytes(ObjectNode line, byte @Nullable [] payload) {
        if (payload == null) {
            line.putNull("value");
            return;
        }
        String text = Primitives.textOrNull(payload);
        if (text != null) {
            line.put("text", text);
        }
        line.put("bytes", payload);
    }
}
