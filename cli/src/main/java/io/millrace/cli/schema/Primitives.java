package io.millrace.cli.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BinaryNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import org.jspecify.annotations.Nullable;

/** The primitive types of Pulsar: big-endian numbers; times are told in ISO form. */
final class Primitives {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private Primitives() {}

    /** How the bytes of one type, of which there is the right number, are read. */
    private interface Reading {
        Object read(ByteBuffer bytes);
    }

    static Decoder of(String type) throws IOException {
        return switch (type) {
            case "STRING" -> bytes -> NODES.textNode(text(bytes));
            case "BOOLEAN" -> fixed(type, 1, bytes -> bytes.get() != 0);
            case "INT8" -> fixed(type, 1, bytes -> (int) bytes.get());
            case "INT16" -> fixed(type, 2, bytes -> (int) bytes.getShort());
            case "INT32" -> fixed(type, 4, ByteBuffer::getInt);
            case "INT64" -> fixed(type, 8, ByteBuffer::getLong);
            case "FLOAT" -> fixed(type, 4, ByteBuffer::getFloat);
            case "DOUBLE" -> fixed(type, 8, ByteBuffer::getDouble);
            case "DATE", "TIME", "TIMESTAMP" -> fixed(type, 8, bytes -> Instant.ofEpochMilli(bytes.getLong()));
            case "INSTANT" -> fixed(type, 12, bytes -> Instant.ofEpochSecond(bytes.getLong(), bytes.getInt()));
            case "LOCAL_DATE" -> fixed(type, 8, bytes -> LocalDate.ofEpochDay(bytes.getLong()));
            case "LOCAL_TIME" -> fixed(type, 8, bytes -> LocalTime.ofNanoOfDay(bytes.getLong()));
            case "LOCAL_DATE_TIME" ->
                fixed(
                        type,
                        16,
                        bytes -> LocalDateTime.of(
                                LocalDate.ofEpochDay(bytes.getLong()), LocalTime.ofNanoOfDay(bytes.getLong())));
            default -> throw new IOException("messages of type " + type + " are not decoded here");
        };
    }

    static JsonNode bytes(byte[] bytes) {
        return BinaryNode.valueOf(bytes);
    }

    private static Decoder fixed(String type, int length, Reading reading) {
        return bytes -> {
            if (bytes.length != length) {
                throw new IOException("it has " + bytes.length + " bytes, and one of type " + type + " has " + length);
            }
            try {
                return node(reading.read(ByteBuffer.wrap(bytes)));
            } catch (DateTimeException e) {
                throw new IOException("there is no such time: " + e.getMessage(), e);
            }
        };
    }

    private static JsonNode node(Object value) {
        if (value instanceof Boolean truth) {
            return NODES.booleanNode(truth);
        } else if (value instanceof Integer number) {
            return NODES.numberNode(number);
        } else if (value instanceof Long number) {
            return NODES.numberNode(number);
        } else if (value instanceof Float number) {
            return NODES.numberNode(number);
        } else if (value instanceof Double number) {
            return NODES.numberNode(number);
        }
        return NODES.textNode(value.toString());
    }

    /** The text that the bytes are, which have to be UTF-8. */
    static String text(byte[] bytes) throws IOException {
        String text = textOrNull(bytes);
        if (text == null) {
            throw new IOException("it is not UTF-8");
        }
        return text;
    }

    /** The same; null if they are not. */
    static @Nullable String textOrNull(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException notUtf8) {
            return null;
        }
    }
}
