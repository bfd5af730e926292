package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.testkit.Behaviour;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class CursorChangeTest {
    private final LogConfig config =
            LogConfig.defaults(Path.of("/data")).withJournal(64 * 1024, 4).withUnpackedTopics(1);
    private final SimulatedDisk disk = new SimulatedDisk();

    @Test
    @Behaviour("NS-6")
    void cursorsOfSeveralTopicsAreMadeMovedAndDeletedTogether() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog one = await(log.openTopic("one"));
            TopicLog two = await(log.openTopic("two"));
            for (TopicLog topic : List.of(one, two)) {
                for (int i = 0; i < 3; i++) {
                    topic.append(LogFixture.header(1), LogFixture.text("m" + i));
                }
            }
            LogFixture.settle(log);
            await(two.openCursor("there", two.lastDurable()));
            await(log.change(new CursorChange()
                    .create(one, "there", Position.BEFORE_ALL, Map.of())
                    .create(two, "there", Position.BEFORE_ALL, Map.of())
                    .create(two, "new", Position.BEFORE_ALL, Map.of())));
            assertThat(one.cursorNames()).containsExactly("there");
            assertThat(two.cursorNames()).containsExactlyInAnyOrder("there", "new");
            assertThat(two.hasCursor("new")).isTrue();
            assertThat(one.hasCursor("new")).isFalse();
            assertThat(two.cursorCountWith(List.of("there", "another"))).isEqualTo(3);
            await(log.change(new CursorChange()
                    .pass(one, "there", one.lastDurable())
                    .reset(two, "there", Position.BEFORE_ALL)
                    .delete(two, "new")
                    .pass(two, "nobody's", two.lastDurable())
                    .delete(one, "nobody's")));
            assertThat(await(one.openCursor("there", Position.BEFORE_ALL))
                            .recovered()
                            .markDelete())
                    .isEqualTo(one.lastDurable());
        }
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            assertThat(cursors(log, "one")).containsExactly("there with 0");
            assertThat(cursors(log, "two")).containsExactly("there with 3");
        }
    }

    @Test
    void propertiesOfCursorsOfSeveralTopicsAreReplacedTogether() throws Exception {
        Map<String, String> before = Map.of("x", "1");
        Map<String, String> after = Map.of("y", "2", "z", "");
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog one = await(log.openTopic("one"));
            TopicLog two = await(log.openTopic("two"));
            await(one.openCursor("s", Position.BEFORE_ALL, before));
            await(two.openCursor("s", Position.BEFORE_ALL));
            await(two.openCursor("other", Position.BEFORE_ALL, before));
            await(log.change(new CursorChange()
                    .setProperties(one, "s", after)
                    .setProperties(two, "s", after)
                    .setProperties(two, "nobody's", after)));
            assertThat(properties(log, "one")).isEqualTo(Map.of("s", after));
            assertThat(properties(log, "two")).isEqualTo(Map.of("s", after, "other", before));
        }
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            assertThat(properties(log, "one")).isEqualTo(Map.of("s", after));
            assertThat(properties(log, "two")).isEqualTo(Map.of("s", after, "other", before));
        }
    }

    @Test
    void propertiesThatFitNoJournalFileTogetherAreRefusedAndChangeNothing() throws Exception {
        String longText = "x".repeat(40_000);
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            CursorChange change = new CursorChange();
            for (String name : List.of("one", "two")) {
                TopicLog topic = await(log.openTopic(name));
                await(topic.openCursor("s", Position.BEFORE_ALL));
                change.setProperties(topic, "s", Map.of("t", longText));
            }
            assertThatThrownBy(() -> log.change(change))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("many subscriptions");
            assertThat(properties(log, "one")).isEqualTo(Map.of("s", Map.of()));
        }
    }

    private static Map<String, Map<String, String>> properties(BrokerLog log, String topic) throws Exception {
        return await(log.facts(List.of(topic))).get(0).cursors().stream()
                .collect(Collectors.toMap(TopicFacts.CursorFacts::name, TopicFacts.CursorFacts::properties));
    }

    /** Whoever opens a cursor while a change makes or deletes it gets one that is durable, and there is one of each name. */
    @Test
    void cursorsAreOpenedWhileChangesMakeAndDeleteThem() throws Exception {
        int rounds = 300;
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog one = await(log.openTopic("one"));
            TopicLog two = await(log.openTopic("two"));
            Thread other = new Thread(() -> {
                for (int i = 0; i < rounds; i++) {
                    log.change(new CursorChange()
                            .create(one, "made" + i, Position.BEFORE_ALL, Map.of())
                            .create(two, "made" + i, Position.BEFORE_ALL, Map.of()));
                    log.change(new CursorChange().delete(one, "gone" + i).delete(two, "gone" + i));
                }
            });
            List<CompletionStage<CursorLog>> opened = new ArrayList<>();
            other.start();
            for (int i = 0; i < rounds; i++) {
                opened.add(two.openCursor("made" + i, Position.BEFORE_ALL));
                two.openCursor("gone" + i, Position.BEFORE_ALL);
            }
            other.join();
            for (CompletionStage<CursorLog> each : opened) {
                await(each);
            }
            LogFixture.settle(log);
            await(log.change(deletion(two, rounds)));
            LogFixture.settle(log);
            assertThat(two.cursorNames())
                    .allMatch(name -> name.startsWith("made"))
                    .hasSize(rounds);
            assertThat(cursors(log, "two")).hasSize(rounds);
        }
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            assertThat(cursors(log, "two")).hasSize(rounds);
            assertThat(cursors(log, "one")).hasSize(rounds);
        }
    }

    /** The caller may have a topic as it was before it was closed, packed and opened again. */
    @Test
    void cursorsThatAreMadeOfATopicAsItWasAreThoseOfTheTopicAsItIs() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog old = await(log.openTopic("t"));
            await(old.openCursor("other", Position.BEFORE_ALL));
            await(log.leaveTopic(old));
            await(log.openTopic("after it was packed"));
            TopicLog now = await(log.openTopic("t"));
            assertThat(now).isNotSameAs(old);
            await(now.openCursor("there", Position.BEFORE_ALL));
            await(log.change(new CursorChange()
                    .create(old, "new", Position.BEFORE_ALL, Map.of())
                    .create(old, "there", Position.BEFORE_ALL, Map.of())));
            assertThat(now.cursorNames()).containsExactlyInAnyOrder("other", "there", "new");
            await(now.openCursor("new", Position.BEFORE_ALL));
            assertThat(cursors(log, "t")).containsExactlyInAnyOrder("other with 0", "there with 0", "new with 0");
        }
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            assertThat(cursors(log, "t")).containsExactlyInAnyOrder("other with 0", "there with 0", "new with 0");
        }
    }

    /** The user of the topic makes the cursor while the change that makes it, too, is under way. */
    @Test
    void aCursorThatIsMadeTwiceAtOnceIsThereOnceAndHasTheUserThatOpenedIt() throws Exception {
        makeTwiceAtOnce(Map.of("x", "1"));
    }

    @Test
    void aCursorWithoutPropertiesThatIsMadeTwiceAtOnceIsThereOnce() throws Exception {
        makeTwiceAtOnce(Map.of());
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            assertThat(cursors(log, "t")).containsExactly("other with 1");
        }
    }

    private void makeTwiceAtOnce(Map<String, String> properties) throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog old = await(log.openTopic("t"));
            await(old.openCursor("other", Position.BEFORE_ALL));
            await(log.leaveTopic(old));
            await(log.openTopic("after it was packed"));
            TopicLog now = await(log.openTopic("t"));
            disk.hold(ForcePoint.JOURNAL_GROUP);
            CompletionStage<Void> changed =
                    log.change(new CursorChange().create(old, "new", Position.BEFORE_ALL, Map.of()));
            CompletionStage<CursorLog> opened = now.openCursor("new", Position.BEFORE_ALL, properties);
            disk.release(ForcePoint.JOURNAL_GROUP);
            await(changed);
            CursorLog cursor = await(opened);
            assertThat(cursors(log, "t")).containsExactlyInAnyOrder("other with 0", "new with 0");
            Position position = now.append(LogFixture.header(1), LogFixture.text("m"));
            await(now.facts());
            CompletableFuture<Long> durable = LogFixture.deltaNumber(cursor, 1);
            cursor.append(new CursorDelta.AckUpTo(position));
            await(durable);
            assertThat(cursors(log, "t")).containsExactlyInAnyOrder("other with 1", "new with 0");
            await(now.deleteCursor("new"));
            assertThat(now.cursorNames()).containsExactly("other");
            assertThat(cursors(log, "t")).containsExactly("other with 1");
        }
    }

    /** The one that makes it is held up between naming it in one topic and in the next. */
    @Test
    void aCursorThatIsDeletedWhileAChangeMakesItIsThereOrNot() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog one = await(log.openTopic("one"));
            TopicLog two = await(log.openTopic("two"));
            Thread making = new Thread(() -> log.change(new CursorChange()
                    .create(one, "s", Position.BEFORE_ALL, Map.of())
                    .create(two, "s", Position.BEFORE_ALL, Map.of())));
            Thread deleting = new Thread(() -> one.deleteCursor("s"));
            synchronized (two.cursors()) {
                making.start();
                awaitBlockedOrDone(making);
                deleting.start();
                awaitBlockedOrDone(deleting);
            }
            making.join();
            deleting.join();
            List<String> durable = cursors(log, "one");
            assertThat(durable)
                    .isEqualTo(one.cursorNames().stream()
                            .map(name -> name + " with 0")
                            .toList());
        }
    }

    private static void awaitBlockedOrDone(Thread thread) {
        while (thread.getState() != Thread.State.BLOCKED && thread.isAlive()) {
            Thread.onSpinWait();
        }
    }

    private static CursorChange deletion(TopicLog topic, int rounds) {
        CursorChange change = new CursorChange();
        for (int i = 0; i < rounds; i++) {
            change.delete(topic, "gone" + i);
        }
        return change;
    }

    @Test
    void aChangeThatFitsNoJournalFileIsRefusedAndChangesNothing() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic("t"));
            CursorChange change = new CursorChange();
            for (int i = 0; i < 2_000; i++) {
                change.create(topic, "subscription " + i, Position.BEFORE_ALL, Map.of());
            }
            assertThatThrownBy(() -> log.change(change))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("many subscriptions");
            assertThat(topic.cursorNames()).isEmpty();
        }
    }

    @Test
    void aClosedLogChangesNothing() throws Exception {
        BrokerLog log = BrokerLog.open(config, disk);
        TopicLog topic = await(log.openTopic("t"));
        log.close();
        CompletableFuture<Void> refused = log.change(
                        new CursorChange().create(topic, "s", Position.BEFORE_ALL, Map.of()))
                .toCompletableFuture();
        assertThat(refused).isCompletedExceptionally();
        assertThat(topic.cursorNames()).isEmpty();
    }

    private static List<String> cursors(BrokerLog log, String topic) throws Exception {
        return await(log.facts(List.of(topic))).get(0).cursors().stream()
                .map(cursor -> cursor.name() + " with " + cursor.backlogEntries())
                .toList();
    }
}
