package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.http.RawHttp;
import io.millrace.broker.namespace.NamespaceName;
import io.millrace.broker.topic.FaultyDisk;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What whoever watches a broker is told when its disk fails it. */
@Timeout(60)
class HealthTest {
    private static final int JOURNAL_FILE_BYTES = 1 << 20;
    private static final String MESSAGE = "x".repeat(8 << 10);

    private final FaultyDisk disk = new FaultyDisk();
    private Broker broker;

    @BeforeEach
    void start(@TempDir Path folder) throws IOException {
        Map<String, String> small = Map.of(
                "port", "0",
                "http-port", "0",
                "max-message-bytes", "65536",
                "journal-file-bytes", String.valueOf(JOURNAL_FILE_BYTES));
        broker = Broker.start(BrokerConfig.of(small).withDataFolder(folder), disk);
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void aBrokerWhoseJournalHasFailedIsNeitherHealthyNorReady() throws IOException {
        assertThat(ask("health")).startsWith("HTTP/1.1 200");
        assertThat(ask("ready")).startsWith("HTTP/1.1 200");
        disk.failForces();
        assertThatThrownBy(() -> broker.namespaces()
                        .ensureNamespace(NamespaceName.parse("acme/dev"))
                        .toCompletableFuture()
                        .get(20, TimeUnit.SECONDS))
                .isNotNull();
        assertThat(ask("health")).startsWith("HTTP/1.1 503").contains("The log has failed");
        assertThat(ask("ready")).startsWith("HTTP/1.1 503").contains("The log has failed");
    }

    @Test
    void aBrokerWhoseDiskIsFullIsHealthyAndReadyForConsumersAndSaysSo() throws IOException {
        disk.full(true);
        try (StreamRuntime runtime = StreamRuntime.create()) {
            assertThatThrownBy(() -> Source.repeat(MESSAGE)
                            .take(4L * JOURNAL_FILE_BYTES / MESSAGE.length())
                            .map(Message::of)
                            .runWith(broker.topic("orders").sink(), runtime)
                            .toCompletableFuture()
                            .get(20, TimeUnit.SECONDS))
                    .rootCause()
                    .hasMessageContaining("No space left");
        }
        assertThat(ask("health")).startsWith("HTTP/1.1 200").endsWith("\r\n\r\nok"); // PulsarAdmin takes nothing else
        assertThat(ask("ready")).startsWith("HTTP/1.1 200").contains("ok", "The disk is full");
        disk.full(false);
        while (!ask("ready").endsWith("\r\n\r\nok")) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    private String ask(String what) throws IOException {
        return RawHttp.ask(broker.httpPort(), "GET /admin/v2/brokers/" + what + " HTTP/1.1", "");
    }
}
