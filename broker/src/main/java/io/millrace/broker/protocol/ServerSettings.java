package io.millrace.broker.protocol;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where the server listens, what it tells clients, what it allows them.
 *
 * @param port TCP port; 0 for any that is free
 * @param advertisedAddress host, or host:port, that lookups answer; null for the bind address, or, bound to every
 *     address, the one that the client itself reached
 * @param keepAlive silence after which a connection is probed; it is closed before twice that has passed
 * @param maxPendingPublishBytes messages without a receipt, of all connections, above which those that publish are not
 *     read until half of it is free
 */
public record ServerSettings(
        String bindAddress,
        int port,
        @Nullable String advertisedAddress,
        Duration keepAlive,
        SessionLimits limits,
        long maxPendingPublishBytes) {
    private static final Duration DEFAULT_KEEP_ALIVE = Duration.ofSeconds(30);
    private static final long DEFAULT_PENDING_PUBLISH_BYTES = 64L << 20;

    public ServerSettings {
        if (port < 0 || port > 0xffff) {
            throw new IllegalArgumentException("port must be in 0..65535, not " + port);
        }
        if (keepAlive.toMillis() < 1) {
            throw new IllegalArgumentException("keep-alive must be at least 1 ms, not " + keepAlive);
        }
        if (maxPendingPublishBytes < 1) {
            throw new IllegalArgumentException(
                    "maxPendingPublishBytes must be at least 1, not " + maxPendingPublishBytes);
        }
    }

    /** Loopback, any free port, all limits at their defaults. */
    public static ServerSettings loopback() {
        return new ServerSettings(
                "127.0.0.1", 0, null, DEFAULT_KEEP_ALIVE, SessionLimits.DEFAULTS, DEFAULT_PENDING_PUBLISH_BYTES);
    }

    /** The same with other limits per connection. */
    public ServerSettings withLimits(SessionLimits newLimits) {
        return new ServerSettings(bindAddress, port, advertisedAddress, keepAlive, newLimits, maxPendingPublishBytes);
    }

    /** The same with another interval for probing silent connections. */
    public ServerSettings withKeepAlive(Duration interval) {
        return new ServerSettings(bindAddress, port, advertisedAddress, interval, limits, maxPendingPublishBytes);
    }

    /** The same with another address for lookups to answer. */
    public ServerSettings withAdvertisedAddress(@Nullable String address) {
        return new ServerSettings(bindAddress, port, address, keepAlive, limits, maxPendingPublishBytes);
    }

    /** The same with another limit on the messages without a receipt of all connections, in bytes. */
    public ServerSettings withMaxPendingPublishBytes(long bytes) {
        return new ServerSettings(bindAddress, port, advertisedAddress, keepAlive, limits, bytes);
    }
}
