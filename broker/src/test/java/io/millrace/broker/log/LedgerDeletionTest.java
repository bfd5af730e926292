package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.await;
import static io.millrace.broker.log.LogFixture.header;
import static io.millrace.broker.log.LogFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.LogFixture.Receipts;
import io.millrace.testkit.Behaviour;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LedgerDeletionTest {
    @TempDir
    Path folder;

    @Test
    @Behaviour("LOG-8")
    void whatEverySubscriptionAcknowledgedIsDeletedAndTheRestStays() throws Exception {
        LogConfig config = LogConfig.defaults(folder)
                .withJournal(256 * 1024, 3)
                .withLedgers(128 * 1024, 1_000_000)
                .withMemory(64 * 1024, 1 << 20);
        Position third;
        try (BrokerLog log = BrokerLog.open(config, new DiskFiles())) {
            TopicLog topic = await(log.openTopic("a"));
            List<Position> positions = publish(topic, 2_000);
            Position last = positions.get(positions.size() - 1);
            assertThat(topic.firstKept())
                    .as("nothing is deleted without a subscription")
                    .isEqualTo(positions.get(0));
            CursorLog fast = await(topic.openCursor("fast", Position.BEFORE_ALL));
            CursorLog slow = await(topic.openCursor("slow", Position.BEFORE_ALL));
            long before = ledgerBytes();
            acknowledge(fast, last);
            LogFixture.settle(log);
            assertThat(topic.firstKept()).isEqualTo(positions.get(0));
            third = positions.get(800);
            acknowledge(slow, third);
            LogFixture.settle(log);
            assertThat(topic.firstKept().ledgerId()).isEqualTo(third.ledgerId());
            assertThat(ledgerBytes()).isLessThan(before);
            assertThat(LogFixture.texts(topic)).hasSize(2_000 - positions.indexOf(topic.firstKept()));
            assertThat(await(topic.read(positions.get(0), 1, 1)).get(0)).satisfies(entry -> {
                assertThat(entry.position()).isEqualTo(topic.firstKept());
                entry.release();
            });
            await(topic.deleteCursor("slow"));
            LogFixture.settle(log);
            assertThat(topic.firstKept().ledgerId())
                    .as("only the open ledger is left")
                    .isEqualTo(last.ledgerId());
        }
        try (BrokerLog log = BrokerLog.open(config, new DiskFiles())) {
            LogFixture.settle(log);
            TopicLog topic = await(log.openTopic("a"));
            assertThat(topic.lastDurable()).isGreaterThan(third);
            assertThat(topic.next(Position.BEFORE_ALL))
                    .as("who starts at the beginning of an emptied topic waits behind its last entry")
                    .isEqualTo(new Position(
                            topic.lastDurable().ledgerId(), topic.lastDurable().entryId() + 1));
            List<Position> more = publish(topic, 1);
            assertThat(more.get(0)).isGreaterThan(third);
            assertThat(log.damages()).isEmpty();
        }
    }

    @Test
    @Behaviour("LOG-8")
    void aFullLedgerGoesWithTheAcknowledgementOfItsLastEntry() throws Exception {
        LogConfig config =
                LogConfig.defaults(Path.of("/data")).withJournal(64 * 1024, 3).withLedgers(1 << 20, 2);
        try (BrokerLog log = BrokerLog.open(config, new SimulatedDisk())) {
            TopicLog topic = await(log.openTopic("a"));
            List<Position> positions = publish(topic, 3);
            CursorLog cursor = await(topic.openCursor("s", positions.get(0)));
            assertThat(topic.firstKept()).isEqualTo(positions.get(0));
            acknowledge(cursor, positions.get(1));
            await(topic.facts());
            await(topic.facts());
            assertThat(topic.firstKept()).isEqualTo(positions.get(2));
        }
    }

    @Test
    @Behaviour("LOG-8")
    void aDeletedTopicGivesItsSpaceBackAndItsNameIsFree() throws Exception {
        LogConfig config = LogConfig.defaults(folder).withJournal(256 * 1024, 3).withMemory(64 * 1024, 1 << 20);
        try (BrokerLog log = BrokerLog.open(config, new DiskFiles())) {
            publish(await(log.openTopic("a")), 2_000);
            await(log.deleteTopic("a"));
            assertThat(log.topicNames()).isEmpty();
            assertThat(LogFixture.texts(await(log.openTopic("a")))).isEmpty();
        }
        try (BrokerLog log = BrokerLog.open(config, new DiskFiles())) {
            assertThat(LogFixture.texts(await(log.openTopic("a")))).isEmpty();
            assertThat(log.damages()).isEmpty();
        }
    }

    @Test
    @Behaviour("LOG-8")
    void aLedgerThatNeverGotAnEntryDoesNotKeepThoseBehindIt() throws Exception {
        forEachKillThatLeavesAnEmptyLedger(1, log -> {
            TopicLog topic = await(log.openTopic("a"));
            List<Position> more = publish(topic, 2);
            acknowledge(await(topic.openCursor("s", Position.BEFORE_ALL)), more.get(1));
            LogFixture.settle(log);
            assertThat(topic.firstKept()).isEqualTo(more.get(1));
        });
    }

    @Test
    @Behaviour("LOG-8")
    void aFirstLedgerThatNeverGotAnEntryGoesHoweverFarSubscriptionsAre() throws Exception {
        forEachKillThatLeavesAnEmptyLedger(0, log -> {
            TopicLog topic = await(log.openTopic("a"));
            List<Position> more = publish(topic, 1);
            LogFixture.settle(log);
            assertThat(topic.table().first().last()).isEqualTo(more.get(0));
        });
    }

    /** A topic with a subscription gets so many entries and one more, for which a ledger is opened. */
    private static void forEachKillThatLeavesAnEmptyLedger(int entries, Consumer<BrokerLog> check) throws Exception {
        SimulatedDisk disk = new SimulatedDisk();
        LogConfig config =
                LogConfig.defaults(Path.of("/data")).withJournal(64 * 1024, 3).withLedgers(4 * 1024, 1);
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic("a"));
            await(topic.openCursor("s", Position.BEFORE_ALL));
            for (int i = 0; i < entries; i++) {
                publish(topic, 1);
            }
            Receipts receipts = new Receipts();
            topic.listener(receipts);
            receipts.await(topic.append(header(1), text("z".repeat(20_000))));
        }
        List<SimulatedDisk.Change> trace = disk.trace();
        int kills = 0;
        for (int changes = 1; changes < trace.size(); changes++) {
            try (BrokerLog log = BrokerLog.open(config, SimulatedDisk.upTo(trace, changes))) {
                if (log.topicNames().contains("a") && hasEmptyLedger(await(log.openTopic("a")))) {
                    kills++;
                    check.accept(log);
                }
            }
        }
        assertThat(kills)
                .as("kills between a ledger's record and its first entry")
                .isPositive();
    }

    @Test
    @Behaviour("LOG-2")
    void whatWasAskedForBehindADeletionThatFailedIsAnswered() throws Exception {
        SimulatedDisk disk = new SimulatedDisk();
        LogConfig config = LogConfig.defaults(Path.of("/data"))
                .withJournal(16 * 1024, 3)
                .withLedgers(4 * 1024, 1_000)
                .withMemory(4 * 1024, 1 << 20);
        BrokerLog log = BrokerLog.open(config, disk);
        TopicLog topic = await(log.openTopic("a"));
        publish(topic, 100);
        TopicLog other = await(log.openTopic("b"));
        disk.failDeletes(".ledger");
        disk.hold(ForcePoint.JOURNAL_GROUP);
        other.append(header(1), text("keeps the journal busy while one group is gathered"));
        disk.awaitHeld();
        CompletionStage<Void> deleted = log.deleteTopic("a");
        CompletionStage<TopicLog> made = log.openTopic("c");
        CompletionStage<CursorLog> cursor = other.openCursor("s", Position.BEFORE_ALL);
        disk.release(ForcePoint.JOURNAL_GROUP);
        for (CompletionStage<?> asked : List.of(deleted, made, cursor)) {
            assertThat(asked.toCompletableFuture())
                    .failsWithin(20, TimeUnit.SECONDS)
                    .withThrowableThat()
                    .withStackTraceContaining("cannot be deleted");
        }
        assertThat(log.state()).isEqualTo(LogState.FAILED);
        log.close();
    }

    private static boolean hasEmptyLedger(TopicLog topic) {
        Ledger last = topic.table().last();
        return last != null && last.entryCount() == 0;
    }

    private long ledgerBytes() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("ledgers"))) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        }
    }

    private static List<Position> publish(TopicLog topic, int count) {
        Receipts receipts = new Receipts();
        topic.listener(receipts);
        List<Position> positions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            positions.add(topic.append(header(i), text("y".repeat(500))));
        }
        receipts.await(positions.get(count - 1));
        return positions;
    }

    private static void acknowledge(CursorLog cursor, Position upTo) {
        var durable = LogFixture.deltaNumber(cursor, 1);
        cursor.append(new CursorDelta.AckUpTo(upTo));
        await(durable);
    }
}
