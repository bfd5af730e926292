package io.millrace.broker.protocol;

/**
 * The bytes of messages, of all connections together, that have no receipt yet. Those of topics with a rate are counted
 * apart: they may wait as long as the rate says, and the others keep their room.
 */
record PublishMemory(PublishShare unthrottled, PublishShare throttled) {
    private static final int THROTTLED_PARTS = 4;

    /** Messages of topics with a rate have a quarter as much room as the others, beside it. */
    PublishMemory(long maxBytes) {
        this(
                new PublishShare(maxBytes, ReadGate.Reason.PUBLISH_MEMORY),
                new PublishShare(maxBytes / THROTTLED_PARTS, ReadGate.Reason.THROTTLED_MEMORY));
    }

    long pendingBytes() {
        return unthrottled.pendingBytes() + throttled.pendingBytes();
    }
}
