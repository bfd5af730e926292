package io.millrace.streams.operator.bytes;

import io.millrace.streams.failure.FramingException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** JSON objects, told apart by their braces outside of strings. */
public final class JsonFrames implements FrameCodec.Frames {
    private final int maxBytes;
    private int searched;
    private int depth;
    private boolean isInArray;
    private boolean isInString;
    private boolean isEscaped;

    public JsonFrames(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    @Override
    public @Nullable ByteBuffer next(ByteBuffer bytes, long offset) {
        int skipped = skipToObject(bytes, offset);
        int start = bytes.position();
        for (int at = start + searched; at < bytes.limit(); at++) {
            if (endsObject(bytes.get(at))) {
                int length = at + 1 - start;
                requireLength(length, offset + skipped);
                ByteBuffer object = FrameCodec.frame(bytes, length);
                bytes.position(at + 1);
                searched = 0;
                return object;
            }
        }
        searched = bytes.remaining();
        requireLength(searched, offset + skipped);
        return null;
    }

    /** Moves behind what may stand between objects, if none has begun; hands back how many bytes that is. */
    private int skipToObject(ByteBuffer bytes, long offset) {
        int start = bytes.position();
        int at = start;
        while (depth == 0 && at < bytes.limit() && bytes.get(at) != '{') {
            pass(bytes.get(at), offset + at - start);
            at++;
        }
        bytes.position(at);
        return at - start;
    }

    private void pass(byte between, long offset) {
        boolean isSeparator = between == ' ' || between == '\n' || between == '\r' || between == '\t' || between == ',';
        if (isSeparator) {
            return;
        }
        boolean isBracket = between == (isInArray ? ']' : '[');
        if (!isBracket) {
            throw new FramingException("byte " + offset + " is " + shown(between)
                    + ", where a JSON object, a separator or a bracket of an array of them is expected");
        }
        isInArray = !isInArray;
    }

    private static String shown(byte value) {
        return value > ' ' && value < 0x7F ? "'" + (char) value + "'" : String.format("0x%02X", value);
    }

    private boolean endsObject(byte value) {
        if (isInString) {
            boolean endsString = value == '"' && !isEscaped;
            isEscaped = value == '\\' && !isEscaped;
            isInString = !endsString;
        } else if (value == '"') {
            isInString = true;
        } else if (value == '{') {
            depth++;
        } else if (value == '}') {
            depth--;
            return depth == 0;
        }
        return false;
    }

    private void requireLength(int length, long offset) {
        if (length > maxBytes) {
            throw new FramingException("the JSON object at byte " + offset + " has " + length
                    + " bytes or more; at most " + maxBytes + " are allowed");
        }
    }

    @Override
    public @Nullable ByteBuffer last(ByteBuffer bytes, long offset) {
        if (depth > 0 || isInArray) {
            throw new FramingException(
                    "the stream ended inside " + (depth > 0 ? "the JSON object at byte " + offset : "an array"));
        }
        return null;
    }
}
