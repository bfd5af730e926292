package io.millrace.broker.schema;

import io.millrace.avro.jackson.core.JsonProcessingException;
import io.millrace.avro.jackson.databind.DeserializationFeature;
import io.millrace.avro.jackson.databind.JsonNode;
import io.millrace.avro.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * A definition of native Protobuf: files of descriptors, and which message of which file the schema is. Only as much of
 * them is read as finds that message: each byte at most a few times, and nothing is kept of them.
 */
final class NativeProtobuf {
    private static final int FILE = 1;
    private static final int FILE_NAME = 1;
    private static final int FILE_PACKAGE = 2;
    private static final int FILE_MESSAGE = 4;
    private static final int MESSAGE_NAME = 1;
    private static final int MESSAGE_NESTED = 3;
    private static final int MAX_NESTED = 100;
    private static final int ABSENT = -1;

    /** The full name of the message that is looked for. */
    private final byte[] wanted;

    private NativeProtobuf(String wanted) {
        this.wanted = wanted.getBytes(StandardCharsets.UTF_8);
    }

    /** The full name of the message that it defines; a definition that does not have it is refused. */
    static String rootMessage(byte[] data) {
        SchemaType type = SchemaType.PROTOBUF_NATIVE;
        try {
            JsonNode json = new ObjectMapper()
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .readTree(JsonText.of(type, data));
            String message = json.path("rootMessageTypeName").asText();
            String file = json.path("rootFileDescriptorName").asText();
            byte[] files =
                    Base64.getDecoder().decode(json.path("fileDescriptorSet").asText());
            if (message.isEmpty()) {
                throw Refused.invalid(type, "it does not say which message it is of, in rootMessageTypeName");
            }
            if (!new NativeProtobuf(message).isInFile(files, file.getBytes(StandardCharsets.UTF_8))) {
                throw Refused.invalid(
                        type,
                        "its file '" + Refused.quoted(file) + "' has no message '" + Refused.quoted(message) + "'");
            }
            return message;
        } catch (JsonProcessingException | IllegalArgumentException e) {
            throw Refused.invalid(type, e);
        }
    }

    /** Whether a file of that name has the message. */
    private boolean isInFile(byte[] files, byte[] name) {
        boolean isFound = false;
        ProtobufFields set = new ProtobufFields(files);
        while (set.advance()) {
            if (set.number() == FILE && isNamed(set.inner(), name)) {
                isFound |= isAmong(set.inner(), FILE_MESSAGE, afterPackage(set.inner()), 0);
            }
        }
        return isFound;
    }

    private static boolean isNamed(ProtobufFields file, byte[] name) {
        boolean isNamed = name.length == 0;
        while (file.advance()) {
            if (file.number() == FILE_NAME) {
                isNamed = file.length() == name.length && file.isIn(name, 0);
            }
        }
        return isNamed;
    }

    /** Where the wanted name goes on after the file's package; absent if it is in another. */
    private int afterPackage(ProtobufFields file) {
        int after = 0;
        while (file.advance()) {
            if (file.number() == FILE_PACKAGE) {
                after = file.length() == 0 ? 0 : afterDot(endOf(file, 0));
            }
        }
        return after;
    }

    /** Whether the wanted message, of whose name the rest is left, is one of these fields, or lies in one. */
    private boolean isAmong(ProtobufFields fields, int number, int rest, int depth) {
        if (rest != ABSENT && depth > MAX_NESTED) {
            throw new IllegalArgumentException("messages lie more than " + MAX_NESTED + " deep within each other");
        }
        boolean isFound = false;
        while (rest != ABSENT && fields.advance()) {
            if (fields.number() == number) {
                int end = endOfName(fields.inner(), rest);
                isFound |= end == wanted.length || isAmong(fields.inner(), MESSAGE_NESTED, afterDot(end), depth + 1);
            }
        }
        return isFound;
    }

    /** Where the wanted name goes on after a message's simple name; absent if it begins otherwise. */
    private int endOfName(ProtobufFields message, int rest) {
        int end = ABSENT;
        while (message.advance()) {
            if (message.number() == MESSAGE_NAME) {
                end = endOf(message, rest);
            }
        }
        return end;
    }

    private int endOf(ProtobufFields name, int rest) {
        return name.length() > 0 && name.isIn(wanted, rest) ? rest + name.length() : ABSENT;
    }

    private int afterDot(int end) {
        return end != ABSENT && end < wanted.length && wanted[end] == '.' ? end + 1 : ABSENT;
    }
}
