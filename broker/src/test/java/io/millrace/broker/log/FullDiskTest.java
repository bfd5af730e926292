package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.await;
import static io.millrace.broker.log.LogFixture.header;
import static io.millrace.broker.log.LogFixture.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.broker.log.LogFixture.Receipts;
import io.millrace.broker.log.SimulatedDisk.Change;
import io.millrace.testkit.Behaviour;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FullDiskTest {
    @TempDir
    Path folder;

    @Test
    @Behaviour("LOG-10")
    void publishesAreRefusedWhileFullReadsAndAcknowledgementsGoOnAndPublishingResumes() throws Exception {
        SimulatedDisk disk = new SimulatedDisk();
        LogConfig config =
                LogConfig.defaults(Path.of("/data")).withJournal(32 * 1024, 3).withMemory(16 * 1024, 1 << 20);
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            disk.setCapacity(400 * 1024);
            fillThenFree(log, () -> disk.setCapacity(Long.MAX_VALUE));
        }
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            assertThat(log.damages()).isEmpty();
            assertThat(LogFixture.texts(await(log.openTopic("a")))).endsWith("after");
        }
    }

    @Test
    @Behaviour("LOG-10")
    void theSameOnARealFileSystemThatIsFull() throws Exception {
        Path mount = Files.createDirectory(folder.resolve("small"));
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", mount.toString()), "a tmpfs can be mounted");
        try {
            Path ballast = mount.resolve("ballast");
            Files.write(ballast, new byte[4 << 20]);
            LogConfig config = LogConfig.defaults(mount.resolve("data"))
                    .withJournal(256 * 1024, 3)
                    .withMemory(64 * 1024, 1 << 20);
            try (BrokerLog log = BrokerLog.open(config, new DiskFiles())) {
                fillThenFree(log, () -> delete(ballast));
            }
        } finally {
            run("umount", mount.toString());
        }
    }

    /** What the operating system says is in the language of the user. */
    @Test
    @Behaviour("LOG-10")
    void aDiskIsFullInAnyLanguage() throws Exception {
        IOException failure = new IOException("Auf dem Gerät ist kein Speicherplatz mehr verfügbar");
        Path file = folder.resolve("file");
        long totalBytes = Files.getFileStore(folder).getTotalSpace();
        assertThat(DiskFiles.named(file, failure, totalBytes + 1)).isInstanceOf(DiskFullException.class);
        assertThat(DiskFiles.named(file, failure, 1)).isNotInstanceOf(DiskFullException.class);
        assertThat(DiskFiles.named(file, failure, 0)).isNotInstanceOf(DiskFullException.class);
    }

    @Test
    @Behaviour("LOG-10")
    void whatWasTakenBeforeTheDiskWasFullIsStoredOrRefusedAndTheReserveServesAcknowledgements() throws Exception {
        int refused = 0;
        for (int attempt = 0; refused == 0 && attempt < 50; attempt++) {
            refused = fillTheDisk();
        }
        assertThat(refused).as("publishes that were taken, then refused").isPositive();
    }

    @Test
    @Behaviour("LOG-10")
    void oneWriteThatFoundNoRoomDoesNotKeepPublishesOutForEver() throws Exception {
        SimulatedDisk disk = new SimulatedDisk();
        LogConfig config = LogConfig.defaults(Path.of("/data")).withJournal(64 * 1024, 2);
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic("a"));
            Receipts receipts = new Receipts();
            topic.listener(receipts);
            receipts.await(topic.append(header(1), text("starts a run in the tail cache")));
            disk.failNextWrite(".journal");
            receipts.await(topic.append(header(1), text("makes that run longer")));
            awaitRoom(log);
            assertThat(log.state()).isEqualTo(LogState.OPEN);
            receipts.await(topic.append(header(1), text("after")));
        }
    }

    /** Each takes much more of the heap until then, which nothing counts. */
    @Test
    @Behaviour("LOG-10")
    void topicsThatNobodyUsesArePackedThoughTheDiskIsFull() throws Exception {
        SimulatedDisk disk = new SimulatedDisk();
        LogConfig config = LogConfig.defaults(Path.of("/data"))
                .withJournal(32 * 1024, 3)
                .withMemory(16 * 1024, 1 << 20)
                .withUnpackedTopics(2);
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            for (int i = 0; i < 10; i++) {
                await(await(log.openTopic("t" + i)).openCursor("s", Position.BEFORE_ALL));
            }
            disk.setCapacity(400 * 1024);
            appendUntilRefused(await(log.openTopic("a")));
            List<TopicLog> left = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                TopicLog topic = await(log.openTopic("t" + i));
                await(log.leaveTopic(topic));
                left.add(topic);
            }
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (left.stream().filter(TopicLog::isPacked).count() < 9) {
                assertThat(System.nanoTime() - end).isNegative();
                LockSupport.parkNanos(1_000_000);
            }
            assertThat(log.state()).isEqualTo(LogState.FULL);
            disk.setCapacity(Long.MAX_VALUE);
        }
    }

    @Test
    @Behaviour("LOG-10")
    void aStartOnAFullDiskPacksTopicsAsItReadsThem() throws Exception {
        SimulatedDisk disk = new SimulatedDisk();
        LogConfig config =
                LogConfig.defaults(Path.of("/data")).withJournal(256 * 1024, 3).withUnpackedTopics(2);
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic("a"));
            Receipts receipts = new Receipts();
            topic.listener(receipts);
            for (int i = 0; i < 100; i++) {
                receipts.await(topic.append(header(1), text("z".repeat(600))));
            }
            for (int i = 0; i < 50; i++) {
                await(await(log.openTopic("t" + i)).openCursor("s", Position.BEFORE_ALL));
            }
        }
        disk.setCapacity(disk.usedBytes());
        Recovery.Opened opened = Recovery.open(config.withMemory(16 * 1024, 1 << 20), disk);
        assertThat(opened.parts().status().state()).isEqualTo(LogState.FULL);
        assertThat(opened.catalog().leftCount()).isLessThan(5);
        opened.parts().reading().cache().close();
    }

    /** Nothing names the file when there is room no more in the middle of the first write to it. */
    @Test
    void theFileOfADeletedLedgerGoesThoughItWasNotWrittenToTheEnd() throws Exception {
        SimulatedDisk disk = new SimulatedDisk();
        Path data = Path.of("/data");
        disk.createDirectories(data.resolve(LogFolder.LEDGERS));
        LogParts parts = LogParts.create(LogConfig.defaults(data), disk, 1);
        Ledger ledger = new TopicLog(parts, 1, "a").ledgerOpened(1);
        try (DiskFile file = disk.create(LogFolder.ownFile(data, ledger))) {
            file.write(0, ByteBuffer.allocate(100));
        }
        new LedgerFiles(parts).delete(ledger, true);
        assertThat(disk.list(data.resolve(LogFolder.LEDGERS))).isEmpty();
    }

    /** The first file of the journal is a small one; it must not go before there is another. */
    @Test
    @Behaviour("LOG-10")
    void onADiskWithRoomForASmallJournalAloneChangesGoOnAndAStartMissesNothing() throws Exception {
        int smallBytes = 256 * 1024;
        int textBytes = 10_000;
        LogConfig small = LogConfig.defaults(Path.of("/data")).withJournal(smallBytes, 2);
        SimulatedDisk disk = new SimulatedDisk();
        try (BrokerLog log = BrokerLog.open(small, disk)) {
            await(await(log.openTopic("a")).openCursor("s", Position.BEFORE_ALL));
        }
        int opened = disk.changeCount();
        disk.setCapacity(disk.usedBytes() + smallBytes);
        try (BrokerLog log = BrokerLog.open(small.withJournal(8L * smallBytes, 2), disk)) {
            TopicLog topic = await(log.openTopic("a"));
            for (int i = 0; i < 3 * smallBytes / textBytes; i++) {
                await(topic.setCursorProperties("s", Map.of("p", i + "x".repeat(textBytes))));
            }
            assertThat(log.state()).isEqualTo(LogState.FULL);
        }
        missesNothing(disk.trace(), opened, small);
    }

    /** However a run after the first changes is cut short. */
    private static void missesNothing(List<Change> trace, int from, LogConfig config) throws IOException {
        for (int i = from; i <= trace.size(); i++) {
            if (i == trace.size() || trace.get(i) instanceof Change.Names) {
                try (BrokerLog log = BrokerLog.open(config, SimulatedDisk.upTo(trace, i))) {
                    assertThat(log.damages()).as("after %d changes", i).isEmpty();
                }
            }
        }
    }

    /** How many publishes were taken that then found no room: none if the writer kept up with the test to the end. */
    private static int fillTheDisk() throws Exception {
        int refused;
        SimulatedDisk disk = new SimulatedDisk();
        LogConfig config =
                LogConfig.defaults(Path.of("/data")).withJournal(64 * 1024, 3).withMemory(16 * 1024, 1 << 20);
        List<String> stored = new ArrayList<>();
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic("a"));
            Receipts receipts = new Receipts();
            topic.listener(receipts);
            CursorLog cursor = await(topic.openCursor("s", Position.BEFORE_ALL));
            disk.setCapacity(400 * 1024);
            Map<Position, String> taken = appendUntilRefused(topic);
            taken.forEach((position, text) -> {
                if (isStored(receipts, position)) {
                    stored.add(text);
                }
            });
            assertThat(stored).isNotEmpty();
            refused = taken.size() - stored.size();
            assertThat(LogFixture.texts(topic)).isEqualTo(stored);
            var durable = LogFixture.deltaNumber(cursor, 50);
            for (int i = 0; i < 50; i++) {
                cursor.append(new CursorDelta.AckEntries(List.of(topic.lastDurable())));
            }
            await(durable);
            assertThat(log.state())
                    .as("room is not what made acknowledging possible")
                    .isEqualTo(LogState.FULL);
            disk.setCapacity(Long.MAX_VALUE);
            awaitRoom(log);
            Position after = topic.append(header(1), text("after"));
            receipts.await(after);
            assertThat(taken).doesNotContainKey(after);
            stored.add("after");
            assertThat(LogFixture.texts(topic)).isEqualTo(stored);
        }
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic("a"));
            assertThat(LogFixture.texts(topic)).isEqualTo(stored);
            assertThat(log.damages()).isEmpty();
        }
        return refused;
    }

    private static Map<Position, String> appendUntilRefused(TopicLog topic) {
        Map<Position, String> taken = new LinkedHashMap<>();
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 1_000_000; i++) {
                        String text = i + "z".repeat(600);
                        taken.put(topic.append(header(i), text(text)), text);
                        LogFixture.pauseIfFarAhead(topic);
                    }
                })
                .isInstanceOf(LogUnavailableException.class)
                .hasMessageContaining("full");
        return taken;
    }

    private static boolean isStored(Receipts receipts, Position position) {
        try {
            receipts.await(position);
            return true;
        } catch (LogUnavailableException e) {
            assertThat(e).hasMessageContaining("full");
            return false;
        }
    }

    private static void awaitRoom(BrokerLog log) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (log.state() == LogState.FULL && System.nanoTime() < deadline) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static void fillThenFree(BrokerLog log, Runnable free) {
        TopicLog topic = await(log.openTopic("a"));
        Receipts receipts = new Receipts();
        topic.listener(receipts);
        CursorLog cursor = await(topic.openCursor("s", Position.BEFORE_ALL));
        Position first = topic.append(header(1), text("first"));
        receipts.await(first);
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 1_000_000; i++) {
                        receipts.await(topic.append(header(i), text(i + "z".repeat(600))));
                    }
                })
                .isInstanceOf(LogUnavailableException.class)
                .hasMessageContaining("full");
        assertThat(log.state()).isEqualTo(LogState.FULL);
        Position last = topic.lastAppended();
        Entry oldest = await(topic.read(first, 1, 1)).get(0);
        assertThat(oldest.position()).isEqualTo(first);
        oldest.release();
        var durable = LogFixture.deltaNumber(cursor, 1);
        cursor.append(new CursorDelta.AckUpTo(first));
        await(durable);
        assertThat(log.state()).isEqualTo(LogState.FULL);
        free.run();
        awaitRoom(log);
        Position after = topic.append(header(1), text("after"));
        receipts.await(after);
        assertThat(after).isGreaterThan(last);
        assertThat(LogFixture.texts(topic)).startsWith("first").endsWith("after");
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean run(String... command) throws Exception {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output =
                    new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            boolean done = process.waitFor() == 0;
            if (!done) {
                System.out.println("FullDiskTest: " + String.join(" ", command) + ": " + output);
            }
            return done;
        } catch (IOException e) {
            System.out.println("FullDiskTest: " + String.join(" ", command) + ": " + e);
            return false;
        }
    }
}
