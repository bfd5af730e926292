package io.millrace.cli;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Splits a stream of bytes at each newline, strips nothing else and bounds what one line may hold. */
final class LineReader implements Closeable {
    private static final int BUFFER_BYTES = 256 * 1024;

    private final InputStream in;
    private final int maxLineBytes;
    private byte[] buffer = new byte[BUFFER_BYTES];
    private int position;
    private int limit;
    private long linesRead;

    LineReader(InputStream in, int maxLineBytes) {
        this.in = in;
        this.maxLineBytes = maxLineBytes;
    }

    /** The next line without its newline, or null at the end; throws an IOException for a line above the limit. */
    byte @Nullable [] next() throws IOException {
        int scanned = position;
        while (true) {
            for (int i = scanned; i < limit; i++) {
                if (buffer[i] == '\n') {
                    return take(i, i + 1);
                }
            }
            scanned = limit - position;
            if (scanned > maxLineBytes) {
                throw new IOException("line " + (linesRead + 1) + " is longer than " + maxLineBytes + " bytes");
            }
            if (!fill()) {
                return position == limit ? null : take(limit, limit);
            }
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    private byte[] take(int end, int nextPosition) {
        byte[] line = Arrays.copyOfRange(buffer, position, end);
        position = nextPosition;
        linesRead++;
        return line;
    }

    /** Twice as much, but no more than shows that a line is too long. */
    private int larger() {
        return (int) Math.max(buffer.length + 1L, Math.min(2L * buffer.length, maxLineBytes + 1L));
    }

    private boolean fill() throws IOException {
        int kept = limit - position;
        byte[] target = kept == buffer.length ? new byte[larger()] : buffer;
        System.arraycopy(buffer, position, target, 0, kept);
        buffer = target;
        position = 0;
        limit = kept;
        int read = in.read(buffer, limit, buffer.length - limit);
        limit += Math.max(read, 0);
        return read >= 0;
    }
}
