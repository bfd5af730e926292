package io.millrace.broker.protocol;

/**
 * Counts a connection's unanswered requests, and closes its read gate above a limit until half of them are answered.
 * Owned by the connection's event loop.
 */
final class InFlight {
    private final ReadGate gate;
    private final SessionLimits limits;
    private final Runnable onIdle;
    private long requests;
    private long publishes;
    private long publishBytes;

    /** {@code onIdle} runs each time the last answer is counted, and may close the connection. */
    InFlight(ReadGate gate, SessionLimits limits, Runnable onIdle) {
        this.gate = gate;
        this.limits = limits;
        this.onIdle = onIdle;
    }

    void requested(int count) {
        requests += count;
        if (requests > limits.maxUnansweredCommands()) {
            gate.shut(ReadGate.Reason.UNANSWERED);
        }
    }

    /** Counts answers that were written: the last one that is due may end the connection. */
    void answered(int count) {
        if (count > requests) {
            throw new IllegalStateException(count + " answers to " + requests + " requests");
        }
        requests -= count;
        if (requests <= limits.maxUnansweredCommands() / 2) {
            gate.open(ReadGate.Reason.UNANSWERED);
        }
        signalIdle();
    }

    void published(int bytes) {
        publishes++;
        publishBytes += bytes;
        if (publishes >= limits.maxPendingPublishes() || publishBytes >= limits.maxPendingPublishBytes()) {
            gate.shut(ReadGate.Reason.PUBLISHES);
        }
    }

    void settled(int count, long bytes) {
        if (count > publishes || bytes > publishBytes) {
            throw new IllegalStateException(count + " receipts of " + bytes + " bytes to " + publishes
                    + " publishes of " + publishBytes + " bytes");
        }
        publishes -= count;
        publishBytes -= bytes;
        if (publishes <= limits.maxPendingPublishes() / 2 && publishBytes <= limits.maxPendingPublishBytes() / 2) {
            gate.open(ReadGate.Reason.PUBLISHES);
        }
        signalIdle();
    }

    boolean isIdle() {
        return requests == 0 && publishes == 0;
    }

    private void signalIdle() {
        if (isIdle()) {
            onIdle.run();
        }
    }
}
