package io.millrace.broker.protocol;

import io.netty.buffer.ByteBuf;

/** The memory behind a buffer's bytes: all of it stays in use as long as some of the bytes do. */
final class BackingMemory {
    private static final int SMALL_SHARE = 4;

    private BackingMemory() {}

    /** Whether a reference to these bytes keeps much more memory in use than they need, so that a copy is cheaper. */
    static boolean overpins(ByteBuf data) {
        ByteBuf backing = data;
        for (ByteBuf outer = backing.unwrap(); outer != null; outer = backing.unwrap()) {
            backing = outer;
        }
        return data.readableBytes() < backing.capacity() / SMALL_SHARE;
    }
}
