package io.millrace.broker.protocol;

/**
 * Counts the producers of a connection that have enough waiting for the rates of their topics; the connection is not read
 * while there is one. Owned by the connection's event loop.
 */
final class ThrottledProducers {
    private final ReadGate gate;
    private int full;

    ThrottledProducers(ReadGate gate) {
        this.gate = gate;
    }

    void isFull() {
        full++;
        gate.shut(ReadGate.Reason.THROTTLED);
    }

    void hasRoom() {
        full--;
        if (full == 0) {
            gate.open(ReadGate.Reason.THROTTLED);
        }
    }
}
