package io.millrace.broker.protocol;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.setting.NumberSetting;
import io.millrace.broker.setting.SettingValues;
import io.millrace.broker.setting.TextSetting;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where the server listens, and where clients are told that it does.
 *
 * @param port TCP port; 0 for any that is free
 * @param advertisedAddress host, or host:port, that lookups answer; null for the bind address, or, bound to every
 *     address, the one that the client itself reached
 * @param listeners addresses that lookups answer to clients that name one of them
 */
public record ServerAddress(
        String bindAddress, int port, @Nullable String advertisedAddress, AdvertisedListeners listeners) {
    /** The port that Pulsar clients expect. */
    public static final int DEFAULT_PORT = 6_650;

    private static final TextSetting BIND_ADDRESS = new TextSetting(
            "bind-address",
            "127.0.0.1",
            "a host name or an IP address",
            "Where the broker listens. 127.0.0.1 keeps it to this machine; 0.0.0.0 opens it to the network.");

    private static final NumberSetting PORT =
            new NumberSetting("port", DEFAULT_PORT, 0, 65_535, "TCP port; 0 takes any free one and prints it.");

    private static final TextSetting ADVERTISED_ADDRESS = new TextSetting(
            "advertised-address",
            "",
            "a host name or an IP address, with or without a port, or nothing",
            "What lookups tell clients to connect to; empty: each stays with the address by which it came, as behind a"
                    + " forwarded port. What is set has to mean the broker for every client.");

    /** The name by which Pulsar's brokers call the address that is told to those who name none. */
    private static final String DEFAULT_LISTENER = "internal";

    private static final Set<String> EVERY_ADDRESS = Set.of("0.0.0.0", "::", "0:0:0:0:0:0:0:0");

    public ServerAddress {
        requireWord(BIND_ADDRESS, bindAddress);
        PORT.require(port);
        if (advertisedAddress != null) {
            requireAddress(advertisedAddress);
        }
    }

    /** The address that a configuration file sets. */
    static ServerAddress of(SettingValues values) {
        String bindAddress = values.text(BIND_ADDRESS);
        int port = values.integer(PORT);
        String advertised = values.text(ADVERTISED_ADDRESS);
        return new ServerAddress(
                bindAddress, port, advertised.isEmpty() ? null : advertised, AdvertisedListeners.of(values));
    }

    private static void requireAddress(String value) {
        if (!ServiceAddress.isAddress(value)) {
            throw ADVERTISED_ADDRESS.refusal(value);
        }
    }

    private static void requireWord(TextSetting setting, String value) {
        boolean isWord = !value.isEmpty();
        for (int i = 0; i < value.length(); i++) {
            isWord &= !Character.isWhitespace(value.charAt(i));
        }
        if (!isWord) {
            throw setting.refusal(value);
        }
    }

    /**
     * What clients are told that name this listener, or none if it is empty; null if nobody chose an address.
     *
     * @throws BrokerException naming those there are, if it is none of them
     */
    public @Nullable String advertised(String listener) {
        String named = listeners.address(listener);
        if (named != null) {
            return named;
        }
        if (listener.isEmpty() || listener.equals(DEFAULT_LISTENER)) {
            return advertisedAddress == null ? listeners.first() : advertisedAddress;
        }
        throw new BrokerException(
                ErrorKind.NOT_ALLOWED,
                "this broker has no advertised listener '" + listener + "', only " + DEFAULT_LISTENER
                        + (listeners.names().isEmpty() ? "" : " and " + String.join(", ", listeners.names()))
                        + ": name one of them, or add it to advertised-listeners");
    }

    /** By what this broker is called, besides the addresses it listens on: the host that it is bound to may be a name. */
    public Set<String> names() {
        Set<String> names = new HashSet<>(listeners.addresses());
        names.add(bindAddress);
        if (advertisedAddress != null) {
            names.add(advertisedAddress);
        }
        return names;
    }

    /** The {@code host:port} that clients are told to connect to, of a server that listens on this port. */
    public String reachable(int listeningPort) {
        if (advertisedAddress != null) {
            return ServiceAddress.hostAndPort(advertisedAddress, listeningPort);
        }
        return ServiceAddress.hostAndPort(
                EVERY_ADDRESS.contains(bindAddress) ? "localhost" : bindAddress, listeningPort);
    }

    /** The host, without a port, that clients are told to connect to. */
    public String reachableHost() {
        String address = reachable(port);
        return address.substring(0, address.lastIndexOf(':'));
    }

    public ServerAddress withBindAddress(String address) {
        return new ServerAddress(address, port, advertisedAddress, listeners);
    }

    public ServerAddress withPort(int newPort) {
        return new ServerAddress(bindAddress, newPort, advertisedAddress, listeners);
    }

    public ServerAddress withAdvertisedAddress(@Nullable String address) {
        return new ServerAddress(bindAddress, port, address, listeners);
    }

    public ServerAddress withListeners(AdvertisedListeners newListeners) {
        return new ServerAddress(bindAddress, port, advertisedAddress, newListeners);
    }
}
