package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineReaderTest {
    @Test
    void emptyLinesCountAndSoDoesALastOneWithoutNewline() throws IOException {
        assertThat(lines("a\n\n b \r\nc")).containsExactly("a", "", " b \r", "c");
        assertThat(lines("\n")).containsExactly("");
        assertThat(lines("")).isEmpty();
    }

    @Test
    void aLineMayCrossAnyNumberOfReads() throws IOException {
        String line = "0123456789".repeat(100_000);
        InputStream oneByteFirst = new InputStream() {
            private final byte[] bytes = (line + "\n" + line).getBytes(StandardCharsets.UTF_8);
            private int position;

            @Override
            public int read() {
                return position < bytes.length ? bytes[position++] : -1;
            }

            @Override
            public int read(byte[] target, int offset, int length) {
                int count = Math.min(Math.min(length, 1 + position % 7_919), bytes.length - position);
                System.arraycopy(bytes, position, target, offset, count);
                position += count;
                return count == 0 ? -1 : count;
            }
        };
        assertThat(lines(new LineReader(oneByteFirst, 2_000_000))).containsExactly(line, line);
    }

    @Test
    void bytesThatAreNoTextStayAsTheyAre() throws IOException {
        byte[] bytes = {(byte) 0xff, 0, (byte) 0xc3, '\r'};
        LineReader reader = new LineReader(new ByteArrayInputStream(bytes), 10);
        assertThat(reader.next()).isEqualTo(bytes);
        assertThat(reader.next()).isNull();
    }

    @Test
    void aLineAboveTheLimitIsRefusedWithItsNumber() {
        byte[] bytes = ("ok\n" + "x".repeat(1_000_000)).getBytes(StandardCharsets.UTF_8);
        LineReader reader = new LineReader(new ByteArrayInputStream(bytes), 500_000);
        assertThatThrownBy(() -> lines(reader)).isInstanceOf(IOException.class).hasMessageContaining("line 2");
    }

    @Test
    void aLineOfAnyLengthUpToTheLimitIsRead() throws IOException {
        for (int length : new int[] {499_999, 500_000}) {
            String line = "x".repeat(length);
            assertThat(lines(new LineReader(new ByteArrayInputStream(line.getBytes(StandardCharsets.UTF_8)), 500_000)))
                    .containsExactly(line);
        }
        byte[] longer = "x".repeat(500_001).getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> new LineReader(new ByteArrayInputStream(longer), 500_000).next())
                .hasMessageContaining("line 1 is longer than 500000");
    }

    private static List<String> lines(String text) throws IOException {
        return lines(new LineReader(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), 100));
    }

    private static List<String> lines(LineReader reader) throws IOException {
        List<String> lines = new ArrayList<>();
        for (byte[] line = reader.next(); line != null; line = reader.next()) {
            lines.add(new String(line, StandardCharsets.UTF_8));
        }
        return lines;
    }
}
