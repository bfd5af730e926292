package io.millrace.broker.protocol;

import io.netty.buffer.ByteBuf;

/** The memory that stays in use as long as some bytes in it do. */
final class Holder {
    private static final int SMALL_SHARE = 4;

    private Holder() {}

    /** Whether keeping these bytes keeps much more memory than they need, so that a copy is cheaper. */
    static boolean isMuchLargerThan(ByteBuf data) {
        ByteBuf holder = data;
        for (ByteBuf outer = holder.unwrap(); outer != null; outer = holder.unwrap()) {
            holder = outer;
        }
        return data.readableBytes() < holder.capacity() / SMALL_SHARE;
    }
}
