package io.millrace.streams.operator.bytes;

import io.millrace.streams.failure.FramingException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Lines that end with LF or CR LF. */
public final class LineFrames implements FrameCodec.Frames {
    private final int maxBytes;
    private int searched;

    public LineFrames(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    @Override
    public @Nullable ByteBuffer next(ByteBuffer bytes, long offset) {
        int start = bytes.position();
        for (int at = start + searched; at < bytes.limit(); at++) {
            if (bytes.get(at) == '\n') {
                boolean isCrLf = at > start && bytes.get(at - 1) == '\r';
                ByteBuffer line = line(bytes, isCrLf ? at - 1 - start : at - start, offset);
                bytes.position(at + 1);
                searched = 0;
                return line;
            }
        }
        searched = bytes.remaining();
        // The last byte may be the CR of an end that is still to come.
        if (searched - 1 > maxBytes) {
            throw tooLong(searched - 1, offset);
        }
        return null;
    }

    @Override
    public @Nullable ByteBuffer last(ByteBuffer bytes, long offset) {
        return bytes.hasRemaining() ? line(bytes, bytes.remaining(), offset) : null;
    }

    private ByteBuffer line(ByteBuffer bytes, int length, long offset) {
        if (length > maxBytes) {
            throw tooLong(length, offset);
        }
        return FrameCodec.frame(bytes, length);
    }

    private FramingException tooLong(int length, long offset) {
        return new FramingException("the line at byte " + offset + " has " + length + " bytes or more; at most "
                + maxBytes + " are allowed");
    }
}
