package io.millrace.streams.operator.bytes;

import io.millrace.streams.failure.FramingException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Frames with a number in them that counts the bytes that follow it. */
public final class LengthFieldFrames implements FrameCodec.Frames {
    private final int fieldOffset;
    private final int fieldBytes;
    private final int maxBytes;
    private final boolean isBigEndian;

    public LengthFieldFrames(int fieldOffset, int fieldBytes, int maxBytes, ByteOrder order) {
        this.fieldOffset = fieldOffset;
        this.fieldBytes = fieldBytes;
        this.maxBytes = maxBytes;
        isBigEndian = Objects.requireNonNull(order, "order") == ByteOrder.BIG_ENDIAN;
    }

    @Override
    public @Nullable ByteBuffer next(ByteBuffer bytes, long offset) {
        long headerBytes = (long) fieldOffset + fieldBytes;
        if (bytes.remaining() < headerBytes) {
            return null;
        }
        long length = headerBytes + number(bytes);
        if (length > maxBytes) {
            throw new FramingException("the frame at byte " + offset + " has " + length
                    + " bytes by its length field; at most " + maxBytes + " are allowed");
        }
        if (bytes.remaining() < length) {
            return null;
        }
        ByteBuffer frame = FrameCodec.frame(bytes, (int) length);
        bytes.position(bytes.position() + (int) length);
        return frame;
    }

    private long number(ByteBuffer bytes) {
        long number = 0;
        for (int i = 0; i < fieldBytes; i++) {
            int digit = isBigEndian ? i : fieldBytes - 1 - i;
            number = (number << Byte.SIZE) | (bytes.get(bytes.position() + fieldOffset + digit) & 0xFF);
        }
        return number;
    }

    @Override
    public @Nullable ByteBuffer last(ByteBuffer bytes, long offset) {
        if (bytes.hasRemaining()) {
            throw new FramingException("the stream ended inside the frame at byte " + offset + " after "
                    + bytes.remaining() + " bytes of it");
        }
        return null;
    }
}
