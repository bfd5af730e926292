package io.millrace.broker.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import org.jspecify.annotations.Nullable;

/**
 * What leaves by a connection, in the order in which it was written, flushed once for everything that one turn of the
 * event loop writes. Small frames share a buffer: the network library's cost for each buffer is several times that of
 * the bytes of a receipt. Owned by the event loop.
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

    /** The shared buffer, to write a frame of at most so many bytes to its end at once; nothing else may be done to it. */
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

    /** Closes the connection after all of it has left. */
    void flushAndClose() {
        passOnShared();
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    /** Gives up what was not passed on, at the end of the connection. */
    void close() {
        ByteBuf unfinished = shared;
        shared = null;
        if (unfinished != null) {
            unfinished.release();
        }
    }

    private ByteBuf newShared(int leastBytes) {
        passOnShared();
        ByteBuf next = channel.alloc().buffer(Math.max(leastBytes, sharedBytes));
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
