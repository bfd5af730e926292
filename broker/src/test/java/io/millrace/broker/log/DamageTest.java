package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.await;
import static io.millrace.broker.log.LogFixture.header;
import static io.millrace.broker.log.LogFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.LogFixture.Receipts;
import io.millrace.testkit.Behaviour;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DamageTest {
    private static final Path JOURNAL = Path.of("/data/journal/00000000.journal");

    private final SimulatedDisk disk = new SimulatedDisk();
    private final LogConfig config =
            LogConfig.defaults(Path.of("/data")).withJournal(64 * 1024, 3).withMemory(4 * 1024, 1 << 20);

    @Test
    @Behaviour("LOG-5")
    void damageInTheJournalIsReportedAndTheRestIsServed() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            publish(await(log.openTopic("a")), "a", 10);
            publish(await(log.openTopic("b")), "b", 10);
        }
        long at = find(JOURNAL, "a-4");
        disk.flip(JOURNAL, at);
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            assertThat(LogFixture.texts(await(log.openTopic("b")))).isEqualTo(names("b", 10));
            List<String> left = names("a", 10);
            left.remove("a-4");
            assertThat(LogFixture.texts(await(log.openTopic("a")))).isEqualTo(left);
            assertThat(log.damages()).hasSize(1);
            assertThat(log.damages().get(0).file()).isEqualTo(JOURNAL);
            assertThat(log.damages().get(0).offset()).isLessThanOrEqualTo(at);
        }
    }

    @Test
    @Behaviour({"LOG-4", "LOG-5"})
    void framesBehindACommitThatCarryItsGroupsNumberAreNotItsOwn() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            publish(await(log.openTopic("a")), "a", 3);
        }
        long end = 0;
        Frame frame = new Frame(Snapshot.head(Path.of("snapshot"), SnapshotFile.open(disk, config.data()))
                .salt());
        ByteBuffer journal = ByteBuffer.wrap(disk.bytes(JOURNAL));
        long epoch = 0;
        for (int at = 0; frame.isHead(journal, at); at += Frame.frameBytes(journal, at)) {
            epoch = Frame.epoch(journal, at);
            end = (long) at + Frame.frameBytes(journal, at);
        }
        ByteBuffer stale = ByteBuffer.allocate(1_024);
        frame.writeEntry(stale, epoch, 1, 3, header(3), text("stale"));
        frame.writeRecord(stale, Frame.COMMIT, epoch, 7, 7_000, new byte[0]);
        disk.open(JOURNAL).write(end, stale.flip());
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic("a"));
            assertThat(LogFixture.texts(topic)).isEqualTo(names("a", 3));
            assertThat(log.damages()).isEmpty();
            publish(topic, "b", 1);
        }
    }

    @Test
    @Behaviour("LOG-4")
    void anEntryThatALaterGroupHasAgainIsThereOnce() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            publish(await(log.openTopic("a")), "a", 3);
        }
        Frame frame = new Frame(Snapshot.head(Path.of("snapshot"), SnapshotFile.open(disk, config.data()))
                .salt());
        ByteBuffer journal = ByteBuffer.wrap(disk.bytes(JOURNAL));
        long epoch = 0;
        int end = 0;
        while (frame.isHead(journal, end)) {
            epoch = Frame.epoch(journal, end) + 1;
            end += Frame.frameBytes(journal, end);
        }
        ByteBuffer group = ByteBuffer.allocate(1_024);
        frame.writeEntry(group, epoch, 1, 2, header(1), text("b-2"));
        frame.writeEntry(group, epoch, 1, 3, header(1), text("a-3"));
        frame.writeRecord(group, Frame.COMMIT, epoch, 2, group.position(), new byte[0]);
        disk.open(JOURNAL).write(end, group.flip());
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic("a"));
            assertThat(LogFixture.texts(topic)).isEqualTo(names("a", 4));
            assertThat(await(topic.facts()).bytes()).isEqualTo(4L * Frame.entryBytes(3));
            assertThat(log.damages()).isEmpty();
        }
    }

    @Test
    @Behaviour("LOG-5")
    void damageInALedgerIsReportedKeptAndReadAround() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic("a"));
            publish(topic, "a" + "x".repeat(400), 1_000);
            Path ledger = ledgerFile();
            long at = find(ledger, "-17;");
            disk.flip(ledger, at);
            byte[] damaged = disk.bytes(ledger);
            List<String> left = names("a" + "x".repeat(400), 1_000);
            left.remove(17);
            assertThat(LogFixture.texts(topic)).isEqualTo(left);
            assertThat(log.damages()).hasSize(1);
            assertThat(log.damages().get(0).file()).isEqualTo(ledger);
            assertThat(at - log.damages().get(0).offset()).isBetween(0L, 600L);
            assertThat(disk.bytes(ledger)).as("more may come behind").startsWith(damaged);
            assertThat(LogFixture.texts(topic)).as("reported once").isEqualTo(left);
            assertThat(log.damages()).hasSize(1);
        }
    }

    @Test
    @Behaviour("LOG-5")
    void aTornTailIsCutOffAndReported() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            publish(await(log.openTopic("a")), "a", 10);
        }
        disk.flip(JOURNAL, find(JOURNAL, "a-9"));
        byte[] bytes = disk.bytes(JOURNAL);
        int lastCommit = new String(bytes, StandardCharsets.ISO_8859_1).lastIndexOf("MR\u0001\u0009");
        disk.flip(JOURNAL, lastCommit + 5L);
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            assertThat(LogFixture.texts(await(log.openTopic("a")))).isEqualTo(names("a", 9));
            assertThat(log.damages())
                    .singleElement()
                    .satisfies(damage -> assertThat(damage.what()).contains("torn tail"));
        }
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            assertThat(log.damages()).isEmpty();
        }
    }

    @Test
    @Behaviour("LOG-4")
    void aFrameOfAnotherFolderOrOfAMessageNeverValidates() {
        Frame ours = new Frame(1);
        Frame forged = new Frame(2);
        ByteBuffer bytes = ByteBuffer.allocate(1_000);
        forged.writeEntry(bytes, 5, 1, 0, header(1), text("forged"));
        assertThat(forged.isHead(bytes, 0)).isTrue();
        assertThat(ours.isHead(bytes, 0)).isFalse();
        bytes.clear();
        ours.writeEntry(bytes, 5, 1, 0, header(1), text("mine"));
        assertThat(ours.isHead(bytes, 0) && ours.isBodySound(bytes, 0)).isTrue();
        for (int at = 0; at < Frame.entryBytes(4); at++) {
            bytes.put(at, (byte) (bytes.get(at) ^ 1));
            boolean valid = ours.isHead(bytes, 0) && ours.isBodySound(bytes, 0);
            assertThat(valid).as("byte %d changed", at).isFalse();
            bytes.put(at, (byte) (bytes.get(at) ^ 1));
        }
    }

    private static void publish(TopicLog topic, String prefix, int count) {
        Receipts receipts = new Receipts();
        topic.listener(receipts);
        for (String name : names(prefix, count)) {
            receipts.await(topic.append(header(1), text(name)));
        }
    }

    private static List<String> names(String prefix, int count) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add(prefix + "-" + i + (prefix.length() > 5 ? ";" : ""));
        }
        return names;
    }

    private Path ledgerFile() {
        Path ledgers = Path.of("/data/ledgers");
        return disk.list(ledgers).stream()
                .filter(name -> name.startsWith("1"))
                .map(ledgers::resolve)
                .findFirst()
                .orElseThrow();
    }

    private long find(Path file, String text) throws IOException {
        int at = new String(disk.bytes(file), StandardCharsets.ISO_8859_1).indexOf(text);
        assertThat(at).isNotNegative();
        return at;
    }
}
