package io.millrace.broker.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import org.jspecify.annotations.Nullable;

/**
 * The output of a connection, in the order in which it is written, flushed once for everything that one turn of the
 * event loop writes. Small frames share a buffer: a buffer costs the network library several times more than the bytes
 * of a receipt. Owned by the event loop.
 */
final class Output {
    private static final int MIN_SHARED_BYTES = 512;
    private static final int MAX_SHARED_BYTES = 64 << 10;

    private final Channel channel;
    private final Runnable flush;
    private boolean flushScheduled;
    private @Nullable ByteBuf shared;
    private int sharedBytes = MIN_SHARED_BYTES;
    private long turnBytes;

    Output(Channel channel) {
        this.channel = channel;
        flush = () -> {
            flushScheduled = false;
            flush();
        };
    }

    /**
     * The shared buffer, with room for this many bytes. The caller writes one frame to its end at once, and does
     * nothing else with it.
     */
    ByteBuf room(int bytes) {
        ByteBuf room = shared;
        return room == null || room.writableBytes() < bytes ? newShared(bytes) : room;
    }

    /** Writes bytes as they are, which the connection takes over. */
    void write(ByteBuf bytes) {
        passOnShared();
        passOn(bytes);
        flushSoon();
    }

    /** Closes the connection after all output was sent. */
    void flushAndClose() {
        passOnShared();
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    /** Releases what was not passed on, when the connection has ended. */
    void close() {
        ByteBuf unfinished = shared;
        shared = null;
        if (unfinished != null) {
            unfinished.release();
        }
    }

    private ByteBuf newShared(int minBytes) {
        passOnShared();
        ByteBuf next = channel.alloc().buffer(Math.max(minBytes, sharedBytes));
        shared = next;
        sharedBytes = Math.min(MAX_SHARED_BYTES, 2 * sharedBytes);
        flushSoon();
        return next;
    }

    private void flush() {
        passOnShared();
        sharedBytes = (int) Math.max(MIN_SHARED_BYTES, Math.min(MAX_SHARED_BYTES, turnBytes));
        turnBytes = 0;
        channel.flush();
    }

    private void passOnShared() {
        ByteBuf full = shared;
        if (full != null) {
            shared = null;
            passOn(full);
        }
    }

    private void passOn(ByteBuf bytes) {
        turnBytes += bytes.readableBytes();
        ChannelFuture unused = channel.write(bytes, channel.voidPromise());
    }

    private void flushSoon() {
        if (!flushScheduled) {
            flushScheduled = true;
            channel.eventLoop().execute(flush);
        }
    }
}
