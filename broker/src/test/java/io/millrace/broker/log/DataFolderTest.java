package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.await;
import static io.millrace.broker.log.LogFixture.header;
import static io.millrace.broker.log.LogFixture.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.log.LogFixture.Receipts;
import io.millrace.testkit.Behaviour;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DataFolderTest {
    @TempDir
    Path folder;

    @Test
    @Behaviour("LOG-11")
    void aSecondLogOnTheSameFolderIsRefusedUntilTheFirstIsClosed() throws Exception {
        LogConfig config = LogConfig.defaults(folder).withJournal(64 * 1024, 2);
        try (BrokerLog log = BrokerLog.open(config, new DiskFiles())) {
            assertThatThrownBy(() -> BrokerLog.open(config, new DiskFiles()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("in use by another broker")
                    .hasMessageContaining(folder.toString());
            assertThat(log.state()).isEqualTo(LogState.OPEN);
        }
        BrokerLog.open(config, new DiskFiles()).close();
    }

    @Test
    @Behaviour("LOG-11")
    void aSecondLogIsRefusedAlsoWhenTheLockWasTakenAway() throws Exception {
        LogConfig config = LogConfig.defaults(folder).withJournal(64 * 1024, 3);
        try (BrokerLog log = BrokerLog.open(config, new DiskFiles())) {
            TopicLog topic = await(log.openTopic("t"));
            for (int attempt = 0; attempt < 3; attempt++) {
                Files.delete(folder.resolve("lock"));
                assertThatThrownBy(() -> BrokerLog.open(config, new DiskFiles()))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining(folder.resolve("journal").toString())
                        .hasMessageContaining("in use by another broker");
            }
            Receipts receipts = new Receipts();
            topic.listener(receipts);
            for (int i = 0; i < 500; i++) {
                receipts.await(topic.append(header(i), text("x".repeat(1_000))));
            }
        }
        try (BrokerLog log = BrokerLog.open(config, new DiskFiles())) {
            assertThat(LogFixture.texts(await(log.openTopic("t")))).hasSize(500);
        }
    }

    @Test
    @Behaviour("LOG-11")
    void aJournalLockedByAnotherProcessIsRefused() throws Exception {
        LogConfig config = LogConfig.defaults(folder.resolve("data")).withJournal(64 * 1024, 2);
        BrokerLog.open(config, new DiskFiles()).close();
        isRefusedWhileLocked(folder.resolve("data"), folder.resolve("data/journal/00000000.journal"));
        BrokerLog.open(config, new DiskFiles()).close();
    }

    @Test
    @Behaviour("LOG-11")
    void aFolderLockedByAnotherProcessIsRefused() throws Exception {
        Path lock = folder.resolve("lock");
        Files.createFile(lock);
        isRefusedWhileLocked(folder, lock);
    }

    private void isRefusedWhileLocked(Path data, Path lock) throws Exception {
        String holder = "import java.nio.channels.*; import java.nio.file.*; public class Holder { public static void"
                + " main(String[] a) throws Exception { FileChannel.open(Path.of(a[0]), StandardOpenOption.WRITE).lock();"
                + " System.out.println(1); System.in.read(); } }";
        Path source = Files.writeString(folder.resolve("Holder.java"), holder);
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(java, source.toString(), lock.toString()).start();
        try {
            assertThat(process.getInputStream().read()).isEqualTo('1');
            assertThatThrownBy(() -> BrokerLog.open(LogConfig.defaults(data), new DiskFiles()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("in use by another broker");
        } finally {
            process.destroy();
            process.waitFor();
        }
    }

    @Test
    @Behaviour({"LOG-1", "LOG-5"})
    void aCopyTakenWhileTheLogRunsHasEverythingReceipted() throws Exception {
        LogConfig config = LogConfig.defaults(folder.resolve("a"))
                .withJournal(64 * 1024, 3)
                .withMemory(4_096, 1 << 20);
        List<String> sent = new ArrayList<>();
        try (BrokerLog log = BrokerLog.open(config, new DiskFiles())) {
            TopicLog topic = await(log.openTopic("t"));
            Receipts receipts = new Receipts();
            topic.listener(receipts);
            for (int i = 0; i < 3_000; i++) {
                sent.add("message " + i);
                Position position = topic.append(header(i), text("message " + i));
                if (i == 2_999) {
                    receipts.await(position);
                }
            }
            LogFixture.settle(log);
            await(topic.openCursor("s", Position.BEFORE_ALL));
            LogFixture.copyInUse(folder.resolve("a"), folder.resolve("copies"), folder.resolve("b"));
        }
        LogConfig copied = LogConfig.defaults(folder.resolve("b"))
                .withJournal(64 * 1024, 3)
                .withLedgers(1 << 20, 1_000)
                .withMemory(4_096, 1 << 20)
                .withUnpackedTopics(1);
        try (BrokerLog log = BrokerLog.open(copied, new DiskFiles())) {
            assertThat(LogFixture.texts(await(log.openTopic("t")))).isEqualTo(sent);
        }
    }

    /** What a force could not write is gone: the next one succeeds without it. */
    @Test
    @Behaviour("LOG-2")
    void aForceThatFailsIsNeverTakenForAFullDiskThatGetsBetter() {
        IOException full = new IOException("No space left on device");
        assertThat(DiskFiles.unforced(Path.of("1.shared"), full))
                .isNotInstanceOf(DiskFullException.class)
                .hasMessageContaining("1.shared")
                .hasCause(full);
    }

    @Test
    void filesOfOthersStayWhereTheyAre() throws Exception {
        LogConfig config = LogConfig.defaults(folder).withJournal(64 * 1024, 2);
        BrokerLog.open(config, new DiskFiles()).close();
        Path notes = Files.writeString(folder.resolve("ledgers/notes.txt"), "mine");
        Path other = Files.createDirectories(folder.resolve("ledgers/of others"));
        Files.writeString(other.resolve("1.shared"), "mine");
        Path stray = Files.writeString(folder.resolve("ledgers/7.shared"), "what a crash left");
        BrokerLog.open(config, new DiskFiles()).close();
        assertThat(notes).hasContent("mine");
        assertThat(other.resolve("1.shared")).hasContent("mine");
        assertThat(stray).doesNotExist();
    }

    @Test
    void afterAStartThatFailedTheNextOneFindsNothingLocked() throws Exception {
        LogConfig config = LogConfig.defaults(folder).withJournal(64 * 1024, 2);
        try (BrokerLog log = BrokerLog.open(config, new DiskFiles())) {
            await(log.openTopic("t"));
        }
        Path inTheWay = Files.createDirectories(folder.resolve("ledgers/7.shared/x"));
        for (int attempt = 0; attempt < 2; attempt++) {
            assertThatThrownBy(() -> BrokerLog.open(config, new DiskFiles()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("7.shared");
        }
        Files.delete(inTheWay);
        Files.delete(folder.resolve("ledgers/7.shared"));
        try (BrokerLog log = BrokerLog.open(config, new DiskFiles())) {
            assertThat(log.topicNames()).containsExactly("t");
        }
    }

    @Test
    void aJournalWithoutItsSnapshotIsRefusedAndKept() throws Exception {
        LogConfig config = LogConfig.defaults(folder).withJournal(64 * 1024, 2);
        try (BrokerLog log = BrokerLog.open(config, new DiskFiles())) {
            await(log.openTopic("t"));
        }
        Files.delete(folder.resolve("snapshot"));
        assertThatThrownBy(() -> BrokerLog.open(config, new DiskFiles()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("snapshot");
        Files.write(folder.resolve("snapshot"), new byte[] {1, 2, 3});
        assertThatThrownBy(() -> BrokerLog.open(config, new DiskFiles())).hasMessageContaining("snapshot");
    }
}
