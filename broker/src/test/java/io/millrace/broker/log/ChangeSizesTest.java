package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.testkit.Behaviour;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a change says that it takes of the journal: a larger record would fit none of its files, and be waited for for ever. */
@Timeout(60)
final class ChangeSizesTest {
    private static final Path JOURNAL = Path.of("/data/journal/00000000.journal");
    private static final Map<String, String> PROPERTIES = Map.of("kéy", "välue", "x", "");

    private final LogConfig config = LogConfig.defaults(Path.of("/data")).withJournal(16 * 1024, 4);
    private final SimulatedDisk disk = new SimulatedDisk();
    /** The largest body of a record. */
    private final int maxBytes = config.maxFrameBytes() - Frame.HEAD_BYTES;

    @Test
    @Behaviour("LOG-13")
    void aChangeOfTheLogTakesNoMoreThanItSays() throws Exception {
        List<LogChange> changes = List.of(
                new LogChange().set("näme", new byte[5]),
                new LogChange().remove("näme"),
                new LogChange().keepTopic("töpic"),
                new LogChange().keepTopic("töpic with a cursor", Map.of("cürsor", Map.of())),
                new LogChange().keepTopic("töpic with properties", Map.of("cürsor", PROPERTIES, "c", PROPERTIES)),
                new LogChange().deleteTopic("töpic"));
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            for (LogChange change : changes) {
                await(log.change(change));
                long written = lastBatchBytes();
                assertThat(change.bytes()).as("%s", change.steps()).isBetween(written, written + 32);
            }
        }
    }

    @Test
    @Behaviour("LOG-13")
    void aChangeOfCursorsTakesWhatItSays() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic("t"));
            List<CursorChange> changes = List.of(
                    new CursorChange().create(topic, "cürsor", Position.BEFORE_ALL, Map.of()),
                    new CursorChange().create(topic, "other", Position.BEFORE_ALL, PROPERTIES),
                    new CursorChange().setProperties(topic, "cürsor", PROPERTIES),
                    new CursorChange().pass(topic, "cürsor", new Position(1, 1)),
                    new CursorChange().reset(topic, "cürsor", new Position(1, 1)),
                    new CursorChange().delete(topic, "cürsor"));
            for (CursorChange change : changes) {
                await(log.change(change));
                assertThat(change.bytes()).as("%s", change.steps()).isEqualTo(lastBatchBytes());
            }
        }
    }

    @Test
    @Behaviour("LOG-13")
    void theLargestValueThatFitsAJournalFileIsStoredAndALargerOneIsRefused() throws Exception {
        int largest = (int) (maxBytes - new LogChange().set("v", new byte[0]).bytes());
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            LogChange tooLarge = new LogChange().set("v", new byte[largest + 1]);
            refuses(() -> log.change(tooLarge));
            await(log.change(new LogChange().set("v", new byte[largest])));
        }
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            assertThat(log.value("v")).hasSize(largest);
            assertThat(log.damages()).isEmpty();
        }
    }

    @Test
    @Behaviour("LOG-13")
    void theLongestNameOfAValueIsStoredAndALongerOneIsRefused() throws Exception {
        LogConfig roomy = config.withJournal(256 * 1024, 3);
        String longest = "é".repeat(32_767) + "v";
        try (BrokerLog log = BrokerLog.open(roomy, disk)) {
            assertThatThrownBy(() -> new LogChange().set("w" + longest, new byte[1]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("65536 bytes, but at most 65535");
            await(log.change(new LogChange().set(longest, new byte[] {1})));
        }
        try (BrokerLog log = BrokerLog.open(roomy, disk)) {
            assertThat(log.value(longest)).containsExactly(1);
            assertThat(log.damages()).isEmpty();
        }
    }

    @Test
    @Behaviour("LOG-13")
    void theLargestPropertiesOfACursorThatFitAJournalFileAreStoredAndLargerOnesAreRefused() throws Exception {
        int textBytes = CursorProperties.encode(text(0)).length;
        int creationBytes = TopicCursors.creation("a", Position.BEFORE_ALL).length;
        int opened = maxBytes - 2 * LogBatch.STEP_HEAD_BYTES - creationBytes - textBytes;
        int changed = maxBytes - LogBatch.STEP_HEAD_BYTES - textBytes;
        int set = maxBytes - textBytes;
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic("t"));
            refuses(() -> topic.openCursor("a", Position.BEFORE_ALL, text(opened + 1)));
            assertThat(topic.cursorNames()).isEmpty();
            await(topic.openCursor("a", Position.BEFORE_ALL, text(opened)));
            await(topic.openCursor("b", Position.BEFORE_ALL));
            refuses(() -> log.change(new CursorChange().setProperties(topic, "b", text(changed + 1))));
            await(log.change(new CursorChange().setProperties(topic, "b", text(changed))));
            await(topic.openCursor("c", Position.BEFORE_ALL));
            refuses(() -> topic.setCursorProperties("c", text(set + 1)));
            await(topic.setCursorProperties("c", text(set)));
            refuses(() -> log.change(new CursorChange().create(topic, "d", Position.BEFORE_ALL, text(opened + 1))));
            await(log.change(new CursorChange().create(topic, "d", Position.BEFORE_ALL, text(opened))));
        }
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            assertThat(properties(log))
                    .isEqualTo(Map.of("a", text(opened), "b", text(changed), "c", text(set), "d", text(opened)));
            assertThat(log.damages()).isEmpty();
        }
    }

    private static void refuses(ThrowingCallable change) {
        assertThatThrownBy(change)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("does not fit journal files");
    }

    private static Map<String, String> text(int bytes) {
        return Map.of("p", "x".repeat(bytes));
    }

    private static Map<String, Map<String, String>> properties(BrokerLog log) {
        return await(log.facts(List.of("t"))).get(0).cursors().stream()
                .collect(Collectors.toMap(TopicFacts.CursorFacts::name, TopicFacts.CursorFacts::properties));
    }

    /** The body of the last record of changes that are made together. */
    private int lastBatchBytes() throws IOException {
        long salt = Snapshot.head(Path.of("snapshot"), SnapshotFile.open(disk, config.data()))
                .salt();
        Frame frame = new Frame(salt);
        ByteBuffer journal = ByteBuffer.wrap(disk.bytes(JOURNAL));
        int bytes = -1;
        for (int at = 0; frame.isHead(journal, at); at += Frame.frameBytes(journal, at)) {
            bytes = Frame.type(journal, at) == Frame.BATCH ? Frame.bodyBytes(journal, at) : bytes;
        }
        return bytes;
    }
}
