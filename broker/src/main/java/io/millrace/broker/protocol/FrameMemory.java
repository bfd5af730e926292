package io.millrace.broker.protocol;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes of unfinished frames, of all connections together. Each connection may always have a little, and more while
 * there is room.
 *
 * <p><b>Threads</b>: the event loops. <b>Shared</b>: {@code heldBytes}, atomic: what is taken is added first and given
 * back at once if it was too much. <b>Proved by</b>: FrameReaderTest, FilledStateTest.
 */
final class FrameMemory {
    /** What an unfinished frame of a connection may always have; it is not counted. */
    static final int ALWAYS_BYTES = 64 << 10;

    private final long maxBytes;
    private final AtomicLong heldBytes = new AtomicLong();

    FrameMemory(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /**
     * A frame's buffer has grown.
     *
     * @return how many of its bytes are counted now
     * @throws BrokerException if all together hold too much; nothing more is counted for this one then
     */
    long grown(long countedBytes, int capacityBytes) {
        long counted = Math.max(countedBytes, capacityBytes - ALWAYS_BYTES);
        long more = counted - countedBytes;
        if (more > 0 && heldBytes.addAndGet(more) > maxBytes) {
            heldBytes.addAndGet(-more);
            throw new BrokerException(ErrorKind.TOO_MANY_REQUESTS, refusal());
        }
        return counted;
    }

    void giveBack(long countedBytes) {
        heldBytes.addAndGet(-countedBytes);
    }

    /** The bytes counted for all connections. */
    long heldBytes() {
        return heldBytes.get();
    }

    private String refusal() {
        return "the broker has no memory for more frames that come in pieces: connections hold " + heldBytes + " of "
                + maxBytes + " bytes for them, as many as they may. Send less at a"
                + " time, or start the broker with more (-XX:MaxDirectMemorySize, -Xmx, or more memory for its container)";
    }
}
