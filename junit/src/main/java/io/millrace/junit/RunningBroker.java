package io.millrace.junit;

import io.millrace.broker.Broker;
import io.millrace.broker.BrokerConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A broker and its folder, which goes with it unless it was named. */
record RunningBroker(Broker broker, Path folder, boolean isKept) implements AutoCloseable {
    /**
     * Namespaces are made by whoever runs the application, which tests do not. What stays in memory once it is stored is little, as
     * cached contexts of an application have a broker each in this process.
     */
    private static final Map<String, String> SETTINGS = Map.of(
            "port", "0",
            "http-port", "0",
            "auto-namespaces", "always",
            "tail-cache-bytes", "4_194_304",
            "read-ahead-bytes", "4_194_304");

    /** Until then a subscription that nobody uses tells what it has sent; others make it leave sooner only where memory is short. */
    private static final Duration UNLOAD_IDLE_AFTER = Duration.ofHours(6);

    /** Little is written in a test, and what is preallocated is written, too. Larger messages need larger files. */
    private static final Map<String, String> SETTINGS_OF_TEMPORARY =
            Map.of("journal-file-bytes", "8_388_608", "journal-files", "3");

    private static final String FOLDER = "data-folder";

    /** Starts one on a free port, in that folder or else in one that is deleted when it is closed. */
    static RunningBroker start(@Nullable Path data) {
        return start(Map.of(), data);
    }

    /** The same with settings by key, of which one may be the folder. */
    static RunningBroker start(Map<String, String> settings) {
        String folder = settings.getOrDefault(FOLDER, "").strip();
        return start(settings, folder.isEmpty() ? null : Path.of(folder));
    }

    private static RunningBroker start(Map<String, String> settings, @Nullable Path data) {
        BrokerConfig config = config(settings, data);
        try {
            return data == null
                    ? start(config.withDataFolder(Files.createTempDirectory("millrace-")), false)
                    : start(config.withDataFolder(data), true);
        } catch (IOException e) {
            throw new UncheckedIOException("the broker for tests did not start: " + e.getMessage(), e);
        }
    }

    /** What one is started with, but for a folder that is made for it. */
    static BrokerConfig config(Map<String, String> settings, @Nullable Path data) {
        Map<String, String> all = new HashMap<>(SETTINGS);
        all.putAll(data == null && !settings.containsKey("max-message-bytes") ? SETTINGS_OF_TEMPORARY : Map.of());
        all.putAll(settings);
        BrokerConfig config = BrokerConfig.of(all);
        return config.withTopics(config.topics().withUnloadIdleAfter(UNLOAD_IDLE_AFTER));
    }

    /** Starts one with these settings; if that fails, its folder is deleted, too, unless it is to be kept. */
    static RunningBroker start(BrokerConfig config, boolean isKept) throws IOException {
        Path folder = config.log().data();
        Remains remains = new Remains(folder, isKept);
        try {
            return new RunningBroker(Broker.start(config), folder, isKept);
        } catch (IOException | RuntimeException | Error e) {
            try (remains) {
                throw e;
            }
        }
    }

    /** Closes the broker and then, also when that fails, deletes the folder; refused where the broker refuses it. */
    @Override
    public void close() {
        try {
            broker.close();
        } finally {
            if (broker.isClosed()) {
                new Remains(folder, isKept).close();
            }
        }
    }

    /** What a broker leaves, deleted by closing it unless it is kept. */
    private record Remains(Path folder, boolean isKept) implements AutoCloseable {
        @Override
        public void close() {
            if (isKept || !Files.exists(folder)) {
                return;
            }
            try {
                List<Path> deepestFirst;
                try (Stream<Path> tree = Files.walk(folder)) {
                    deepestFirst = tree.sorted(Comparator.reverseOrder()).toList();
                }
                for (Path path : deepestFirst) {
                    Files.deleteIfExists(path);
                }
            } catch (IOException e) {
                throw undeleted(e);
            } catch (UncheckedIOException e) {
                throw undeleted(new IOException(e));
            }
        }

        private UncheckedIOException undeleted(IOException cause) {
            return new UncheckedIOException("the folder of a broker for tests could not be deleted: " + folder, cause);
        }
    }
}
