package io.millrace.streams;

import io.millrace.streams.failure.FramingException;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.operator.bytes.ByteCodecStage;
import io.millrace.streams.operator.bytes.DelimitedFrames;
import io.millrace.streams.operator.bytes.FrameCodec;
import io.millrace.streams.operator.bytes.JsonFrames;
import io.millrace.streams.operator.bytes.LengthFieldFrames;
import io.millrace.streams.operator.bytes.LineFrames;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Supplier;

/**
 * Flows that cut bytes, which come in chunks of any size, into frames. Frames are read-only, and views of the chunks
 * where they can be, so a chunk must not be changed once it is sent; its position stays as it is. All fail with
 * {@link FramingException} and hold no more bytes than a frame may have, and a chunk.
 */
public final class Framing {
    private Framing() {}

    /** Lines of up to so many bytes, without their ends, which are LF or CR LF; the last line may lack its end. */
    public static Flow<ByteBuffer, ByteBuffer, NotUsed> lines(int maxBytes) {
        requireMax(maxBytes);
        return frames("lines", () -> new LineFrames(maxBytes));
    }

    /** Frames of up to so many bytes, each followed by the delimiter, which is left out. */
    public static Flow<ByteBuffer, ByteBuffer, NotUsed> delimiter(byte[] delimiter, int maxBytes) {
        if (delimiter.length == 0) {
            throw new IllegalArgumentException("a delimiter must have at least 1 byte, not 0");
        }
        requireMax(maxBytes);
        byte[] own = delimiter.clone();
        return frames("delimiter", () -> new DelimitedFrames(own, maxBytes));
    }

    /**
     * Frames that say how long they are: an unsigned number of 1 to 4 bytes, at an offset in bytes from the beginning of
     * the frame, counts the bytes that follow it. A frame is emitted whole, of up to so many bytes in all, which must have room
     * for the number.
     */
    public static Flow<ByteBuffer, ByteBuffer, NotUsed> lengthField(
            int offset, int lengthBytes, int maxBytes, ByteOrder order) {
        if (offset < 0) {
            throw new IllegalArgumentException("offset must be at least 0, not " + offset);
        }
        if (lengthBytes < 1 || lengthBytes > Integer.BYTES) {
            throw new IllegalArgumentException("lengthBytes must be between 1 and 4, not " + lengthBytes);
        }
        requireMax(maxBytes);
        if ((long) offset + lengthBytes > maxBytes) {
            throw new IllegalArgumentException(
                    "no frame of at most maxBytes = " + maxBytes + " has room for a length of " + lengthBytes
                            + " bytes at offset " + offset + ": allow at least " + ((long) offset + lengthBytes));
        }
        return frames("lengthField", () -> new LengthFieldFrames(offset, lengthBytes, maxBytes, order));
    }

    /**
     * The JSON objects of an array, or those that follow each other, with white space or commas between them; each of up
     * to so many bytes. What is inside of an object is not checked.
     */
    public static Flow<ByteBuffer, ByteBuffer, NotUsed> jsonObjects(int maxBytes) {
        requireMax(maxBytes);
        return frames("jsonObjects", () -> new JsonFrames(maxBytes));
    }

    private static Flow<ByteBuffer, ByteBuffer, NotUsed> frames(String name, Supplier<FrameCodec.Frames> frames) {
        return Flow.fromGraph(new ByteCodecStage(name, () -> new FrameCodec(frames.get())));
    }

    private static void requireMax(int maxBytes) {
        if (maxBytes < 1) {
            throw new IllegalArgumentException("maxBytes must be at least 1, not " + maxBytes);
        }
    }
}
