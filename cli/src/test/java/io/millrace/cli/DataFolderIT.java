package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands about data folders, on those of real brokers. */
class DataFolderIT {
    private static final int LINES = 2_000;
    private static final String TOPIC = "persistent://public/default/lines";

    @TempDir
    Path folder;

    @Test
    @Behaviour("LOG-14")
    void aRunningBrokerIsBackedUpAndTheBackupServes() throws Exception {
        Path backup = folder.resolve("backup").resolve("data");
        try (ServedBroker broker = ServedBroker.start(folder)) {
            produce(broker.url());
            assertThat(millrace("check", broker.dataFolder().toString()))
                    .contains("1: millrace: ")
                    .contains("is in use by another broker");
            assertThat(millrace("backup", broker.dataFolder().toString(), backup.toString()))
                    .isEqualTo("0: ");
            produce(broker.url());
        }
        assertThat(millrace("check", backup.toString()))
                .startsWith("0: ")
                .contains("topic    " + TOPIC + ": " + LINES + " entries")
                .contains("sound    ");
        assertThat(millrace("backup", backup.toString(), backup.toString()))
                .startsWith("1: millrace: ")
                .contains("is not empty");
        try (ServedBroker copy = ServedBroker.start(folder.resolve("backup"))) {
            consumes(copy, LINES);
        }
    }

    @Test
    @Behaviour("LOG-14")
    void damageIsNamedThenSetAsideAndTheRestIsServed() throws Exception {
        Path data = folder.resolve("data");
        try (ServedBroker broker = ServedBroker.start(folder)) {
            produce(broker.url());
            produce(broker.url(), "later", 1); // what was written last would be a torn tail if it were damaged
            broker.kill();
        }
        Path damaged = damage(data, "line 1234 ");
        assertThat(millrace("check", data.toString()))
                .startsWith("1: ")
                .contains("damage   " + damaged + " at byte ")
                .contains("lost     " + TOPIC + ": 1 entry")
                .doesNotContain("sound    ");
        assertThat(millrace("check", data.toString(), "--set-aside"))
                .startsWith("0: ")
                .contains("lost     " + TOPIC + ": 1 entry")
                .contains("aside    what is damaged lies in " + data.resolve("damaged"));
        assertThat(millrace("check", data.toString()))
                .startsWith("0: ")
                .contains("topic    " + TOPIC + ": " + (LINES - 1) + " entries");
        try (ServedBroker broker = ServedBroker.start(folder)) {
            consumes(broker, LINES - 1);
        }
    }

    @Test
    void whatIsNoDataFolderIsRefused() throws Exception {
        assertThat(millrace("check", folder.resolve("none").toString()))
                .startsWith("1: millrace: ")
                .contains("is no data folder");
        assertThat(millrace(
                        "backup",
                        folder.resolve("none").toString(),
                        folder.resolve("b").toString()))
                .startsWith("1: millrace: ")
                .contains("is no data folder");
        assertThat(millrace("check")).startsWith("2: millrace: ");
    }

    /** Changes one byte of the only file that holds that text. */
    private static Path damage(Path data, String text) throws IOException {
        for (Path file : files(data)) {
            byte[] bytes = Files.readAllBytes(file);
            int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf(text);
            if (at >= 0) {
                bytes[at] ^= 1;
                Files.write(file, bytes);
                return file;
            }
        }
        throw new AssertionError("no file holds " + text);
    }

    private static List<Path> files(Path data) throws IOException {
        try (Stream<Path> journal = Files.list(data.resolve("journal"));
                Stream<Path> ledgers = Files.list(data.resolve("ledgers"))) {
            return Stream.concat(journal, ledgers).toList();
        }
    }

    private static void produce(String url) throws Exception {
        produce(url, "lines", LINES);
    }

    private static void produce(String url, String topic, int lines) throws Exception {
        try (PulsarClient client = Clients.open(url);
                Producer<byte[]> producer = client.newProducer()
                        .topic(topic)
                        .enableBatching(false)
                        .blockIfQueueFull(true)
                        .create()) {
            for (int i = 0; i < lines; i++) {
                CompletableFuture<MessageId> unused =
                        producer.sendAsync(("line " + i + " of " + lines).getBytes(StandardCharsets.UTF_8));
            }
            producer.flush();
        }
    }

    /** Reads so many lines, all of them different. */
    private void consumes(ServedBroker broker, int lines) throws IOException {
        String[] command = {
            "consume",
            "lines",
            "--url",
            broker.url(),
            "--subscription",
            "s",
            "--from",
            "earliest",
            "--count",
            "" + lines
        };
        try (Millrace consume = Millrace.run(folder, command)) {
            assertThat(consume.exitCode()).as(consume.err()).isZero();
            assertThat(consume.out().lines().distinct()).hasSize(lines);
        }
    }

    /** The exit code of a command and all that it said. */
    private String millrace(String... arguments) throws IOException {
        try (Millrace run = Millrace.run(folder, arguments)) {
            return run.exitCode() + ": " + run.out() + run.err();
        }
    }
}
