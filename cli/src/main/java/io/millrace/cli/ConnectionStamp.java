package io.millrace.cli;

import org.apache.pulsar.client.api.Consumer;

/**
 * Tells one connection of a consumer from the next. A receipt counts only on the connection that its ack was sent on: the
 * client (4.2.4) drops the acks that wait when it connects again and completes their futures with a later group's receipt.
 */
final class ConnectionStamp {
    /** There is no connection. */
    static final long NONE = -1;

    private ConnectionStamp() {}

    static long of(Consumer<?> consumer) {
        long lastDisconnected = consumer.getLastDisconnectedTimestamp();
        return consumer.isConnected() ? lastDisconnected : NONE;
    }
}
