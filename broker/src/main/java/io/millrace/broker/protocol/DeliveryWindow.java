package io.millrace.broker.protocol;

import io.netty.channel.Channel;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits a connection's pending output: bytes that dispatchers passed to the event loop and that it has not written
 * yet, then the loop's own write buffer.
 *
 * <p><b>Threads</b>: dispatchers' islands call {@link #isWritable} and {@link #handed}; the event loop calls the rest.
 * <br><b>Shared</b>: {@code handedBytes} (both sides, volatile add; read by both). {@code waiting} (islands set it
 * before they look again, volatile; the loop clears it, volatile, after the bytes are gone): a store on each side
 * before the load of the other's variable, so either the island sees the room or the loop sees {@code waiting}.
 * <br><b>States</b>: waiting false -> true when an island found no room; true -> false by the loop, which then tells
 * every consumer.
 * <br><b>Proved by</b>: DeliveryWindowTest.
 */
final class DeliveryWindow {
    private final Channel channel;
    private final long limitBytes;
    private final AtomicLong handedBytes = new AtomicLong();
    private volatile boolean waiting;

    DeliveryWindow(Channel channel, long limitBytes) {
        this.channel = channel;
        this.limitBytes = limitBytes;
    }

    /** Whether more may be delivered; after a false the loop will tell when there is room. */
    boolean isWritable() {
        if (hasRoom()) {
            return true;
        }
        waiting = true;
        return hasRoom();
    }

    void handed(long bytes) {
        handedBytes.addAndGet(bytes);
    }

    void written(long bytes) {
        handedBytes.addAndGet(-bytes);
    }

    /** Whether there is room again and a dispatcher waits for it; true once for each wait. */
    boolean reopened() {
        if (waiting && hasRoom()) {
            waiting = false;
            return true;
        }
        return false;
    }

    private boolean hasRoom() {
        return handedBytes.get() < limitBytes && channel.isWritable();
    }
}
