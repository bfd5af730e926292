package io.millrace.broker.log;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A moving window over the part of a file that is searched for frames. For one thread. */
final class FrameWindow {
    private final Source source;
    private final Frame frame;
    private final long end;
    private ByteBuffer window;
    private long windowStart;

    /** Where the bytes come from, as {@link DiskFile#read} gives them. */
    interface Source {
        int read(ByteBuffer target, long offset) throws IOException;
    }

    /** Looks no further than {@code end}, reading about {@code windowBytes} at a time. */
    FrameWindow(Source source, Frame frame, long end, int windowBytes) {
        this.source = source;
        this.frame = frame;
        this.end = end;
        this.window = ByteBuffer.allocate(windowBytes);
        window.limit(0);
    }

    /** The buffer that {@link #index} refers to; valid until the next call of another method. */
    ByteBuffer buffer() {
        return window;
    }

    int index(long offset) {
        return (int) (offset - windowStart);
    }

    /** Whether an undamaged head is at that offset; it is in the buffer then. */
    boolean headAt(long offset) throws IOException {
        if (offset + Frame.HEAD_BYTES > end) {
            return false;
        }
        cover(offset, (int) Math.min(Frame.ENTRY_HEAD_BYTES, end - offset));
        return frame.isHead(window, index(offset)) && offset + Frame.frameBytes(window, index(offset)) <= end;
    }

    /** Whether an undamaged frame is at that offset; it is in the buffer then. */
    boolean bodySoundAt(long offset) throws IOException {
        return frameAt(offset) && frame.isBodySound(window, index(offset));
    }

    /** Like {@link #headAt}, with the whole frame in the buffer; its body is not checked. */
    boolean frameAt(long offset) throws IOException {
        boolean head = headAt(offset);
        if (head) {
            cover(offset, Frame.frameBytes(window, index(offset)));
        }
        return head;
    }

    /** The offset of the first undamaged head at or after {@code from}, or -1. */
    long nextHead(long from, long to) throws IOException {
        for (long offset = from; offset + Frame.HEAD_BYTES <= Math.min(to, end); offset++) {
            cover(offset, (int) Math.min(Frame.ENTRY_HEAD_BYTES, end - offset));
            if (window.get(index(offset)) == 'M' && headAt(offset)) {
                return offset;
            }
        }
        return -1;
    }

    /** Whether the first window of the file holds zeros only. */
    boolean startsEmpty() throws IOException {
        cover(0, (int) Math.min(Frame.ENTRY_HEAD_BYTES, end));
        for (int i = 0; i < window.limit(); i++) {
            if (window.get(i) != 0) {
                return false;
            }
        }
        return true;
    }

    private void cover(long offset, int bytes) throws IOException {
        if (offset >= windowStart && offset + bytes <= windowStart + window.limit()) {
            return;
        }
        if (bytes > window.capacity()) {
            window = ByteBuffer.allocate(bytes);
        }
        window.clear().limit((int) Math.min(window.capacity(), end - offset));
        windowStart = offset;
        int count = source.read(window, offset);
        window.clear().limit(Math.max(count, 0));
        if (count < bytes) {
            window.limit(window.capacity());
            java.util.Arrays.fill(window.array(), Math.max(count, 0), window.capacity(), (byte) 0);
        }
    }
}
