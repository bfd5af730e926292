package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.await;
import static io.millrace.broker.log.LogFixture.header;
import static io.millrace.broker.log.LogFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.LogFixture.Receipts;
import io.millrace.testkit.Behaviour;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A folder of each format that a released version wrote is kept among the resources and opens for ever. Each was filled
 * by {@link #fill} of its time.
 */
final class FolderFormatsTest {
    private static final int ENTRIES = 60;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"format-1", "format-2", "format-3", "format-4", "format-5"})
    @Behaviour("LOG-14")
    void aFolderOfAnOlderFormatOpensAndGoesOn(String format) throws Exception {
        Path kept = Path.of(getClass().getResource("/folders/" + format).toURI());
        LogFixture.copy(kept, folder.resolve("data"));
        goesOn(config(folder.resolve("data")));
    }

    /** An earlier version does not know all kinds of records, and says so at once instead of taking one for damage. */
    @ParameterizedTest
    @ValueSource(strings = {"format-1", "format-2", "format-3", "format-4", "format-5"})
    @Behaviour("LOG-14")
    void aFolderThatWasOpenedIsRefusedByEarlierVersionsThroughItsSnapshot(String format) throws Exception {
        Path kept = Path.of(getClass().getResource("/folders/" + format).toURI());
        Path data = folder.resolve("data");
        LogFixture.copy(kept, data);
        try (BrokerLog log = BrokerLog.open(config(data), new DiskFiles())) {
            await(log.openTopic("small-1"));
        }
        try (SnapshotWindow snapshot = SnapshotFile.open(new DiskFiles(), data)) {
            assertThat(SnapshotHead.format(snapshot)).isEqualTo(SnapshotHead.FORMAT);
        }
    }

    @Test
    @Behaviour("LOG-14")
    void aFolderOfThisFormatOpensAndGoesOn() throws Exception {
        fill(config(folder.resolve("data")));
        goesOn(config(folder.resolve("data")));
    }

    private static LogConfig config(Path data) {
        return LogConfig.defaults(data)
                .withJournal(8 * 1024, 3)
                .withLedgers(4 * 1024, 25)
                .withMemory(4 * 1024, 1 << 20);
    }

    /** Topics large and small, ledgers of their own and shared, acknowledgements of every kind, things deleted again. */
    private static void fill(LogConfig config) throws Exception {
        try (BrokerLog log = BrokerLog.open(config, new DiskFiles())) {
            for (int i = 0; i < 5; i++) {
                publish(await(log.openTopic("small-" + i)), 3, 1);
            }
            TopicLog large = await(log.openTopic("large"));
            CursorLog cursor = await(large.openCursor("partial", Position.BEFORE_ALL));
            await(large.setCursorProperties("partial", Map.of("format", "6")));
            List<Position> positions = publish(large, ENTRIES, 200);
            await(log.openTopic("gone"));
            await(log.deleteTopic("gone"));
            await(large.openCursor("gone", Position.BEFORE_ALL));
            await(large.deleteCursor("gone"));
            CompletableFuture<Long> durable = LogFixture.deltaNumber(cursor, 3);
            cursor.append(new CursorDelta.AckUpTo(positions.get(30)));
            cursor.append(new CursorDelta.AckEntries(List.of(positions.get(33), positions.get(40))));
            cursor.append(new CursorDelta.AckBatch(positions.get(50), new long[] {5}));
            await(durable);
        }
    }

    private static List<Position> publish(TopicLog topic, int count, int fillingBytes) {
        Receipts receipts = new Receipts();
        topic.listener(receipts);
        List<Position> positions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            positions.add(topic.append(header(i), text(message(topic.name(), i, fillingBytes))));
        }
        receipts.await(positions.get(count - 1));
        return positions;
    }

    private static String message(String topic, int number, int fillingBytes) {
        return topic + " " + number + " " + "x".repeat(fillingBytes);
    }

    private static void goesOn(LogConfig config) throws Exception {
        try (BrokerLog log = BrokerLog.open(config, new DiskFiles())) {
            assertThat(log.damages()).isEmpty();
            assertThat(log.topicNames()).hasSize(6).doesNotContain("gone");
            TopicLog large = await(log.openTopic("large"));
            List<String> texts = LogFixture.texts(large);
            assertThat(texts).hasSizeBetween(ENTRIES - 31, ENTRIES).endsWith(message("large", ENTRIES - 1, 200));
            CursorState state =
                    await(large.openCursor("partial", Position.BEFORE_ALL)).recovered();
            assertThat(large.cursorNames()).containsExactly("partial");
            assertThat(CursorStateTest.ackedAboveMark(state)).isEqualTo(2);
            assertThat(state.partialCount()).isEqualTo(1);
            assertThat(large.entriesBetween(large.next(state.markDelete()), large.next(large.lastDurable())))
                    .isEqualTo(ENTRIES - 31);
            for (int i = 0; i < 5; i++) {
                TopicLog small = await(log.openTopic("small-" + i));
                assertThat(LogFixture.texts(small)).hasSize(3).startsWith(message("small-" + i, 0, 1));
            }
            publish(large, 40, 300);
            assertThat(LogFixture.texts(large)).endsWith(message("large", 38, 300), message("large", 39, 300));
        }
        try (BrokerLog log = BrokerLog.open(config, new DiskFiles())) {
            assertThat(LogFixture.texts(await(log.openTopic("large")))).hasSizeGreaterThan(40);
        }
    }
}
