package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What users say of a subscription is there after restarts, power cuts and packing, and goes with the subscription. */
final class CursorPropertiesTest {
    private static final String NAME = "persistent://public/default/a";
    private static final Map<String, String> X = Map.of("x", "1", "", "empty", "ä\n", "ß");
    private static final Map<String, String> Y = Map.of("y", "2");
    private static final int LONG_TEXT_CHARS = 10_000;

    private final LogConfig config =
            LogConfig.defaults(Path.of("/data")).withJournal(64 * 1024, 4).withUnpackedTopics(1);

    private SimulatedDisk disk = new SimulatedDisk();

    private void restart() throws Exception {
        BrokerLog.open(config, disk).close();
    }

    /** The properties by the names of the cursors. */
    private static Map<String, Map<String, String>> all(BrokerLog log) throws Exception {
        Map<String, Map<String, String>> all = new TreeMap<>();
        for (TopicFacts facts : await(log.facts(List.of(NAME)))) {
            facts.cursors().forEach(cursor -> all.put(cursor.name(), cursor.properties()));
        }
        return all;
    }

    /** Folders have them that were written before. */
    @Test
    void theyHaveTheBytesThatTheyAlwaysHad() {
        byte[] stored = HexFormat.of().parseHex("00000002" + "0000000161" + "00000000" + "0000000162" + "00000002c39f");
        assertThat(CursorProperties.encode(Map.of("b", "ß", "a", ""))).isEqualTo(stored);
        assertThat(CursorProperties.decode(stored)).isEqualTo(Map.of("b", "ß", "a", ""));
        assertThat(CursorProperties.encode(Map.of())).isEmpty();
        assertThat(CursorProperties.decode(new byte[0])).isEmpty();
    }

    @Test
    void theyAreThereAtOnceAndAfterRestarts() throws Exception {
        for (boolean hasTopicProperty : new boolean[] {false, true}) {
            disk = new SimulatedDisk();
            try (BrokerLog log = BrokerLog.open(config, disk)) {
                TopicLog topic = await(log.openTopic(NAME));
                if (hasTopicProperty) {
                    await(topic.setProperty("epoch", new byte[] {1}));
                }
                await(topic.openCursor("made", Position.BEFORE_ALL, X));
                await(topic.openCursor("plain", Position.BEFORE_ALL));
                await(topic.openCursor("changed", Position.BEFORE_ALL, X));
                assertThat(await(topic.setCursorProperties("changed", Y))).isTrue();
                await(topic.openCursor("emptied", Position.BEFORE_ALL, X));
                assertThat(await(topic.setCursorProperties("emptied", Map.of())))
                        .isTrue();
                assertThat(await(topic.setCursorProperties("none", Y))).isFalse();
                await(topic.openCursor("made", Position.BEFORE_ALL, Y));
                assertHolds(log);
            }
            for (int i = 0; i < 2; i++) {
                try (BrokerLog log = BrokerLog.open(config, disk)) {
                    assertHolds(log);
                    assertThat(await(log.openTopic(NAME)).property("epoch") != null)
                            .isEqualTo(hasTopicProperty);
                }
                restart();
            }
        }
    }

    private static void assertHolds(BrokerLog log) throws Exception {
        assertThat(all(log)).isEqualTo(Map.of("made", X, "plain", Map.of(), "changed", Y, "emptied", Map.of()));
    }

    @Test
    void theyComeBackWhenTheTopicWasPacked() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic(NAME));
            await(topic.openCursor("s", Position.BEFORE_ALL, X));
            await(log.leaveTopic(topic));
            await(log.leaveTopic(await(log.openTopic("another"))));
            assertThat(all(log)).isEqualTo(Map.of("s", X));
            TopicLog again = await(log.openTopic(NAME));
            assertThat(again).isNotSameAs(topic);
            assertThat(await(again.setCursorProperties("s", Y))).isTrue();
            assertThat(all(log)).isEqualTo(Map.of("s", Y));
        }
    }

    @Test
    void aCursorIsNeverThereWithoutThePropertiesItWasMadeWith() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic(NAME));
            for (int i = 0; i < 3; i++) {
                await(topic.openCursor("s" + i, Position.BEFORE_ALL, X));
            }
        }
        int found = 0;
        for (int changes = 0; changes <= disk.changeCount(); changes++) {
            found += cursorsWithX(SimulatedDisk.upTo(disk.trace(), changes));
            found += cursorsWithX(SimulatedDisk.afterPowerLoss(disk.trace(), changes, changes, null));
        }
        assertThat(found).as("cursors that were found").isPositive();
    }

    /** How many cursors there are, all of which must have the properties. */
    private int cursorsWithX(SimulatedDisk left) throws Exception {
        try (BrokerLog log = BrokerLog.open(config, left)) {
            Map<String, Map<String, String>> all = all(log);
            assertThat(all.values()).allMatch(X::equals);
            return all.size();
        }
    }

    @Test
    void oneThatIsMadeAnewHasNoneOfTheOldOne() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic(NAME));
            await(topic.openCursor("s", Position.BEFORE_ALL, X));
            var deleted = topic.deleteCursor("s");
            var made = topic.openCursor("s", Position.BEFORE_ALL);
            await(deleted);
            await(made);
            assertThat(all(log)).isEqualTo(Map.of("s", Map.of()));
        }
    }

    /** The record that makes a cursor with properties must not name it again after it was deleted. */
    @Test
    void oneThatIsDeletedAtOnceIsGone() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic(NAME));
            for (int i = 0; i < 100; i++) {
                var made = topic.openCursor("s", Position.BEFORE_ALL, X);
                await(topic.deleteCursor("s"));
                assertThat(made.toCompletableFuture()).isDone();
                assertThat(topic.cursorNames()).isEmpty();
            }
            assertThat(all(log)).isEmpty();
        }
    }

    @Test
    void whatTheyTakeIsCountedOnceUntilTheyAreGone() throws Exception {
        String longText = "x".repeat(LONG_TEXT_CHARS);
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic(NAME));
            long before = log.storedBytes();
            await(topic.openCursor("s", Position.BEFORE_ALL, Map.of("t", longText)));
            await(topic.openCursor("t", Position.BEFORE_ALL, Map.of("t", longText)));
            assertThat(log.storedBytes() - before).isBetween(2L * LONG_TEXT_CHARS, 2L * LONG_TEXT_CHARS + 200);
            await(topic.setCursorProperties("s", Map.of()));
            assertThat(log.storedBytes() - before).isBetween((long) LONG_TEXT_CHARS, LONG_TEXT_CHARS + 100L);
            await(log.leaveTopic(topic));
            await(log.leaveTopic(await(log.openTopic("another"))));
            assertThat(log.storedBytes() - before).isBetween((long) LONG_TEXT_CHARS, LONG_TEXT_CHARS + 1_000L);
            TopicLog again = await(log.openTopic(NAME));
            assertThat(log.storedBytes() - before).isBetween((long) LONG_TEXT_CHARS, LONG_TEXT_CHARS + 1_000L);
            await(again.deleteCursor("t"));
            assertThat(log.storedBytes() - before).isLessThan(1_000);
            await(again.openCursor("t", Position.BEFORE_ALL, Map.of("t", longText)));
            await(log.deleteTopic(NAME));
            assertThat(log.storedBytes() - before).isLessThan(1_000);
        }
    }

    @Test
    void whatFitsNoJournalFileIsRefused() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic(NAME));
            Map<String, String> tooLong = Map.of("x", "x".repeat(64 * 1024));
            assertThatThrownBy(() -> topic.openCursor("s", Position.BEFORE_ALL, tooLong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("properties");
            await(topic.openCursor("s", Position.BEFORE_ALL, X));
            assertThatThrownBy(() -> topic.setCursorProperties("s", tooLong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("properties");
            assertThat(all(log)).isEqualTo(Map.of("s", X));
        }
    }
}
