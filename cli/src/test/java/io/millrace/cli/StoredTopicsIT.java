package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.BrokerLog;
import io.millrace.broker.log.CursorLog;
import io.millrace.broker.log.DiskFiles;
import io.millrace.broker.log.EntryHeader;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.log.Position;
import io.millrace.broker.log.TopicLog;
import io.millrace.testkit.Behaviour;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.Reader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A folder of very many topics that hold data and that nobody uses. */
class StoredTopicsIT {
    private static final int TOPICS = 200_000;
    private static final int AT_ONCE = 2_000;
    private static final Duration START_LIMIT = Duration.ofSeconds(3);
    private static final long MEMORY_LIMIT_KIB = 250 * 1024;
    private static final long COME_BACK_MILLIS = 10;
    private static final Duration CALL_LIMIT = Duration.ofSeconds(30);
    /** A machine that stands still for a while spoils one start, not each. */
    private static final int STARTS = 5;

    /** The best of them counts: each takes the time that the machine takes for other things, too. */
    private static final int COMEBACKS = 2_000;

    @TempDir
    Path folder;

    @Test
    @Behaviour("LOG-15")
    void twoHundredThousandStoredTopicsStartSoonTakeLittleMemoryAndComeBackAtOnce() throws Exception {
        fill(folder.resolve("data"));
        try (ServedBroker broker = ServedBroker.start(folder)) {
            Duration start = START_LIMIT.plusMillis(1);
            for (int i = 0; i < STARTS && start.compareTo(START_LIMIT) > 0; i++) {
                broker.kill();
                start = broker.restart();
            }
            long peakKib = peakMemoryKib(broker);
            System.out.println(TOPICS + " topics: ready in " + start.toMillis() + " ms, at most " + peakKib + " KiB");
            assertThat(start).as("from exec to ready").isLessThanOrEqualTo(START_LIMIT);
            assertThat(peakKib).as("KiB of the process").isBetween(1L, MEMORY_LIMIT_KIB);
            assertThat(quickestComebackMillis(broker)).isLessThanOrEqualTo(COME_BACK_MILLIS);
        }
    }

    private static void fill(Path data) throws Exception {
        try (BrokerLog log = BrokerLog.open(LogConfig.defaults(data), new DiskFiles())) {
            for (int first = 0; first < TOPICS; first += AT_ONCE) {
                List<CompletableFuture<TopicLog>> opening = new ArrayList<>();
                for (int i = first; i < first + AT_ONCE; i++) {
                    opening.add(log.openTopic("persistent://public/default/" + name(i))
                            .toCompletableFuture());
                }
                List<CompletableFuture<CursorLog>> subscribing = new ArrayList<>();
                for (CompletableFuture<TopicLog> topic : opening) {
                    publish(get(topic));
                    subscribing.add(
                            get(topic).openCursor("audit", Position.BEFORE_ALL).toCompletableFuture());
                }
                for (int i = 0; i < AT_ONCE; i++) {
                    get(subscribing.get(i));
                    get(log.leaveTopic(get(opening.get(i))).toCompletableFuture());
                }
            }
        }
    }

    private static void publish(TopicLog topic) {
        byte[] content = ("the only message of " + topic.name()).getBytes(StandardCharsets.UTF_8);
        topic.append(new EntryHeader(1, System.currentTimeMillis(), 0, 0, 0), Unpooled.wrappedBuffer(content));
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(CALL_LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    /** Until a reader of a topic that nobody has used since the start is told that there is something to read. */
    private static long quickestComebackMillis(ServedBroker broker) throws Exception {
        long quickest = Long.MAX_VALUE;
        try (PulsarClient client = Clients.open(broker.url())) {
            for (int i = 0; i < COMEBACKS && quickest > COME_BACK_MILLIS; i++) {
                long started = System.nanoTime();
                try (Reader<byte[]> reader = client.newReader()
                        .topic(name(i * (TOPICS / COMEBACKS)))
                        .startMessageId(MessageId.earliest)
                        .create()) {
                    assertThat(reader.hasMessageAvailable()).isTrue();
                    quickest = Math.min(quickest, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started));
                }
            }
        }
        return quickest;
    }

    private static String name(int topic) {
        return "stored-" + topic;
    }

    private static long peakMemoryKib(ServedBroker broker) throws Exception {
        Path status = Path.of("/proc/" + broker.process().pid() + "/status");
        for (String line : Files.readAllLines(status)) {
            if (line.startsWith("VmHWM:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        throw new AssertionError("no VmHWM in " + status);
    }
}
