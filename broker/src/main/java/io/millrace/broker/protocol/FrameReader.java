package io.millrace.broker.protocol;

import io.millrace.broker.dispatch.BrokerException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a connection's bytes into frames.
 *
 * <pre>
 *  +----------------+---------------------------+
 *  | frame bytes: 4 | frame: that many bytes    |
 *  +----------------+---------------------------+
 * </pre>
 *
 * A frame that is complete in one read is passed on in place. Only one that spans several reads is gathered in its own
 * buffer, which grows as bytes arrive: a size that is announced and never sent costs nothing. Single-threaded.
 */
final class FrameReader {
    private static final int SIZE_BYTES = Integer.BYTES;
    private static final int FIRST_CAPACITY_BYTES = 256;

    private final ByteBufAllocator allocator;
    private final int maxFrameBytes;
    private final FrameMemory memory;
    private @Nullable ByteBuf partial;
    private long countedBytes;

    /** Takes one frame, without its size field; the buffer is lent for the call. False ends reading. */
    interface FrameSink {
        boolean accept(ByteBuf frame) throws MalformedFrameException;
    }

    FrameReader(ByteBufAllocator allocator, int maxFrameBytes, FrameMemory memory) {
        this.allocator = allocator;
        this.maxFrameBytes = maxFrameBytes;
        this.memory = memory;
    }

    /**
     * Passes on every frame that {@code in} completes, and releases {@code in}.
     *
     * @throws BrokerException if there is no memory for what is gathered of an unfinished frame
     */
    void read(ByteBuf in, FrameSink sink) throws MalformedFrameException {
        try {
            if (partial == null || completePartial(partial, in, sink)) {
                readWhole(in, sink);
            }
        } finally {
            in.release();
        }
    }

    /** Releases the gathered bytes of an unfinished frame. */
    void close() {
        ByteBuf unfinished = partial;
        partial = null;
        if (unfinished != null) {
            giveUp(unfinished);
        }
    }

    private void readWhole(ByteBuf in, FrameSink sink) throws MalformedFrameException {
        boolean reading = true;
        while (reading && in.isReadable()) {
            int readable = in.readableBytes();
            if (readable < SIZE_BYTES || readable - SIZE_BYTES < frameBytes(in)) {
                partial = allocator.buffer(Math.max(FIRST_CAPACITY_BYTES, readable));
                partial.writeBytes(in);
                count(partial);
                return;
            }
            int frameBytes = in.readInt();
            reading = sink.accept(in.readSlice(frameBytes));
        }
    }

    /** Whether the partial frame is done with and reading goes on. */
    private boolean completePartial(ByteBuf gathered, ByteBuf in, FrameSink sink) throws MalformedFrameException {
        move(in, gathered, SIZE_BYTES - gathered.readableBytes());
        if (gathered.readableBytes() < SIZE_BYTES) {
            return false;
        }
        int wholeBytes = SIZE_BYTES + frameBytes(gathered);
        move(in, gathered, wholeBytes - gathered.readableBytes());
        if (gathered.readableBytes() < wholeBytes) {
            count(gathered);
            return false;
        }
        partial = null;
        try {
            gathered.skipBytes(SIZE_BYTES);
            return sink.accept(gathered);
        } finally {
            giveUp(gathered);
        }
    }

    private void count(ByteBuf gathered) {
        countedBytes = memory.grown(countedBytes, gathered.capacity());
    }

    private void giveUp(ByteBuf gathered) {
        gathered.release();
        memory.giveBack(countedBytes);
        countedBytes = 0;
    }

    private static void move(ByteBuf from, ByteBuf to, int missingBytes) {
        if (missingBytes > 0) {
            to.writeBytes(from, Math.min(missingBytes, from.readableBytes()));
        }
    }

    private int frameBytes(ByteBuf buffer) throws MalformedFrameException {
        int frameBytes = buffer.getInt(buffer.readerIndex());
        if (frameBytes < 0 || frameBytes > maxFrameBytes) {
            throw new MalformedFrameException("a frame of " + Integer.toUnsignedString(frameBytes)
                    + " bytes is over the limit of " + maxFrameBytes);
        }
        return frameBytes;
    }
}
