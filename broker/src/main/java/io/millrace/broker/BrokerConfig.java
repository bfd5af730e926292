package io.millrace.broker;

import io.millrace.broker.http.HttpSettings;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.namespace.NamespaceSettings;
import io.millrace.broker.protocol.AdvertisedListeners;
import io.millrace.broker.protocol.ServerAddress;
import io.millrace.broker.protocol.ServerSettings;
import io.millrace.broker.protocol.SessionLimits;
import io.millrace.broker.setting.Setting;
import io.millrace.broker.setting.SettingValues;
import io.millrace.broker.topic.TopicLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a broker is set up. Immutable; each setting is described once, where it is used, and {@link #settings} lists them. A
 * value that makes no sense is an IllegalArgumentException that names key, value and what is expected.
 *
 * @param server where it listens, what each connection may ask for
 * @param http whether and where the admin API is served
 * @param topics what each topic and each subscription may hold
 * @param namespaces what is made when clients ask for it
 * @param log where the data lies, how much disk and memory it may take
 */
public record BrokerConfig(
        ServerSettings server, HttpSettings http, TopicLimits topics, NamespaceSettings namespaces, LogConfig log) {
    /** The port that Pulsar clients expect. */
    public static final int DEFAULT_PORT = ServerAddress.DEFAULT_PORT;

    /** The port on which Pulsar's tools expect the admin API. */
    public static final int DEFAULT_HTTP_PORT = HttpSettings.DEFAULT_PORT;

    public BrokerConfig {
        log.requireRoomFor(server.limits().maxMessageBytes(), SessionLimits.MAX_MESSAGE_BYTES.key());
    }

    /** A broker on loopback, port 6650, without HTTP, with all limits at their defaults. */
    public static BrokerConfig defaults(Path data) {
        return of(SettingValues.none()).withDataFolder(data);
    }

    /**
     * A broker with these settings, by key as a configuration file has them; those that are not given have their defaults.
     *
     * @throws IllegalArgumentException naming key and expected values, for an unknown key or a bad value
     */
    public static BrokerConfig of(Map<String, String> settings) {
        SettingValues values = SettingValues.of(settings);
        BrokerConfig config = of(values);
        values.refuseUnknownKeys();
        return config;
    }

    /**
     * Reads a properties file; keys it does not set have their defaults, the data folder is {@code data}.
     *
     * @throws IOException if the file cannot be read
     * @throws IllegalArgumentException naming file, key and expected values, for an unknown key or a bad value
     */
    public static BrokerConfig load(Path file) throws IOException {
        return load(file, Map.of());
    }

    /** The same with values, by key as in the file, that win over the file's. */
    public static BrokerConfig load(Path file, Map<String, String> values) throws IOException {
        return ConfigFile.read(file, values);
    }

    /** Every setting that a file may have, in the order of the example, {@code conf/millrace.properties}. */
    public static List<Setting> settings() {
        SettingValues values = SettingValues.none();
        BrokerConfig unused = of(values);
        return values.asked();
    }

    static BrokerConfig of(SettingValues values) {
        ServerSettings server = ServerSettings.of(values);
        return new BrokerConfig(
                server,
                HttpSettings.of(values),
                TopicLimits.of(values),
                NamespaceSettings.of(values),
                LogConfig.of(values, server.limits().maxMessageBytes()));
    }

    /** The {@code host:port} that clients are told to connect to, of a broker that listens on this port. */
    public String reachableAddress(int listeningPort) {
        return server.address().reachable(listeningPort);
    }

    public BrokerConfig withBindAddress(String address) {
        return withServer(server.withAddress(server.address().withBindAddress(address)));
    }

    public BrokerConfig withPort(int port) {
        return withServer(server.withAddress(server.address().withPort(port)));
    }

    public BrokerConfig withAdvertisedAddress(@Nullable String address) {
        return withServer(server.withAdvertisedAddress(address));
    }

    /**
     * The same with addresses for clients that name one of them, as a configuration file has them:
     * {@code name:pulsar://host:port} with commas between them.
     */
    public BrokerConfig withAdvertisedListeners(String listeners) {
        return withServer(server.withAddress(server.address().withListeners(AdvertisedListeners.parse(listeners))));
    }

    /**
     * The same with the advertised listener of that name before the others, as what clients are told that name none; no change
     * where there are none.
     *
     * @throws IllegalArgumentException naming those there are, if it is none of them
     */
    public BrokerConfig withFirstListener(String name) {
        ServerAddress address = server.address();
        return withServer(
                server.withAddress(address.withListeners(address.listeners().withFirst(name))));
    }

    public BrokerConfig withDataFolder(Path folder) {
        return withLog(log.withData(folder));
    }

    public BrokerConfig withKeepAlive(Duration interval) {
        return withServer(server.withKeepAlive(interval));
    }

    public BrokerConfig withServer(ServerSettings settings) {
        return new BrokerConfig(settings, http, topics, namespaces, log);
    }

    /** The same with the admin API over HTTP on that port; 0 for any that is free. */
    public BrokerConfig withHttpPort(int port) {
        return withHttp(http.withPort(port));
    }

    /** The same with a port as a configuration file has it: a number, or {@code off}. */
    public BrokerConfig withHttpPort(String port) {
        return withHttpPort(HttpSettings.parsePort(port));
    }

    /**
     * The same with the admin API where nobody has chosen: on port 8080, or, beside a port 0 for clients, on any that is
     * free, as there may be more brokers.
     */
    public BrokerConfig withHttpUnlessChosen() {
        boolean isAnyPort = server.address().port() == 0;
        return http.port() == null ? withHttpPort(isAnyPort ? 0 : DEFAULT_HTTP_PORT) : this;
    }

    public BrokerConfig withHttp(HttpSettings settings) {
        return new BrokerConfig(server, settings, topics, namespaces, log);
    }

    public BrokerConfig withTopics(TopicLimits limits) {
        return new BrokerConfig(server, http, limits, namespaces, log);
    }

    public BrokerConfig withNamespaces(NamespaceSettings settings) {
        return new BrokerConfig(server, http, topics, settings, log);
    }

    public BrokerConfig withLog(LogConfig config) {
        return new BrokerConfig(server, http, topics, namespaces, config);
    }
}
