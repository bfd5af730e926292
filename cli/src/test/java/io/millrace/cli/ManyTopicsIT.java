package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.Reader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Very many topics with very little in them. */
class ManyTopicsIT {
    private static final int TOPICS = 10_000;
    private static final int AT_ONCE = 50;
    private static final int READ_EVERY = 10;
    private static final long DISK_LIMIT_KIB = 200 * 1024;
    private static final Duration RECOVERY_LIMIT = Duration.ofSeconds(3);
    /** A machine that stands still for a while spoils one recovery, not each. */
    private static final int ATTEMPTS = 3;

    private static final long FILE_DESCRIPTOR_LIMIT = 1_000;
    private static final Duration CALL_LIMIT = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    @Test
    @Behaviour("LOG-9")
    void tenThousandTopicsOfOneMessageAreSmallAndComeBackFast() throws Exception {
        try (ServedBroker broker = ServedBroker.start(folder);
                PulsarClient client = Clients.open(broker.url())) {
            inParallel(TOPICS, 1, topic -> publish(client, topic));
            assertThat(diskKib(broker.dataFolder())).as("KiB on disk").isLessThanOrEqualTo(DISK_LIMIT_KIB);
            assertThat(openFiles(broker)).as("open files").isLessThanOrEqualTo(FILE_DESCRIPTOR_LIMIT);

            Duration recovery = restartAfterKill(broker);
            for (int i = 1; i < ATTEMPTS && recovery.compareTo(RECOVERY_LIMIT) > 0; i++) {
                recovery = restartAfterKill(broker);
            }
            assertThat(recovery).as("from exec to ready").isLessThanOrEqualTo(RECOVERY_LIMIT);
            assertThat(diskKib(broker.dataFolder())).as("KiB on disk").isLessThanOrEqualTo(DISK_LIMIT_KIB);
            inParallel(TOPICS, READ_EVERY, topic -> read(client, topic));
            assertThat(openFiles(broker)).as("open files").isLessThanOrEqualTo(FILE_DESCRIPTOR_LIMIT);
        }
    }

    private static Duration restartAfterKill(ServedBroker broker) throws Exception {
        broker.kill();
        return broker.restart();
    }

    private static void inParallel(int count, int step, IntFunction<CompletableFuture<?>> call) throws Exception {
        Deque<CompletableFuture<?>> calls = new ArrayDeque<>();
        for (int i = 0; i < count; i += step) {
            if (calls.size() >= AT_ONCE) {
                calls.remove().get(CALL_LIMIT.toSeconds(), TimeUnit.SECONDS);
            }
            calls.add(call.apply(i));
        }
        for (CompletableFuture<?> each : calls) {
            each.get(CALL_LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private static CompletableFuture<?> publish(PulsarClient client, int topic) {
        return client.newProducer()
                .topic(name(topic))
                .enableBatching(false)
                .createAsync()
                .thenCompose(producer -> producer.sendAsync(content(topic)).thenCompose(id -> producer.closeAsync()));
    }

    private static CompletableFuture<?> read(PulsarClient client, int topic) {
        return client.newReader()
                .topic(name(topic))
                .startMessageId(MessageId.earliest)
                .createAsync()
                .thenCompose(reader -> reader.readNextAsync().thenCompose(message -> check(topic, reader, message)));
    }

    private static CompletableFuture<Void> check(int topic, Reader<byte[]> reader, Message<byte[]> message) {
        assertThat(message.getData()).as("message of " + name(topic)).isEqualTo(content(topic));
        return reader.closeAsync();
    }

    private static String name(int topic) {
        return "many-" + topic;
    }

    private static byte[] content(int topic) {
        return ("the only message of topic " + topic).getBytes(StandardCharsets.UTF_8);
    }

    private static long diskKib(Path folder) throws Exception {
        Process du = new ProcessBuilder("du", "-sk", folder.toString()).start();
        String out = new String(du.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(du.waitFor()).isZero();
        return Long.parseLong(out.substring(0, out.indexOf('\t')));
    }

    private static long openFiles(ServedBroker broker) throws Exception {
        Path descriptors = Path.of("/proc/" + broker.process().pid() + "/fd");
        if (!Files.isDirectory(descriptors)) {
            return 0;
        }
        try (var files = Files.list(descriptors)) {
            return files.count();
        }
    }
}
