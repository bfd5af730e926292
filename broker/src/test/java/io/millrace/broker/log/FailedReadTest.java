package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.await;
import static io.millrace.broker.log.LogFixture.header;
import static io.millrace.broker.log.LogFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.JournalItem.EntryItem;
import io.millrace.broker.log.LogFixture.Receipts;
import io.millrace.testkit.Behaviour;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class FailedReadTest {
    @Test
    @Behaviour("LOG-12")
    void aReadThatFailsHalfwayGivesBackWhatItHadRead() throws Exception {
        SimulatedDisk disk = new SimulatedDisk();
        Path folder = Path.of("/data");
        LogConfig config = LogConfig.defaults(folder)
                .withJournal(256 * 1024, 2)
                .withLedgers(1 << 20, 300)
                .withMemory(64 * 1024, 1 << 20);
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic("a"));
            Receipts receipts = new Receipts();
            topic.listener(receipts);
            for (int i = 0; i < 1_000; i++) {
                receipts.await(topic.append(header(i), text("y".repeat(1_000))));
            }
            LogFixture.settle(log);
            Ledger ledger = topic.table().ledgers()[1];
            Extent extent = ledger.extents()[0];
            Position good = new Position(topic.table().first().id, 0);
            Position bad = new Position(ledger.id, extent.firstEntry());
            disk.failReads(LogFolder.ledgerFile(folder, ledger, extent), 0, Long.MAX_VALUE);
            assertThat(topic.cached(good)).isNull();
            assertThat(topic.cached(bad)).isNull();
            for (int attempt = 0; attempt < 3; attempt++) {
                assertThat(topic.read(List.of(good, bad)).toCompletableFuture())
                        .failsWithin(20, TimeUnit.SECONDS)
                        .withThrowableThat()
                        .withStackTraceContaining("cannot be read");
                assertThat(log.readMemoryBytes()).isZero();
            }
        }
    }

    @Test
    @Behaviour("LOG-12")
    void aReadThatComesTooLateForTheWorkersGivesBackWhatTheCacheHad() throws Exception {
        LogParts parts = LogParts.create(LogConfig.defaults(Path.of("/data")), new SimulatedDisk(), 1);
        TopicLog topic = new TopicLog(parts, 1, "a");
        EntryItem entry = new EntryItem(topic.ledgerOpened(1), 0, header(1), text("cached"));
        JournalGroup group = new JournalGroup(new Frame(1), parts.reading().cache());
        group.begin(1);
        assertThat(group.makeRoom(entry)).isTrue();
        group.add(entry);
        group.done();
        parts.reading().reader().close();
        assertThat(topic.read(List.of(new Position(1, 0), new Position(1, 1))).toCompletableFuture())
                .failsWithin(20, TimeUnit.SECONDS)
                .withThrowableThat()
                .withCauseInstanceOf(LogUnavailableException.class);
        Slab slab = parts.reading().cache().current();
        assertThat(slab.bytes.refCnt()).as("references to the slab").isEqualTo(1);
        parts.reading().cache().discard(slab);
    }
}
