package io.millrace.broker.protocol;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Limits a connection's pending output: bytes that dispatchers passed to the event loop and that it has not written
 * yet, then the loop's own write buffer. To a source in the process, its island is what the loop is to a connection.
 *
 * <p><b>Threads</b>: dispatchers' islands call {@link #isWritable} and {@link #handed}; the event loop calls the rest.
 * <br><b>Shared</b>: {@code handedBytes} (both sides, volatile add; read by both). {@code waiting} (islands set it
 * before they look again, volatile; the loop clears it, volatile, after the bytes are gone): a store on each side
 * before the load of the other's variable, so either the island sees the room or the loop sees {@code waiting}.
 * <br><b>States</b>: waiting false -> true when an island found no room; true -> false by the loop, which then tells
 * every consumer.
 * <br><b>Proved by</b>: DeliveryWindowTest.
 */
public final class DeliveryWindow {
    private final long limitBytes;
    private final BooleanSupplier takesMore;
    private final AtomicLong handedBytes = new AtomicLong();
    private volatile boolean waiting;

    /**
     * @param limitBytes with so many handed over and not written there is no room
     * @param takesMore whether who writes them takes any at all now; any thread may ask
     */
    public DeliveryWindow(long limitBytes, BooleanSupplier takesMore) {
        this.limitBytes = limitBytes;
        this.takesMore = takesMore;
    }

    /** Whether more may be delivered; after a false the loop will tell when there is room. */
    public boolean isWritable() {
        if (hasRoom()) {
            return true;
        }
        waiting = true;
        return hasRoom();
    }

    /** So many bytes were passed to the loop. */
    public void handed(long bytes) {
        handedBytes.addAndGet(bytes);
    }

    /** The loop is rid of so many bytes. */
    public void written(long bytes) {
        handedBytes.addAndGet(-bytes);
    }

    /** Whether there is room again and a dispatcher waits for it; true once for each wait. */
    public boolean reopened() {
        if (waiting && hasRoom()) {
            waiting = false;
            return true;
        }
        return false;
    }

    private boolean hasRoom() {
        return handedBytes.get() < limitBytes && takesMore.getAsBoolean();
    }
}
