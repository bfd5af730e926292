package io.millrace.broker.protocol;

/**
 * What one connection may ask for at a time.
 *
 * @param maxMessageBytes largest message, told to clients; a frame may be 10 KiB larger for its headers
 * @param maxUnansweredCommands requests in flight above which the connection is not read until half are answered
 * @param maxPendingPublishes the same for messages without a receipt
 * @param maxPendingPublishBytes the same for the bytes of those messages
 * @param maxHandles producers and consumers that may be open, each counted for itself
 */
public record SessionLimits(
        int maxMessageBytes,
        int maxUnansweredCommands,
        int maxPendingPublishes,
        long maxPendingPublishBytes,
        int maxHandles) {
    /** The limits of a broker that sets none. */
    public static final SessionLimits DEFAULTS = new SessionLimits(5 << 20, 10_000, 1_000, 16L << 20, 10_000);

    private static final int FRAME_PADDING_BYTES = 10 << 10;

    public SessionLimits {
        require("maxMessageBytes", maxMessageBytes);
        require("maxUnansweredCommands", maxUnansweredCommands);
        require("maxPendingPublishes", maxPendingPublishes);
        require("maxPendingPublishBytes", maxPendingPublishBytes);
        require("maxHandles", maxHandles);
        if (maxMessageBytes > Integer.MAX_VALUE - FRAME_PADDING_BYTES - Integer.BYTES) {
            throw new IllegalArgumentException("maxMessageBytes is too large for a frame: " + maxMessageBytes);
        }
    }

    /** The largest value that a frame's size field may have, in bytes. */
    public int maxFrameBytes() {
        return maxMessageBytes + FRAME_PADDING_BYTES;
    }

    /** The same with another limit on requests in flight. */
    public SessionLimits withMaxUnansweredCommands(int limit) {
        return new SessionLimits(maxMessageBytes, limit, maxPendingPublishes, maxPendingPublishBytes, maxHandles);
    }

    /** The same with another limit on a message, in bytes. */
    public SessionLimits withMaxMessageBytes(int limit) {
        return new SessionLimits(limit, maxUnansweredCommands, maxPendingPublishes, maxPendingPublishBytes, maxHandles);
    }

    /** The same with other limits on messages without a receipt. */
    public SessionLimits withMaxPendingPublishes(int count, long bytes) {
        return new SessionLimits(maxMessageBytes, maxUnansweredCommands, count, bytes, maxHandles);
    }

    private static void require(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be at least 1, not " + value);
        }
    }
}
