package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.await;
import static io.millrace.broker.log.LogFixture.header;
import static io.millrace.broker.log.LogFixture.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.testkit.Behaviour;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LogChangeTest {
    private final LogConfig config =
            LogConfig.defaults(Path.of("/data")).withJournal(16 * 1024, 4).withUnpackedTopics(1);
    private SimulatedDisk disk = new SimulatedDisk();

    @Test
    @Behaviour("NS-2")
    void valuesAndTopicsComeBackFromTheJournalAndFromTheSnapshot() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            await(log.change(new LogChange()
                    .set("a", bytes("1"))
                    .set("b", bytes(""))
                    .keepTopic("x-0")
                    .keepTopic("x-1")));
            await(log.change(new LogChange().set("a", bytes("2")).remove("none")));
            assertThat(texts(log)).isEqualTo(Map.of("a", "2", "b", ""));
            assertThat(new String(log.value("a"), StandardCharsets.UTF_8)).isEqualTo("2");
            assertThat(log.value("none")).isNull();
            assertThat(log.hasTopic("x-1")).isTrue();
        }
        for (int i = 0; i < 3; i++) {
            try (BrokerLog log = BrokerLog.open(config, disk)) {
                assertThat(texts(log)).isEqualTo(Map.of("a", "2", "b", ""));
                assertThat(log.topicNames()).containsExactlyInAnyOrder("x-0", "x-1");
                fillJournal(log);
            }
        }
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            await(log.change(new LogChange().remove("a").deleteTopic("x-0").deleteTopic("other")));
            assertThat(log.hasTopic("x-0")).isFalse();
        }
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            assertThat(texts(log)).isEqualTo(Map.of("b", ""));
            assertThat(log.topicNames()).containsExactlyInAnyOrder("x-1");
        }
    }

    @Test
    void aTopicThatIsKeptOutlivesItsUserAndTheDeletionOfEmptyOnes() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            await(log.openTopic("was there"));
            await(log.change(new LogChange().keepTopic("was there").keepTopic("new")));
            for (String name : List.of("was there", "new")) {
                await(log.leaveTopic(await(log.openTopic(name))));
            }
            log.deleteEmptyTopics();
            LogFixture.settle(log);
            assertThat(log.topicNames()).containsExactlyInAnyOrder("was there", "new");
        }
    }

    @Test
    void aTopicThatIsLeftWhileAChangeKeepsItIsKept() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic("x"));
            disk.hold(ForcePoint.JOURNAL_GROUP);
            CompletionStage<Void> kept = log.change(new LogChange().keepTopic("x"));
            CompletionStage<Void> left = log.leaveTopic(topic);
            disk.release(ForcePoint.JOURNAL_GROUP);
            await(kept);
            await(left);
            assertThat(log.topicNames()).containsExactly("x");
        }
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            assertThat(log.topicNames()).containsExactly("x");
            await(log.deleteTopic("x"));
            await(log.leaveTopic(await(log.openTopic("x"))));
            assertThat(log.topicNames()).as("it is as any other then").isEmpty();
        }
    }

    /** The deletion of empty topics comes to it after the change was queued and before it is durable. */
    @Test
    void aTopicThatAChangeKeepsOutlivesTheDeletionOfEmptyOnesThatIsUnderWay() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            await(log.openTopic("x"));
        }
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            disk.hold(ForcePoint.JOURNAL_GROUP);
            CompletionStage<Void> before = log.change(new LogChange().set("v", bytes("1")));
            disk.awaitHeld();
            log.deleteEmptyTopics();
            CompletionStage<Void> kept = log.change(new LogChange().keepTopic("x"));
            disk.release(ForcePoint.JOURNAL_GROUP);
            await(before);
            await(kept);
            assertThat(log.topicNames()).containsExactly("x");
        }
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            assertThat(log.topicNames()).containsExactly("x");
        }
    }

    @Test
    void aTopicThatIsOpenedWhileItIsMadeIsThereOnce() throws Exception {
        int rounds = 10_000;
        LogConfig roomy = LogConfig.defaults(Path.of("/data"));
        try (BrokerLog log = BrokerLog.open(roomy, disk)) {
            AtomicInteger begun = new AtomicInteger();
            AtomicInteger opened = new AtomicInteger();
            Thread opening = new Thread(() -> {
                for (int i = 0; i < rounds; i++) {
                    awaitMoreThan(i, begun);
                    spin(i % 100);
                    await(log.openTopic("t" + i));
                    opened.incrementAndGet();
                }
            });
            opening.start();
            for (int i = 0; i < rounds; i++) {
                begun.incrementAndGet();
                spin(i % 7);
                await(log.change(new LogChange().keepTopic("t" + i)));
                if (!opening.isAlive()) {
                    break;
                }
            }
            opening.join();
            assertThat(opened).hasValue(rounds);
        }
        List<String> names = FolderCheck.run(roomy.data(), disk).topics().stream()
                .map(FolderState.Topic::name)
                .toList();
        assertThat(names).hasSize(rounds).doesNotHaveDuplicates();
    }

    @Test
    void aTopicInUseIsNotDeletedAndThenNothingElseIsChanged() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            await(log.change(
                    new LogChange().set("v", bytes("1")).keepTopic("free").keepTopic("used")));
            TopicLog used = await(log.openTopic("used"));
            LogChange change = new LogChange()
                    .remove("v")
                    .keepTopic("more")
                    .deleteTopic("free")
                    .deleteTopic("used");
            assertThatThrownBy(() -> await(log.change(change))).hasStackTraceContaining("used is in use");
            assertThat(log.topicNames()).containsExactlyInAnyOrder("free", "used");
            await(log.leaveTopic(used));
            await(log.change(change));
            assertThat(log.topicNames()).containsExactly("more");
        }
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            assertThat(log.topicNames()).containsExactly("more");
            assertThat(log.values()).isEmpty();
        }
    }

    @Test
    void whoeverListensHearsOfEachTopicOnceItIsDurable() throws Exception {
        List<String> heard = new CopyOnWriteArrayList<>();
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            log.onTopics(new TopicNames() {
                @Override
                public void made(String topic) {
                    heard.add("+" + topic);
                }

                @Override
                public void gone(String topic) {
                    heard.add("-" + topic);
                }
            });
            await(log.change(new LogChange().keepTopic("a").keepTopic("b")));
            TopicLog opened = await(log.openTopic("c"));
            await(log.leaveTopic(opened));
            await(log.openTopic("d"));
            await(log.deleteTopic("d"));
            await(log.change(new LogChange().deleteTopic("a")));
            assertThat(heard).containsExactly("+a", "+b", "+c", "-c", "+d", "-d", "-a");
        }
    }

    @Test
    void aChangeThatFitsNoJournalFileIsRefusedAndChangesNothing() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            LogChange change = new LogChange();
            for (int i = 0; i < 1_000; i++) {
                change.keepTopic("topic-" + i);
            }
            assertThatThrownBy(() -> log.change(change))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("many topics");
            assertThat(log.topicNames()).isEmpty();
        }
    }

    /** Counted in 32 bits, 3 GiB were less than nothing. */
    @Test
    void aChangeThatNoRecordHoldsIsRefusedAndChangesNothing() throws Exception {
        Map<String, Map<String, String>> cursors = Map.of("s", Map.of("k", "v".repeat(48 << 10)));
        List<String> names =
                IntStream.range(0, 1 << 16).mapToObj(i -> "topic-" + i).toList();
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            LogChange change = new LogChange().keepTopics(names, cursors);
            assertThat(change.bytes()).isGreaterThan(3L << 30);
            assertThatThrownBy(() -> log.change(change))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("does not fit journal files");
            assertThat(log.topicNames()).isEmpty();
        }
    }

    @Test
    void changesOfCursorsThatNoRecordHoldsAreRefused() throws Exception {
        Map<String, String> properties = Map.of("k", "v".repeat(32 << 20));
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic("t"));
            CursorChange change = new CursorChange();
            for (int i = 0; i < 80; i++) {
                change.setProperties(topic, "s" + i, properties);
            }
            assertThatThrownBy(() -> log.change(change))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("does not fit journal files");
        }
    }

    @Test
    @Behaviour({"NS-2", "LOG-14"})
    void aDamagedValueIsToldAndKeptAndTheOthersAreRead() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            await(log.change(new LogChange().set("good", bytes("1")).set("broken", bytes("broken-value"))));
        }
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            fillJournal(log);
        }
        disk = SimulatedDisk.upTo(disk.trace(), disk.changeCount());
        Path snapshot = SnapshotFile.path(config.data());
        disk.flip(snapshot, new String(disk.bytes(snapshot), StandardCharsets.ISO_8859_1).indexOf("broken-value") + 1);
        FolderState found = FolderCheck.run(config.data(), disk);
        assertThat(found.values()).containsExactly("good");
        assertThat(found.lost()).extracting(FolderState.Lost::topic).containsExactly("broken");
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            assertThat(texts(log)).isEqualTo(Map.of("good", "1"));
            assertThat(log.isUnreadable("broken")).isTrue();
            assertThat(log.isUnreadable("good")).isFalse();
            fillJournal(log);
        }
        assertThat(FolderRepair.run(config.data(), disk).isSound()).isFalse();
        assertThat(FolderCheck.run(config.data(), disk).isSound()).isTrue();
    }

    /** So many changes that a checkpoint writes a snapshot. */
    private static void awaitMoreThan(int bound, AtomicInteger count) {
        while (count.get() <= bound) {
            Thread.onSpinWait();
        }
    }

    private static void spin(int turns) {
        for (int i = 0; i < turns; i++) {
            Thread.onSpinWait();
        }
    }

    private static void fillJournal(BrokerLog log) {
        for (int i = 0; i < 40; i++) {
            await(log.change(new LogChange().set("filling", new byte[2_000])));
        }
        await(log.change(new LogChange().remove("filling")));
        TopicLog topic = await(log.openTopic("filling"));
        LogFixture.Receipts receipts = new LogFixture.Receipts();
        topic.listener(receipts);
        receipts.await(topic.append(header(1), text("filling")));
        await(log.deleteTopic("filling"));
    }

    private static Map<String, String> texts(BrokerLog log) {
        Map<String, String> texts = new TreeMap<>();
        log.values().forEach((name, value) -> texts.put(name, new String(value, StandardCharsets.UTF_8)));
        return texts;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
