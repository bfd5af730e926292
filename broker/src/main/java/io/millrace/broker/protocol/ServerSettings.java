package io.millrace.broker.protocol;

import io.millrace.broker.memory.DirectMemory;
import io.millrace.broker.setting.MachineSetting;
import io.millrace.broker.setting.NumberSetting;
import io.millrace.broker.setting.SettingValues;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where the server listens and what it allows clients. A value out of range is an IllegalArgumentException that names key,
 * value and range.
 *
 * @param keepAlive silence after which a connection is probed; it is closed before twice that has passed
 * @param limits what each connection may ask for
 * @param maxPendingPublishBytes messages without a receipt, of all connections, above which those that publish are not
 *     read until half of it is free
 */
public record ServerSettings(
        ServerAddress address, Duration keepAlive, SessionLimits limits, long maxPendingPublishBytes) {
    private static final NumberSetting KEEP_ALIVE_SECONDS = new NumberSetting(
            "keep-alive-seconds",
            30,
            1,
            3_600,
            "A connection that was silent this long is sent a PING; silent as long again, it is closed.");

    private static final MachineSetting MAX_PENDING_PUBLISH_BYTES = new MachineSetting(
            "max-pending-publish-bytes",
            64 << 20,
            1 << 10,
            1L << 40,
            "Bytes of the publishes of all connections that may wait for their receipts; beyond that no connection that"
                    + " publishes is read until half of them have one. Those of topics with a publish rate have a quarter as"
                    + " much beside it. Left out, it is 64 MiB, or a quarter of direct memory (-XX:MaxDirectMemorySize)"
                    + " where that is less.");

    private static final int DIRECT_MEMORY_PARTS = 4;
    private static final long MIN_DEFAULT_BYTES = 1 << 20;

    public ServerSettings {
        if (keepAlive.toMillis() < 1 || keepAlive.toSeconds() > KEEP_ALIVE_SECONDS.max()) {
            throw KEEP_ALIVE_SECONDS.refusal(keepAlive.toString());
        }
        MAX_PENDING_PUBLISH_BYTES.require(maxPendingPublishBytes);
    }

    /** What a configuration file sets. */
    public static ServerSettings of(SettingValues values) {
        return new ServerSettings(
                ServerAddress.of(values),
                Duration.ofSeconds(values.number(KEEP_ALIVE_SECONDS)),
                SessionLimits.of(values),
                values.number(
                        MAX_PENDING_PUBLISH_BYTES,
                        DirectMemory.part(
                                DIRECT_MEMORY_PARTS,
                                MIN_DEFAULT_BYTES,
                                MAX_PENDING_PUBLISH_BYTES.number().defaultValue())));
    }

    /** Loopback, any free port, all limits at their defaults. */
    public static ServerSettings loopback() {
        ServerSettings defaults = of(SettingValues.none());
        return defaults.withAddress(defaults.address.withPort(0));
    }

    /** The same at another address. */
    public ServerSettings withAddress(ServerAddress newAddress) {
        return new ServerSettings(newAddress, keepAlive, limits, maxPendingPublishBytes);
    }

    /** The same with other limits per connection. */
    public ServerSettings withLimits(SessionLimits newLimits) {
        return new ServerSettings(address, keepAlive, newLimits, maxPendingPublishBytes);
    }

    /** The same with another interval for probing silent connections. */
    public ServerSettings withKeepAlive(Duration interval) {
        return new ServerSettings(address, interval, limits, maxPendingPublishBytes);
    }

    /** The same with another address for lookups to answer. */
    public ServerSettings withAdvertisedAddress(@Nullable String advertised) {
        return withAddress(address.withAdvertisedAddress(advertised));
    }

    /** The same with another limit on the messages without a receipt of all connections, in bytes. */
    public ServerSettings withMaxPendingPublishBytes(long bytes) {
        return new ServerSettings(address, keepAlive, limits, bytes);
    }
}
