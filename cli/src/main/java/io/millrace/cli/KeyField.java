package io.millrace.cli;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Which field of a line is its key: fields are separated by runs of spaces and tabs, leading ones do not count.
 *
 * @param number the field's place, from 1
 */
record KeyField(int number) {
    /** The field as UTF-8 text, or null where the line has fewer fields. */
    @Nullable
    String of(byte[] line) {
        int position = 0;
        for (int field = 1; ; field++) {
            int start = end(line, position, true);
            int end = end(line, start, false);
            if (start == end) {
                return null;
            }
            if (field == number) {
                return new String(line, start, end - start, StandardCharsets.UTF_8);
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
