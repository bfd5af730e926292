package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.await;
import static io.millrace.broker.log.LogFixture.header;
import static io.millrace.broker.log.LogFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.JournalItem.EntryItem;
import io.millrace.broker.log.LogFixture.Receipts;
import io.millrace.testkit.Behaviour;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FailedReadTest {
    @TempDir
    Path folder;

    @Test
    @Behaviour("LOG-12")
    void aReadThatFailsHalfwayGivesBackWhatItHadRead() throws Exception {
        LogConfig config = LogConfig.defaults(folder).withJournal(256 * 1024, 2).withMemory(64 * 1024, 1 << 20);
        try (BrokerLog log = BrokerLog.open(config, new DiskFiles())) {
            TopicLog topic = await(log.openTopic("a"));
            Receipts receipts = new Receipts();
            topic.listener(receipts);
            for (int i = 0; i < 1_000; i++) {
                receipts.await(topic.append(header(i), text("y".repeat(1_000))));
            }
            LogFixture.settle(log);
            Ledger ledger = topic.table().last();
            Extent extent = ledger.extents()[0];
            Position good = new Position(ledger.id, extent.firstEntry());
            Position bad = new Position(ledger.id, (extent.firstEntry() + extent.lastEntry()) / 2);
            cut(LogParts.ledgerFile(folder, ledger, extent), extent.start() + extent.bytes() / 4);
            assertThat(topic.cached(bad)).isNull();
            for (int attempt = 0; attempt < 3; attempt++) {
                assertThat(topic.read(List.of(good, bad)).toCompletableFuture())
                        .failsWithin(20, TimeUnit.SECONDS)
                        .withThrowableThat()
                        .withStackTraceContaining("ends before byte");
                assertThat(log.readMemoryBytes()).isZero();
            }
        }
    }

    private static void cut(Path path, long bytes) throws IOException {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
            file.truncate(bytes);
        }
    }

    @Test
    @Behaviour("LOG-12")
    void aReadThatComesTooLateForTheWorkersGivesBackWhatTheCacheHad() throws Exception {
        LogParts parts = LogParts.create(LogConfig.defaults(Path.of("/data")), new SimulatedDisk(), 1);
        TopicLog topic = new TopicLog(parts, 1, "a");
        EntryItem entry = new EntryItem(topic.ledgerOpened(1), 0, header(1), text("cached"));
        JournalGroup group = new JournalGroup(new Frame(1), parts.cache());
        group.begin(1);
        assertThat(group.makeRoom(entry)).isTrue();
        group.add(entry);
        group.done();
        parts.reader().close();
        assertThat(topic.read(List.of(new Position(1, 0), new Position(1, 1))).toCompletableFuture())
                .failsWithin(20, TimeUnit.SECONDS)
                .withThrowableThat()
                .withCauseInstanceOf(LogUnavailableException.class);
        Slab slab = parts.cache().current();
        assertThat(slab.bytes.refCnt()).as("references to the slab").isEqualTo(1);
        parts.cache().discard(slab);
    }
}
