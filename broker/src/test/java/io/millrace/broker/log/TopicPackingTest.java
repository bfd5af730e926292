package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.await;
import static io.millrace.broker.log.LogFixture.header;
import static io.millrace.broker.log.LogFixture.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.testkit.Behaviour;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Topics that nobody uses are packed, and are as they were when they are opened again. */
final class TopicPackingTest {
    private static final String NAME = "persistent://public/default/a";
    private final SimulatedDisk disk = new SimulatedDisk();
    private final LogConfig config =
            LogConfig.defaults(Path.of("/data")).withJournal(64 * 1024, 4).withUnpackedTopics(1);

    @Test
    @Behaviour("LOG-15")
    void aTopicThatNobodyUsesIsPackedAndComesBackAsItWas() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic(NAME));
            Position first = publish(topic, "one");
            Position second = publish(topic, "two");
            publish(topic, "three");
            acknowledge(topic, second);
            TopicLog again = leaveAndReopen(log, topic);
            assertThat(again).isNotSameAs(topic);
            assertThat(LogFixture.texts(topic))
                    .as("what is left of the old one")
                    .isEmpty();
            assertThat(LogFixture.texts(again)).containsExactly("one", "two", "three");
            CursorState cursor =
                    await(again.openCursor("s", Position.BEFORE_ALL)).recovered();
            assertThat(cursor.isAcked(second)).isTrue();
            assertThat(cursor.isAcked(first)).isFalse();
        }
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            assertThat(LogFixture.texts(await(log.openTopic(NAME)))).containsExactly("one", "two", "three");
        }
    }

    @Test
    void lookingAtATopicThatIsPackedLeavesItSo() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic(NAME));
            publish(topic, "one");
            Position second = publish(topic, "two");
            publish(topic, "three");
            acknowledge(topic, second);
            TopicFacts open = await(log.facts(List.of("persistent://public/default/none", NAME)))
                    .get(0);
            assertThat(open.use())
                    .isEqualTo(new TopicFacts.Use(
                            true, false, 3, open.use().bytesIn(), open.use().times()));
            for (int i = 0; i < 20; i++) {
                await(log.leaveTopic(await(log.openTopic(NAME))));
                await(log.leaveTopic(await(log.openTopic(NAME + i))));
            }
            TopicFacts left = await(log.facts(List.of(NAME))).get(0);
            assertThat(left.use().isOpen()).isFalse();
            assertThat(left.entries()).isEqualTo(3);
            assertThat(left.bytes()).isPositive();
            assertThat(left.cursors()).singleElement().satisfies(cursor -> {
                assertThat(cursor.backlogEntries()).isEqualTo(2);
                assertThat(cursor.ackedRanges()).hasSize(1);
            });
            assertThat(log.usedTopics()).isZero();
        }
    }

    @Test
    void aTopicGoesOnInItsLedgerAfterItWasPacked() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic(NAME));
            Position first = publish(topic, "one");
            for (int i = 1; i < 20; i++) {
                topic = leaveAndReopen(log, topic);
                assertThat(publish(topic, "one")).isEqualTo(new Position(first.ledgerId(), i));
                assertThat(topic.entriesBetween(first, topic.next(topic.lastDurable())))
                        .isEqualTo(i + 1);
            }
            assertThat(LogFixture.texts(topic)).hasSize(20);
        }
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            assertThat(LogFixture.texts(await(log.openTopic(NAME)))).hasSize(20);
        }
    }

    /** Two who hurry: the one that opens it while the other leaves gets a topic that works. */
    @Test
    void aTopicThatIsOpenedWhileItIsLeftIsInUse() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic(NAME));
            for (int i = 0; i < 200; i++) {
                publish(topic, "one");
                log.leaveTopic(topic);
                topic = await(log.openTopic(NAME));
                assertThat(topic.isPacked()).isFalse();
            }
            assertThat(LogFixture.texts(topic)).hasSize(200);
        }
    }

    @Test
    void aPackedTopicCanBeDeletedAndMadeAnew() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic(NAME));
            publish(topic, "one");
            await(log.leaveTopic(topic));
            await(log.deleteTopic(NAME));
            assertThat(log.topicNames()).isEmpty();
            assertThat(LogFixture.texts(await(log.openTopic(NAME)))).isEmpty();
            await(log.deleteTopic(NAME));
        }
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            assertThat(log.topicNames()).isEmpty();
        }
    }

    @Test
    void aSubscriptionThatWasDeletedStaysSoAfterARestartThoughTheTopicWasPacked() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic(NAME));
            acknowledge(topic, publish(topic, "one"));
            await(log.leaveTopic(topic));
        }
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic(NAME));
            await(topic.deleteCursor("s"));
            assertThat(leaveAndReopen(log, topic).cursorNames()).isEmpty();
        }
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            assertThat(await(log.openTopic(NAME)).cursorNames()).isEmpty();
        }
    }

    @Test
    void whatEveryCursorIsPastIsDeletedAfterARestartThoughTheTopicIsPacked() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic(NAME));
            acknowledge(topic, publish(topic, "one"));
            await(log.leaveTopic(topic));
        }
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            LogFixture.settle(log);
            assertThat(LogFixture.texts(await(log.openTopic(NAME)))).isEmpty();
        }
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic(NAME));
            assertThat(LogFixture.texts(topic)).isEmpty();
            assertThat(topic.cursorNames()).containsExactly("s");
        }
    }

    @Test
    void aTopicIsListedWhetherItIsPackedOrNotAndThoseThatHoldNothingGo() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            for (String name : List.of("a", "b", "c")) {
                TopicLog topic = await(log.openTopic(name));
                publish(topic, "one");
                await(log.leaveTopic(topic));
            }
            await(log.openTopic("b"));
            await(log.openTopic("empty"));
            assertThat(log.topicNames()).containsExactlyInAnyOrder("a", "b", "c", "empty");
            assertThat(log.hasTopic("a")).isTrue();
            assertThat(log.hasTopic("d")).isFalse();
            log.deleteEmptyTopics();
            await(log.openTopic("c"));
            assertThat(log.hasTopic("empty")).as("one that is in use").isTrue();
        }
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            assertThat(log.hasTopic("empty")).isTrue();
            log.deleteEmptyTopics();
            await(log.openTopic("c"));
            assertThat(log.topicNames()).containsExactlyInAnyOrder("a", "b", "c");
        }
    }

    /** Whoever still has a topic that was closed meanwhile must not take it for an empty one. */
    @Test
    void aTopicThatIsPackedDoesNotSayThatItHoldsNothing() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog old = await(log.openTopic(NAME));
            Position first = publish(old, "one");
            publish(old, "two");
            TopicLog again = leaveAndReopen(log, old);
            assertThat(old.firstKept()).isEqualTo(Position.BEFORE_ALL);
            assertThat(again.firstKept()).isEqualTo(first);
            assertThatThrownBy(() -> old.findByTime(0).toCompletableFuture().get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(LogUnavailableException.class)
                    .hasMessageContaining("closed meanwhile");
            assertThat(await(again.findByTime(0))).isEqualTo(first);
            assertThatThrownBy(() -> old.positionAfter(0)).isInstanceOf(LogUnavailableException.class);
            assertThat(again.positionAfter(0)).isEqualTo(first);
        }
    }

    private static TopicLog leaveAndReopen(BrokerLog log, TopicLog topic) {
        await(log.leaveTopic(topic));
        // Whatever the ledger writer does after a record is done when the next one is applied.
        await(log.openTopic("other"));
        await(log.deleteTopic("other"));
        return await(log.openTopic(NAME));
    }

    private static Position publish(TopicLog topic, String text) {
        LogFixture.Receipts receipts = new LogFixture.Receipts();
        topic.listener(receipts);
        Position position = topic.append(header(1), text(text));
        receipts.await(position);
        return position;
    }

    private static void acknowledge(TopicLog topic, Position position) {
        CursorLog cursor = await(topic.openCursor("s", Position.BEFORE_ALL));
        var durable = LogFixture.deltaNumber(cursor, 1);
        cursor.append(new CursorDelta.AckEntries(List.of(position)));
        await(durable);
    }
}
