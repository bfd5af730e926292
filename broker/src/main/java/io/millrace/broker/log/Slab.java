package io.millrace.broker.log;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A piece of the tail cache: frames are encoded into it once, the journal and the ledgers are written from it, and
 * readers hold slices of it. Filled by the journal writer; the ledger writer owns {@code runs} and releases the cache's
 * reference; the last reader frees it.
 */
final class Slab {
    final ByteBuf bytes;
    final int capacity;
    final List<CacheRun> runs = new ArrayList<>();
    private final ByteBuffer filling;
    private final ByteBuffer reading;

    Slab(int capacity) {
        this.capacity = capacity;
        this.bytes = PooledByteBufAllocator.DEFAULT.directBuffer(capacity, capacity);
        this.filling = bytes.nioBuffer(0, capacity);
        this.reading = bytes.nioBuffer(0, capacity);
    }

    /** The buffer to encode into, positioned behind what is filled; for the journal writer. */
    ByteBuffer filling() {
        return filling;
    }

    int room() {
        return filling.remaining();
    }

    /** The filled bytes, for any thread: absolute gets only, because its limits must not move. */
    ByteBuffer reading() {
        return reading;
    }

    /** A view of a filled part, for one thread. */
    ByteBuffer view(int start, int end) {
        return reading.duplicate().clear().position(start).limit(end);
    }
}
