package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.await;
import static io.millrace.broker.log.LogFixture.header;
import static io.millrace.broker.log.LogFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import io.millrace.testkit.Behaviour;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ManyTopicsTest {
    private static final int TOPICS = 10_000;
    private static final long RECOVERY_MILLIS = 3_000;
    private static final int ATTEMPTS = 5;
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    @TempDir
    Path folder;

    /** Entries of many topics lie between those of each, so that its places do not touch. */
    @Test
    void aLedgerIsInNoMoreThanSomeManyPlaces() throws Exception {
        LogConfig config = LogConfig.defaults(folder).withJournal(16 * 1024, 3).withMemory(16 * 1024, 1 << 20);
        try (BrokerLog log = BrokerLog.open(config, new DiskFiles())) {
            List<TopicLog> topics = List.of(await(log.openTopic("a")), await(log.openTopic("b")));
            List<LogFixture.Receipts> receipts = List.of(new LogFixture.Receipts(), new LogFixture.Receipts());
            for (int i = 0; i < 2; i++) {
                topics.get(i).listener(receipts.get(i));
            }
            for (int n = 0; n < 2_500; n++) {
                for (int i = 0; i < 2; i++) {
                    receipts.get(i).await(topics.get(i).append(header(n), text("x".repeat(600))));
                }
            }
            Ledger[] ledgers = topics.get(0).table().ledgers();
            assertThat(ledgers.length).isGreaterThan(1);
            for (Ledger ledger : ledgers) {
                assertThat(ledger.extents().length).isLessThanOrEqualTo(70);
            }
            assertThat(LogFixture.texts(topics.get(0))).hasSize(2_500);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1 << 20, 16 << 20})
    @Behaviour("LOG-9")
    void tenThousandTopicsOfOneMessageAreSmallAndQuickToRecover(long journalFileBytes) throws Exception {
        Path data = folder.resolve("data");
        LogConfig config = LogConfig.defaults(data).withJournal(journalFileBytes, 4);
        long filesBefore = openFiles();
        try (BrokerLog log = BrokerLog.open(config, new DiskFiles())) {
            List<CompletionStage<TopicLog>> opening = new ArrayList<>();
            for (int i = 0; i < TOPICS; i++) {
                opening.add(log.openTopic("persistent://public/default/topic-" + i));
            }
            for (CompletionStage<TopicLog> topic : opening) {
                await(topic)
                        .append(header(1), text("one message of " + await(topic).name()));
            }
        }
        assertThat(folderBytes()).isLessThanOrEqualTo(200_000_000L);
        assertThat(quickestRecoveryMillis(data, journalFileBytes)).isLessThan(RECOVERY_MILLIS);
        try (BrokerLog log = BrokerLog.open(config, new DiskFiles())) {
            assertThat(log.topicNames()).hasSize(TOPICS);
            for (int i = 0; i < TOPICS; i += 97) {
                TopicLog topic = await(log.openTopic("persistent://public/default/topic-" + i));
                assertThat(LogFixture.texts(topic)).containsExactly("one message of " + topic.name());
            }
            assertThat(openFiles() - filesBefore).isLessThan(100);
            assertThat(log.damages()).isEmpty();
        }
    }

    /**
     * Opens copies of the folder, so that each recovery has the same to do, until one of them is quick enough; where others
     * use the processors meanwhile, what this process used of them counts.
     */
    private long quickestRecoveryMillis(Path data, long journalFileBytes) throws IOException {
        long quickest = Long.MAX_VALUE;
        for (int i = 0; i < ATTEMPTS && quickest >= RECOVERY_MILLIS; i++) {
            Path copy = folder.resolve("copy-" + i);
            LogFixture.copy(data, copy);
            LogConfig config = LogConfig.defaults(copy).withJournal(journalFileBytes, 4);
            long started = System.nanoTime();
            long usedBefore = PROCESS.getProcessCpuTime();
            try (BrokerLog log = BrokerLog.open(config, new DiskFiles())) {
                long passed = System.nanoTime() - started;
                long used = PROCESS.getProcessCpuTime() - usedBefore;
                quickest = Math.min(quickest, TimeUnit.NANOSECONDS.toMillis(onIdleMachine(passed, used)));
                assertThat(log.topicNames()).hasSize(TOPICS);
            }
        }
        return quickest;
    }

    /** Its processor time, where others have taken theirs meanwhile; what waits for as much as ten times that waits by itself. */
    private static long onIdleMachine(long passed, long used) {
        return Math.min(passed, Math.max(used, passed / 10));
    }

    private long folderBytes() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    private static long openFiles() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count();
        }
    }
}
