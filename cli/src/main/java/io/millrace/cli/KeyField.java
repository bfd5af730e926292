package io.millrace.cli;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.pulsar.client.api.TypedMessageBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Which field of a line is its key: fields are separated by runs of spaces and tabs, leading ones do not count.
 *
 * @param number the field's place, from 1
 */
record KeyField(int number) {
    /** Gives a message the line's field as its key, in bytes if it is no UTF-8 text; none where the line has fewer fields. */
    void addTo(TypedMessageBuilder<byte[]> message, byte[] line) {
        byte[] key = of(line);
        if (key == null) {
            return;
        }
        try {
            CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(key));
            message.key(text.toString());
        } catch (CharacterCodingException noText) {
            message.keyBytes(key);
        }
    }

    private byte @Nullable [] of(byte[] line) {
        int position = 0;
        for (int field = 1; ; field++) {
            int start = end(line, position, true);
            int end = end(line, start, false);
            if (start == end) {
                return null;
            }
            if (field == number) {
                return Arrays.copyOfRange(line, start, end);
            }
            position = end;
        }
    }

    private static int end(byte[] line, int start, boolean blanks) {
        int end = start;
        while (end < line.length && (line[end] == ' ' || line[end] == '\t') == blanks) {
            end++;
        }
        return end;
    }
}
