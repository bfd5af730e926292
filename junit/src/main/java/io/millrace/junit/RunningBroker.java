package io.millrace.junit;

import io.millrace.broker.Broker;
import io.millrace.broker.BrokerConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A broker and its folder, which goes with it unless it was named. */
record RunningBroker(Broker broker, Path folder, boolean isKept) implements AutoCloseable {
    /** Little is written in a test, and what is preallocated is written, too. */
    private static final long JOURNAL_FILE_BYTES = 8 << 20;

    private static final int JOURNAL_FILES = 3;

    /** Starts one on a free port, in that folder or else in one that is deleted when it is closed. */
    static RunningBroker start(@Nullable Path data) {
        try {
            Path folder = data == null ? Files.createTempDirectory("millrace-") : data;
            BrokerConfig config = BrokerConfig.defaults(folder).withPort(0).withHttpPort(0);
            // Namespaces are made by whoever runs the application, which tests do not.
            config = config.withNamespaces(config.namespaces().withNamespaces(true));
            if (data == null) {
                config = config.withLog(config.log().withJournal(JOURNAL_FILE_BYTES, JOURNAL_FILES));
            }
            return new RunningBroker(Broker.start(config), folder, data != null);
        } catch (IOException e) {
            throw new UncheckedIOException("the broker for tests did not start: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        broker.close();
        if (!isKept && Files.exists(folder)) {
            delete(folder);
        }
    }

    private static void delete(Path folder) {
        try {
            List<Path> deepestFirst;
            try (Stream<Path> tree = Files.walk(folder)) {
                deepestFirst = tree.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the folder of a broker for tests could not be deleted: " + folder, e);
        }
    }
}
