package io.millrace.broker.protocol;

/**
 * What one producer has waiting for the rate of its topic. When that is much, the reading of its connection stops until half
 * of it is answered; until then the other producers of the connection notice nothing. Owned by the connection's event loop.
 */
final class ThrottledSends {
    private static final int MAX_SENDS = 100;
    private static final long MAX_BYTES = 256 << 10;

    private final ThrottledProducers all;
    private boolean isFull;
    private long bytes;

    ThrottledSends(ThrottledProducers all) {
        this.all = all;
    }

    void sent(PendingSends pending) {
        count(pending.bytes());
        if (!isFull && (pending.count() >= MAX_SENDS || bytes >= MAX_BYTES)) {
            isFull = true;
            all.isFull();
        }
    }

    void answered(PendingSends pending) {
        count(pending.bytes());
        if (pending.count() <= MAX_SENDS / 2 && bytes <= MAX_BYTES / 2) {
            hasRoom();
        }
    }

    /** The producer no longer stops it. */
    void end() {
        count(0);
        hasRoom();
    }

    private void count(long pendingBytes) {
        all.changed(pendingBytes - bytes);
        bytes = pendingBytes;
    }

    private void hasRoom() {
        if (isFull) {
            isFull = false;
            all.hasRoom();
        }
    }
}
