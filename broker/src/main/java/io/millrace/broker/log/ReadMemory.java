package io.millrace.broker.log;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes that catch-up reads hold, from the read until the last reader lets go. Beyond the bound every read still
 * gets one entry, so that consumers which hold on to theirs cannot stop anyone else's.
 *
 * <p><b>Threads</b>: any. <b>Shared</b>: {@code heldBytes}, atomic. <b>Proved by</b>: CatchUpTest.
 */
final class ReadMemory {
    private final long maxBytes;
    private final AtomicLong heldBytes = new AtomicLong();

    ReadMemory(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    boolean hasRoom(int bytes) {
        return heldBytes.get() + bytes <= maxBytes;
    }

    long heldBytes() {
        return heldBytes.get();
    }

    ByteBuf allocate(int bytes) {
        heldBytes.addAndGet(bytes);
        return new Counted(bytes);
    }

    private final class Counted extends UnpooledDirectByteBuf {
        Counted(int bytes) {
            super(UnpooledByteBufAllocator.DEFAULT, bytes, bytes);
        }

        @Override
        protected void freeDirect(ByteBuffer buffer) {
            heldBytes.addAndGet(-buffer.capacity());
            super.freeDirect(buffer);
        }
    }
}
