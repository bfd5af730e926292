package io.millrace.streams.stage;

import java.time.Duration;
import java.util.Objects;

/**
 * How many messages may wait for a stage actor, and what becomes of one too many.
 *
 * @param messages at least 1
 * @param overflow what becomes of a message for which there is no room
 * @param timeout how long a sender waits for room, if it does
 */
public record MailboxLimit(int messages, Overflow overflow, Duration timeout) {
    /** What becomes of a message for which there is no room. */
    public enum Overflow {
        /** {@code tell} throws a {@link io.millrace.streams.failure.BufferOverflowException}. */
        FAIL,
        /** The message is dropped and counted. */
        DROP_NEWEST,
        /** The sender waits for room, and {@code tell} throws when the time is over; a stage never waits. */
        BLOCK
    }

    public MailboxLimit {
        if (messages < 1) {
            throw new IllegalArgumentException("a mailbox holds at least 1 message, not " + messages);
        }
        Objects.requireNonNull(overflow, "overflow");
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("a sender cannot wait for " + timeout);
        }
    }

    /** One message too many makes {@code tell} throw. */
    public static MailboxLimit failing(int messages) {
        return new MailboxLimit(messages, Overflow.FAIL, Duration.ZERO);
    }

    /** One message too many is dropped. */
    public static MailboxLimit droppingNewest(int messages) {
        return new MailboxLimit(messages, Overflow.DROP_NEWEST, Duration.ZERO);
    }

    /** The sender of one message too many waits for room as long as this, and then {@code tell} throws. */
    public static MailboxLimit blocking(int messages, Duration timeout) {
        return new MailboxLimit(messages, Overflow.BLOCK, timeout);
    }
}
