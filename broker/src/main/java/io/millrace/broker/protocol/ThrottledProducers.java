package io.millrace.broker.protocol;

/**
 * What the producers of a connection have waiting for the rates of their topics: the connection is not read while one of
 * them has enough, or all together, until half of that is answered. Owned by the connection's event loop.
 */
final class ThrottledProducers {
    private static final long MAX_BYTES = 1 << 20;
    private static final long LITTLE_BYTES = MAX_BYTES / 8;

    private final ReadGate gate;
    private int full;
    private long bytes;
    private boolean isCrowded;

    ThrottledProducers(ReadGate gate) {
        this.gate = gate;
    }

    /** One producer more has enough. */
    void isFull() {
        full++;
        decide();
    }

    /** One of those has room again. */
    void hasRoom() {
        full--;
        decide();
    }

    /** So many bytes more wait than before, or fewer. */
    void changed(long byBytes) {
        bytes += byBytes;
        isCrowded = bytes >= MAX_BYTES || (isCrowded && bytes > MAX_BYTES / 2);
        decide();
    }

    /** Whether what waits is nothing against what may. */
    boolean hasLittle() {
        return bytes < LITTLE_BYTES;
    }

    private void decide() {
        if (full > 0 || isCrowded) {
            gate.shut(ReadGate.Reason.THROTTLED);
        } else {
            gate.open(ReadGate.Reason.THROTTLED);
        }
    }
}
