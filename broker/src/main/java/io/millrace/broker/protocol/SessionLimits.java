package io.millrace.broker.protocol;

import io.millrace.broker.setting.NumberSetting;
import io.millrace.broker.setting.SettingValues;

/**
 * What one connection may ask for at a time. A value out of range is an IllegalArgumentException that names key, value and
 * range.
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
    public static final NumberSetting MAX_MESSAGE_BYTES = new NumberSetting(
            "max-message-bytes",
            5 << 20,
            1 << 10,
            256 << 20,
            "Largest message; a batch counts as one. A larger frame closes its connection.");

    private static final NumberSetting MAX_UNANSWERED_COMMANDS = new NumberSetting(
            "max-unanswered-commands",
            10_000,
            1,
            10_000_000,
            "Commands of one connection that may wait for their answer; beyond that the connection is not read until half"
                    + " of them are answered. Acknowledgements, permits and redeliveries that get no answer count, too, once some"
                    + " 1000 of them wait.");

    private static final NumberSetting MAX_PENDING_PUBLISHES = new NumberSetting(
            "max-pending-publishes-per-connection",
            1_000,
            1,
            1_000_000,
            "Publishes of one connection that may wait for their receipts; beyond that the connection is not read until"
                    + " half of them have one.");

    private static final NumberSetting MAX_PENDING_PUBLISH_BYTES = new NumberSetting(
            "max-pending-publish-bytes-per-connection",
            16 << 20,
            1 << 10,
            1L << 40,
            "Bytes of the publishes of one connection that may wait for their receipts, as above.");

    private static final NumberSetting MAX_HANDLES = new NumberSetting(
            "max-handles-per-connection",
            10_000,
            1,
            10_000_000,
            "Producers of one connection, and consumers; beyond that a new one is refused. So is one for which the heap"
                    + " has no room: all connections, producers, consumers, subscriptions and the entries that these hold"
                    + " have 45 % of it together, whatever is set here.");

    private static final int FRAME_PADDING_BYTES = 10 << 10;
    /** Of the command before a message, on its way to a consumer. */
    private static final int COMMAND_BYTES = 1 << 10;

    /** The limits of a broker whose file sets none. */
    public static final SessionLimits DEFAULTS = of(SettingValues.none());

    public SessionLimits {
        MAX_MESSAGE_BYTES.require(maxMessageBytes);
        MAX_UNANSWERED_COMMANDS.require(maxUnansweredCommands);
        MAX_PENDING_PUBLISHES.require(maxPendingPublishes);
        MAX_PENDING_PUBLISH_BYTES.require(maxPendingPublishBytes);
        MAX_HANDLES.require(maxHandles);
    }

    /** The limits that a configuration file sets. */
    public static SessionLimits of(SettingValues values) {
        return new SessionLimits(
                values.integer(MAX_MESSAGE_BYTES),
                values.integer(MAX_UNANSWERED_COMMANDS),
                values.integer(MAX_PENDING_PUBLISHES),
                values.number(MAX_PENDING_PUBLISH_BYTES),
                values.integer(MAX_HANDLES));
    }

    /** The largest value that a frame's size field may have, in bytes. */
    public int maxFrameBytes() {
        return maxMessageBytes + FRAME_PADDING_BYTES;
    }

    /** The largest message, with what is said of it, that fits a frame on its way to a consumer, in bytes. */
    public int maxEntryBytes() {
        return maxFrameBytes() - COMMAND_BYTES;
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
}
