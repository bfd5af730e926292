package io.millrace.broker.protocol;

/**
 * Stops the reading of a connection when one producer has so much waiting for the rate of its topic, until half of that is
 * answered. Until then the other producers of the connection notice nothing; and what waits is little of the memory that all
 * connections share. Owned by the connection's event loop.
 */
final class ThrottledSends {
    private static final int MAX_SENDS = 100;
    private static final long MAX_BYTES = 256 << 10;

    private final ThrottledProducers all;
    private boolean isFull;

    ThrottledSends(ThrottledProducers all) {
        this.all = all;
    }

    void sent(PendingSends pending) {
        if (!isFull && (pending.count() >= MAX_SENDS || pending.bytes() >= MAX_BYTES)) {
            isFull = true;
            all.isFull();
        }
    }

    void answered(PendingSends pending) {
        if (isFull && pending.count() <= MAX_SENDS / 2 && pending.bytes() <= MAX_BYTES / 2) {
            end();
        }
    }

    /** The producer no longer stops it. */
    void end() {
        if (isFull) {
            isFull = false;
            all.hasRoom();
        }
    }
}
