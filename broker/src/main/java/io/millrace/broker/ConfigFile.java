package io.millrace.broker;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A configuration file in the properties format, each key the kebab-case name of a setting. */
final class ConfigFile {
    private final String name;
    private final Properties entries;
    private final Set<String> known = new HashSet<>();

    private ConfigFile(String name, Properties entries) {
        this.name = name;
        this.entries = entries;
    }

    static ConfigFile read(Path file) throws IOException {
        Properties entries = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            entries.load(reader);
        } catch (NoSuchFileException e) {
            throw new IOException("there is no configuration file " + file, e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
        }
        return new ConfigFile(file.toString(), entries);
    }

    BrokerConfig config() {
        try {
            BrokerConfig base = BrokerConfig.defaults(Path.of("data"));
            BrokerConfig config = new BrokerConfig(
                    text("bind-address", base.bindAddress()),
                    integer("port", base.port()),
                    optionalText("advertised-address"),
                    Path.of(text("data-folder", base.dataFolder().toString())),
                    Duration.ofSeconds(
                            number("keep-alive-seconds", base.keepAlive().toSeconds())),
                    limits(base.limits()),
                    storage(base.storage()));
            refuseUnknownKeys();
            return config;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
        }
    }

    /** The keys of the last {@link #config()}, in alphabetical order. */
    Set<String> knownKeys() {
        return new TreeSet<>(known);
    }

    private BrokerLimits limits(BrokerLimits base) {
        return new BrokerLimits(
                integer("max-message-bytes", base.maxMessageBytes()),
                integer("max-pending-publishes-per-connection", base.maxPendingPublishesPerConnection()),
                number("max-pending-publish-bytes-per-connection", base.maxPendingPublishBytesPerConnection()),
                number("max-pending-publish-bytes", base.maxPendingPublishBytes()),
                integer("max-unanswered-commands", base.maxUnansweredCommands()),
                integer("max-handles-per-connection", base.maxHandlesPerConnection()),
                integer("max-producers-per-topic", base.maxProducersPerTopic()),
                integer("max-subscriptions-per-topic", base.maxSubscriptionsPerTopic()),
                integer("max-consumers-per-subscription", base.maxConsumersPerSubscription()),
                integer("max-unacked-per-consumer", base.maxUnackedPerConsumer()),
                integer("max-unacked-per-subscription", base.maxUnackedPerSubscription()));
    }

    private StorageLimits storage(StorageLimits base) {
        return new StorageLimits(
                number("journal-file-bytes", base.journalFileBytes()),
                integer("journal-files", base.journalFiles()),
                number("ledger-bytes", base.ledgerBytes()),
                integer("ledger-entries", base.ledgerEntries()),
                number("tail-cache-bytes", base.tailCacheBytes()),
                number("read-ahead-bytes", base.readAheadBytes()));
    }

    private void refuseUnknownKeys() {
        for (String key : new TreeSet<>(entries.stringPropertyNames())) {
            if (!known.contains(key)) {
                throw new IllegalArgumentException(
                        "unknown key '" + key + "'; the known keys are " + String.join(", ", knownKeys()));
            }
        }
    }

    private @Nullable String optionalText(String key) {
        known.add(key);
        String value = entries.getProperty(key, "").strip();
        return value.isEmpty() ? null : value;
    }

    private String text(String key, String fallback) {
        String value = optionalText(key);
        return value == null ? fallback : value;
    }

    private int integer(String key, int fallback) {
        long value = number(key, fallback);
        ConfigRange.require(key, value, Integer.MIN_VALUE, Integer.MAX_VALUE);
        return (int) value;
    }

    private long number(String key, long fallback) {
        String value = optionalText(key);
        if (value == null) {
            return fallback;
        }
        try {
            return Long.parseLong(value.replace("_", ""));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(key + " is '" + value + "', but must be a whole number", e);
        }
    }
}
