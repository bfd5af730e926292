package io.millrace.streams.operator.bytes;

import io.millrace.streams.failure.FramingException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Frames each of which is followed by a delimiter. */
public final class DelimitedFrames implements FrameCodec.Frames {
    private final byte[] delimiter;
    private final int maxBytes;
    private int searched;

    public DelimitedFrames(byte[] delimiter, int maxBytes) {
        this.delimiter = delimiter;
        this.maxBytes = maxBytes;
    }

    @Override
    public @Nullable ByteBuffer next(ByteBuffer bytes, long offset) {
        int start = bytes.position();
        int lastStart = bytes.limit() - delimiter.length;
        for (int at = start + searched; at <= lastStart; at++) {
            if (isDelimiterAt(bytes, at)) {
                int length = at - start;
                requireLength(length, offset);
                ByteBuffer frame = FrameCodec.frame(bytes, length);
                bytes.position(at + delimiter.length);
                searched = 0;
                return frame;
            }
        }
        searched = Math.max(0, lastStart + 1 - start);
        requireLength(searched, offset);
        return null;
    }

    private boolean isDelimiterAt(ByteBuffer bytes, int at) {
        for (int i = 0; i < delimiter.length; i++) {
            if (bytes.get(at + i) != delimiter[i]) {
                return false;
            }
        }
        return true;
    }

    private void requireLength(int length, long offset) {
        if (length > maxBytes) {
            throw new FramingException("the frame at byte " + offset + " has " + length + " bytes or more; at most "
                    + maxBytes + " are allowed");
        }
    }

    @Override
    public @Nullable ByteBuffer last(ByteBuffer bytes, long offset) {
        if (bytes.hasRemaining()) {
            throw new FramingException("the stream ended inside the frame at byte " + offset + ": " + bytes.remaining()
                    + " bytes came, but no delimiter after them");
        }
        return null;
    }
}
