package io.millrace.broker;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How a broker is set up: where it listens, where its data lies, what it allows. Immutable; see
 * {@code conf/millrace.properties} for each key. A value that makes no sense is an IllegalArgumentException that names
 * key, value and what is expected.
 *
 * @param port TCP port, 0 for any free one
 * @param advertisedAddress host, or host:port, that clients are told to connect to; null for the bind address
 * @param keepAlive how long a connection may be silent before it is probed; closed after twice that
 */
public record BrokerConfig(
        String bindAddress,
        int port,
        @Nullable String advertisedAddress,
        Path dataFolder,
        Duration keepAlive,
        BrokerLimits limits,
        StorageLimits storage) {

    /** The port that Pulsar clients expect. */
    public static final int DEFAULT_PORT = 6650;

    private static final long FRAME_ROOM_BYTES = 64 * 1024;
    private static final Pattern HOST_WITH_PORT = Pattern.compile("(\\[[^]]*]|[^:]+):\\d{1,5}");
    private static final Set<String> EVERY_ADDRESS = Set.of("0.0.0.0", "::", "0:0:0:0:0:0:0:0");

    public BrokerConfig {
        Objects.requireNonNull(dataFolder, "dataFolder");
        requireText("bind-address", bindAddress);
        if (advertisedAddress != null) {
            requireText("advertised-address", advertisedAddress);
        }
        ConfigRange.require("port", port, 0, 65_535);
        ConfigRange.require("keep-alive-seconds", keepAlive.toSeconds(), 1, 3_600);
        requireRoomForEveryMessage(limits.maxMessageBytes(), storage.journalFileBytes());
    }

    /** A message is written to one journal file as a whole, with its metadata and the frames around it. */
    private static void requireRoomForEveryMessage(long maxMessageBytes, long journalFileBytes) {
        if (journalFileBytes < maxMessageBytes + FRAME_ROOM_BYTES) {
            throw new IllegalArgumentException("journal-file-bytes is " + journalFileBytes
                    + ", but must be at least " + (maxMessageBytes + FRAME_ROOM_BYTES)
                    + ", as max-message-bytes is " + maxMessageBytes + ": raise the one or lower the other");
        }
    }

    /** A broker on loopback, port 6650, with all limits at their defaults. */
    public static BrokerConfig defaults(Path data) {
        return new BrokerConfig(
                "127.0.0.1",
                DEFAULT_PORT,
                null,
                data,
                Duration.ofSeconds(30),
                BrokerLimits.DEFAULTS,
                StorageLimits.DEFAULTS);
    }

    /**
     * Reads a properties file; keys it does not set have their defaults, the data folder is {@code data}.
     *
     * @throws IOException if the file cannot be read
     * @throws IllegalArgumentException naming file, key and expected values, for an unknown key or a bad value
     */
    public static BrokerConfig load(Path file) throws IOException {
        return ConfigFile.read(file).config();
    }

    /** The {@code host:port} that clients are told to connect to, of a broker that listens on this port. */
    public String reachableAddress(int listeningPort) {
        String host = advertisedAddress == null ? bindAddress : advertisedAddress;
        if (HOST_WITH_PORT.matcher(host).matches()) {
            return host;
        }
        if (advertisedAddress == null && EVERY_ADDRESS.contains(host)) {
            host = "localhost";
        }
        boolean bareIpv6 = host.indexOf(':') >= 0 && !host.startsWith("[");
        return (bareIpv6 ? '[' + host + ']' : host) + ':' + listeningPort;
    }

    public BrokerConfig withBindAddress(String address) {
        return new BrokerConfig(address, port, advertisedAddress, dataFolder, keepAlive, limits, storage);
    }

    public BrokerConfig withPort(int newPort) {
        return new BrokerConfig(bindAddress, newPort, advertisedAddress, dataFolder, keepAlive, limits, storage);
    }

    public BrokerConfig withAdvertisedAddress(@Nullable String address) {
        return new BrokerConfig(bindAddress, port, address, dataFolder, keepAlive, limits, storage);
    }

    public BrokerConfig withDataFolder(Path folder) {
        return new BrokerConfig(bindAddress, port, advertisedAddress, folder, keepAlive, limits, storage);
    }

    public BrokerConfig withKeepAlive(Duration interval) {
        return new BrokerConfig(bindAddress, port, advertisedAddress, dataFolder, interval, limits, storage);
    }

    public BrokerConfig withLimits(BrokerLimits newLimits) {
        return new BrokerConfig(bindAddress, port, advertisedAddress, dataFolder, keepAlive, newLimits, storage);
    }

    public BrokerConfig withStorage(StorageLimits newStorage) {
        return new BrokerConfig(bindAddress, port, advertisedAddress, dataFolder, keepAlive, limits, newStorage);
    }

    private static void requireText(String key, String value) {
        if (value.isBlank() || value.chars().anyMatch(Character::isWhitespace)) {
            throw new IllegalArgumentException(key + " is '" + value + "', but must be a host name or an IP address");
        }
    }
}
