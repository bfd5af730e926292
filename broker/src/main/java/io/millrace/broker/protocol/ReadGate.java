package io.millrace.broker.protocol;

import io.netty.channel.ChannelConfig;
import java.util.EnumSet;

/**
 * Decides whether a connection is read: not while there is any reason to wait. Owned by the connection's event loop.
 */
final class ReadGate {
    /** Why a connection is not read. */
    enum Reason {
        /** Too many requests without an answer. */
        UNANSWERED,
        /** Too many messages, or bytes of them, without a receipt. */
        PUBLISHES,
        /** All connections together have too many bytes of messages without a receipt. */
        PUBLISH_MEMORY,
        /** Its producers, or one of them, have enough waiting for the rates of their topics. */
        THROTTLED,
        /** All connections together have too many bytes of messages that wait for the rates of their topics. */
        THROTTLED_MEMORY,
        /** The client does not take its output. */
        OUTPUT,
        /** The connection is about to be closed. */
        CLOSING
    }

    private final ChannelConfig config;
    private final EnumSet<Reason> reasons = EnumSet.noneOf(Reason.class);

    ReadGate(ChannelConfig config) {
        this.config = config;
    }

    /** Stops reading; returns whether that reason is new. */
    boolean shut(Reason reason) {
        boolean isNew = reasons.add(reason);
        if (isNew) {
            config.setAutoRead(false);
        }
        return isNew;
    }

    void open(Reason reason) {
        if (reasons.remove(reason) && reasons.isEmpty()) {
            config.setAutoRead(true);
        }
    }

    boolean isShut() {
        return !reasons.isEmpty();
    }

    /** Whether it is the broker, not the client, that causes the wait. */
    boolean waitsForBroker() {
        return reasons.contains(Reason.UNANSWERED)
                || reasons.contains(Reason.PUBLISHES)
                || reasons.contains(Reason.THROTTLED)
                || reasons.contains(Reason.THROTTLED_MEMORY)
                || reasons.contains(Reason.PUBLISH_MEMORY);
    }
}
