package io.millrace.broker.schema;

import io.millrace.avro.jackson.core.JsonProcessingException;
import io.millrace.avro.jackson.databind.JsonNode;
import io.millrace.avro.jackson.databind.ObjectMapper;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * A definition of native Protobuf: files of descriptors, and which message of which file the schema is. Only as much of
 * them is read as finds that message.
 */
final class NativeProtobuf {
    private static final int WIRE_BITS = 3;
    private static final int FILE = 1;
    private static final int FILE_NAME = 1;
    private static final int FILE_PACKAGE = 2;
    private static final int FILE_MESSAGE = 4;
    private static final int MESSAGE_NAME = 1;
    private static final int MESSAGE_NESTED = 3;
    private static final int MAX_NESTED = 100;

    private NativeProtobuf() {}

    /** The full name of the message that it defines; a definition that does not have it is refused. */
    static String rootMessage(byte[] data) {
        SchemaType type = SchemaType.PROTOBUF_NATIVE;
        try {
            JsonNode json = new ObjectMapper().readTree(JsonText.of(type, data));
            String message = json.path("rootMessageTypeName").asText();
            String file = json.path("rootFileDescriptorName").asText();
            byte[] files =
                    Base64.getDecoder().decode(json.path("fileDescriptorSet").asText());
            if (!messages(files, file).contains(message)) {
                throw Refused.invalid(
                        type,
                        "its file '" + Refused.quoted(file) + "' has no message '" + Refused.quoted(message) + "'");
            }
            return message;
        } catch (JsonProcessingException | IllegalArgumentException | java.nio.BufferUnderflowException e) {
            throw Refused.invalid(type, e);
        }
    }

    /** The full names of the messages in the file of that name. */
    private static List<String> messages(byte[] files, String name) {
        List<String> found = new ArrayList<>();
        fields(ByteBuffer.wrap(files), (number, file) -> {
            if (number == FILE && name.equals(text(file, FILE_NAME))) {
                fields(file.duplicate(), (part, message) -> {
                    if (part == FILE_MESSAGE) {
                        addMessages(text(file, FILE_PACKAGE), message, 0, found);
                    }
                });
            }
        });
        return found;
    }

    private static void addMessages(String prefix, ByteBuffer message, int depth, List<String> found) {
        if (depth > MAX_NESTED) {
            throw new IllegalArgumentException("messages lie more than " + MAX_NESTED + " deep within each other");
        }
        String simple = text(message, MESSAGE_NAME);
        String full = prefix.isEmpty() ? simple : prefix + "." + simple;
        found.add(full);
        fields(message.duplicate(), (number, nested) -> {
            if (number == MESSAGE_NESTED) {
                addMessages(full, nested, depth + 1, found);
            }
        });
    }

    private static String text(ByteBuffer message, int wanted) {
        StringBuilder text = new StringBuilder();
        fields(message.duplicate(), (number, value) -> {
            if (number == wanted) {
                text.setLength(0);
                text.append(StandardCharsets.UTF_8.decode(value.duplicate()));
            }
        });
        return text.toString();
    }

    /** Visits the fields that have a length; others are skipped. */
    private static void fields(ByteBuffer bytes, BiConsumer<Integer, ByteBuffer> visitor) {
        while (bytes.hasRemaining()) {
            long tag = varint(bytes);
            switch ((int) tag & ((1 << WIRE_BITS) - 1)) {
                case 0 -> varint(bytes);
                case 1 -> skip(bytes, Long.BYTES);
                case 2 -> {
                    long length = varint(bytes);
                    ByteBuffer value = bytes.slice();
                    skip(bytes, length);
                    value.limit((int) length);
                    visitor.accept((int) (tag >>> WIRE_BITS), value);
                }
                case 5 -> skip(bytes, Integer.BYTES);
                default -> throw new IllegalArgumentException("its descriptors are not of Protobuf");
            }
        }
    }

    private static void skip(ByteBuffer bytes, long count) {
        if (count < 0 || count > bytes.remaining()) {
            throw new IllegalArgumentException("its descriptors are cut short");
        }
        bytes.position(bytes.position() + (int) count);
    }

    private static long varint(ByteBuffer bytes) {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte next = bytes.get();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("a number in its descriptors does not end");
    }
}
