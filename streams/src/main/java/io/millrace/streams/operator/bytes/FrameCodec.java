package io.millrace.streams.operator.bytes;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Gathers bytes until they make a frame. A frame is a view of the bytes gathered, which are only added to; they move to a
 * new array when that is full, so that no view ever changes.
 */
public final class FrameCodec implements ByteCodec {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final Frames frames;
    private ByteBuffer bytes = NOTHING;
    /** An array behind {@code bytes} that is ours to add to, or null when they are those of a chunk. */
    private byte @Nullable [] own;

    private long offset;
    private boolean isFinished;

    public FrameCodec(Frames frames) {
        this.frames = frames;
    }

    /** How frames are told apart; remembers how far it has looked. */
    public interface Frames {
        /**
         * The next frame, as a view of the bytes from their position on, which it moves behind the frame; or null if more
         * bytes are needed.
         *
         * @param offset where in the stream the position is, for messages
         */
        @Nullable
        ByteBuffer next(ByteBuffer bytes, long offset);

        /** The last frame, of all bytes that are left; or null if there is none. */
        @Nullable
        ByteBuffer last(ByteBuffer bytes, long offset);
    }

    @Override
    public void accept(ByteBuffer chunk) {
        if (!bytes.hasRemaining()) {
            bytes = chunk.asReadOnlyBuffer();
            own = null;
            return;
        }
        int held = bytes.remaining();
        int needed = Math.addExact(held, chunk.remaining());
        byte[] array = own;
        if (array == null || array.length - bytes.limit() < chunk.remaining()) {
            array = new byte[Math.max(needed, (int) Math.min(2L * held, Integer.MAX_VALUE - 8))];
            bytes.get(array, 0, held);
            own = array;
            bytes = ByteBuffer.wrap(array, 0, held).asReadOnlyBuffer();
        }
        int end = bytes.limit();
        chunk.duplicate().get(array, end, chunk.remaining());
        bytes.limit(end + chunk.remaining());
    }

    @Override
    public void finish() {
        isFinished = true;
    }

    @Override
    public @Nullable ByteBuffer next() {
        int before = bytes.position();
        ByteBuffer frame = isFinished ? frames.last(bytes, offset) : frames.next(bytes, offset);
        if (isFinished) {
            bytes = NOTHING;
        } else {
            offset += bytes.position() - before;
        }
        return frame;
    }

    /** The bytes from the position, so many of them, as a frame. */
    static ByteBuffer frame(ByteBuffer bytes, int length) {
        return bytes.slice(bytes.position(), length);
    }
}
