package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.await;
import static io.millrace.broker.log.LogFixture.header;
import static io.millrace.broker.log.LogFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When topics were made and what happened last to them: on record, and told of topics that nobody opens. */
final class TopicTimesTest {
    private static final String NAME = "persistent://public/default/a";

    @TempDir
    Path folder;

    private final SimulatedDisk disk = new SimulatedDisk();
    private final LogConfig config =
            LogConfig.defaults(Path.of("/data")).withJournal(64 * 1024, 4).withUnpackedTopics(1);

    private static TopicFacts.Times times(BrokerLog log, String name) {
        return await(log.facts(List.of(name))).get(0).use().times();
    }

    private static Position publish(TopicLog topic, long publishTimeMillis) {
        LogFixture.Receipts receipts = new LogFixture.Receipts();
        topic.listener(receipts);
        Position position = topic.append(header(publishTimeMillis), text("one"));
        receipts.await(position);
        return position;
    }

    /** Has the log pack the topic: it packs those that are left once there are two. */
    private static void pack(BrokerLog log, TopicLog topic) {
        await(log.leaveTopic(topic));
        for (int i = 0; i < 20; i++) {
            await(log.leaveTopic(await(log.openTopic(NAME + i))));
        }
        assertThat(topic.isPacked()).isTrue();
    }

    @Test
    void aTopicSaysWhenItWasMadeForEver() throws Exception {
        TopicFacts.Times made;
        long before = System.currentTimeMillis();
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic(NAME));
            await(topic.openCursor("s", Position.BEFORE_ALL));
            long after = System.currentTimeMillis();
            made = times(log, NAME);
            assertThat(made.createdMillis()).isBetween(before, after);
            assertThat(made.publishedMillis()).isZero();
            assertThat(made.ledgerMillis()).isZero();
            pack(log, topic);
            assertThat(times(log, NAME)).isEqualTo(made);
        }
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            assertThat(times(log, NAME)).isEqualTo(made);
            await(log.openTopic(NAME));
            assertThat(times(log, NAME)).isEqualTo(made);
        }
    }

    @Test
    void oneThatIsMadeWithOthersSaysSoToo() throws Exception {
        long before = System.currentTimeMillis();
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            await(log.change(new LogChange().keepTopic("p-0").keepTopic("p-1", Map.of("s", Map.of()))));
            long after = System.currentTimeMillis();
            assertThat(times(log, "p-0").createdMillis()).isBetween(before, after);
            assertThat(times(log, "p-1").createdMillis()).isBetween(before, after);
        }
    }

    @Test
    void anEntryIsDatedByWhenItWasDurableNotByItsClient() throws Exception {
        TopicFacts.Times last;
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic(NAME));
            long before = System.currentTimeMillis();
            publish(topic, 1);
            long after = System.currentTimeMillis();
            last = times(log, NAME);
            assertThat(last.publishedMillis()).isBetween(before, after);
            assertThat(last.ledgerMillis()).isBetween(before, after);
            pack(log, topic);
            assertThat(times(log, NAME)).isEqualTo(last);
        }
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicFacts.Times found = times(log, NAME);
            assertThat(found.createdMillis()).isEqualTo(last.createdMillis());
            assertThat(found.ledgerMillis()).isEqualTo(last.ledgerMillis());
            assertThat(found.publishedMillis())
                    .as("by the snapshot, or by the entry in the journal, whose client's clock is behind")
                    .isBetween(last.publishedMillis(), System.currentTimeMillis());
        }
    }

    /** After a power loss the journal has the entries: they say when their client published them. */
    @Test
    void whatRecoveryFindsInTheJournalIsDatedByItsClient() throws Exception {
        BrokerLog killed = BrokerLog.open(config, disk);
        TopicLog topic = await(killed.openTopic(NAME));
        long latest = System.currentTimeMillis() - 5_000;
        publish(topic, latest);
        publish(topic, latest - 1_000);
        TopicFacts.Times before = times(killed, NAME);
        SimulatedDisk left = SimulatedDisk.upTo(disk.trace(), disk.changeCount());
        killed.close();
        try (BrokerLog log = BrokerLog.open(config, left)) {
            assertThat(times(log, NAME))
                    .isEqualTo(new TopicFacts.Times(before.createdMillis(), before.ledgerMillis(), latest));
        }
    }

    @Test
    void oneThatHoldsNothingIsDeletedThoughItIsDated() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            await(log.openTopic("empty"));
        }
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            assertThat(times(log, "empty").createdMillis()).isPositive();
            log.deleteEmptyTopics();
            await(log.openTopic("other"));
            assertThat(log.topicNames()).containsExactly("other");
        }
    }

    @Test
    void whatAnEarlierVersionDidNotDateIsNotKnownUntilItHappensAgain() throws Exception {
        Path data = folder.resolve("data");
        LogFixture.copy(Path.of(getClass().getResource("/folders/format-4").toURI()), data);
        LogConfig small = LogConfig.defaults(data)
                .withJournal(8 * 1024, 3)
                .withLedgers(4 * 1024, 25)
                .withMemory(4 * 1024, 1 << 20);
        long before = System.currentTimeMillis();
        try (BrokerLog log = BrokerLog.open(small, new DiskFiles())) {
            assertThat(times(log, "small-1").createdMillis()).isZero();
            assertThat(times(log, "small-1").ledgerMillis()).isZero();
            publish(await(log.openTopic("small-1")), 1);
            assertThat(times(log, "small-1").createdMillis()).isZero();
            assertThat(times(log, "small-1").publishedMillis()).isGreaterThanOrEqualTo(before);
        }
    }
}
