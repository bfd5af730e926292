package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.await;
import static io.millrace.broker.log.LogFixture.header;
import static io.millrace.broker.log.LogFixture.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.log.LogFixture.Receipts;
import io.millrace.testkit.Behaviour;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class GroupCommitTest {
    private final SimulatedDisk disk = new SimulatedDisk();
    private final LogConfig config = LogConfig.defaults(Path.of("/data")).withJournal(256 * 1024, 3);

    @Test
    @Behaviour({"LOG-1", "LOG-7"})
    void publishesOfManyTopicsShareOneForceAndNoneIsReceiptedBeforeIt() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            List<TopicLog> topics = new ArrayList<>();
            List<Receipts> receipts = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                TopicLog topic = await(log.openTopic("topic-" + i));
                topics.add(topic);
                receipts.add(new Receipts());
                topic.listener(receipts.get(i));
            }
            disk.hold(ForcePoint.JOURNAL_GROUP);
            Position first = topics.get(0).append(header(1), text("alone"));
            disk.awaitHeld();
            assertThat(receipts.get(0).groups()).isEmpty();
            assertThat(topics.get(0).lastDurable()).isEqualTo(Position.BEFORE_ALL);
            assertThat(topics.get(0).cached(first)).isNull();
            int forces = disk.forceCount(ForcePoint.JOURNAL_GROUP);
            List<Position> lasts = new ArrayList<>();
            for (TopicLog topic : topics) {
                topic.append(header(1), text("a"));
                lasts.add(topic.append(header(1), text("b")));
            }
            disk.release(ForcePoint.JOURNAL_GROUP);
            for (int i = 0; i < topics.size(); i++) {
                receipts.get(i).await(lasts.get(i));
                assertThat(topics.get(i).lastDurable()).isEqualTo(lasts.get(i));
            }
            assertThat(disk.forceCount(ForcePoint.JOURNAL_GROUP) - forces).isEqualTo(2);
            assertThat(receipts.get(5).groups()).hasSize(1);
        }
    }

    @Test
    @Behaviour("LOG-7")
    void aLonePublishWaitsForOneForce() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic("topic"));
            Receipts receipts = new Receipts();
            topic.listener(receipts);
            receipts.await(topic.append(header(1), text("first")));
            int forces = disk.forceCount(ForcePoint.JOURNAL_GROUP);
            receipts.await(topic.append(header(1), text("second")));
            assertThat(disk.forceCount(ForcePoint.JOURNAL_GROUP) - forces).isEqualTo(1);
        }
    }

    @Test
    @Behaviour("LOG-2")
    void afterAFailedForceNothingIsReceiptedAndNothingIsTaken() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic("topic"));
            CursorLog cursor = await(topic.openCursor("s", Position.BEFORE_ALL));
            Receipts receipts = new Receipts();
            topic.listener(receipts);
            Position good = topic.append(header(1), text("good"));
            receipts.await(good);
            disk.failForce(ForcePoint.JOURNAL_GROUP, new IOException("simulated I/O error"));
            int forces = disk.forceCount(ForcePoint.JOURNAL_GROUP);
            topic.append(header(1), text("bad"));
            assertThat(receipts.awaitFailure()).hasMessageContaining("simulated");
            assertThat(log.state()).isEqualTo(LogState.FAILED);
            assertThatThrownBy(() -> topic.append(header(1), text("later")))
                    .isInstanceOf(LogUnavailableException.class)
                    .hasMessageContaining("failed");
            assertThatThrownBy(() -> cursor.append(new CursorDelta.AckUpTo(good)))
                    .isInstanceOf(LogUnavailableException.class);
            assertThat(topic.lastDurable()).isEqualTo(good);
            assertThat(LogFixture.texts(topic)).containsExactly("good");
            assertThat(disk.forceCount(ForcePoint.JOURNAL_GROUP)).isEqualTo(forces + 1);
        }
        assertThat(disk.forceCount(ForcePoint.JOURNAL_GROUP))
                .as("close does not retry it")
                .isPositive();
    }

    @Test
    @Behaviour("LOG-2")
    void whatAFailedGroupHeldInMemoryIsGivenBack() throws Exception {
        BrokerLog log = BrokerLog.open(config, disk);
        TopicLog topic = await(log.openTopic("topic"));
        Receipts receipts = new Receipts();
        topic.listener(receipts);
        disk.failForce(ForcePoint.JOURNAL_GROUP, new IOException("simulated I/O error"));
        topic.append(header(1), text("the first of a new slab"));
        assertThat(receipts.awaitFailure()).hasMessageContaining("simulated");
        log.close();
        assertThat(log.tailCacheBytes()).isZero();
    }

    @Test
    @Behaviour("LOG-2")
    void aFailedForceOfALedgerStopsTheLogToo() throws Exception {
        LogConfig small = config.withJournal(16 * 1024, 2).withMemory(4 * 1024, 1 << 20);
        try (BrokerLog log = BrokerLog.open(small, disk)) {
            TopicLog topic = await(log.openTopic("topic"));
            Receipts receipts = new Receipts();
            topic.listener(receipts);
            disk.failForce(ForcePoint.LEDGER_FILE, new IOException("simulated I/O error"));
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 100_000; i++) {
                            topic.append(header(1), text("x".repeat(500)));
                            LogFixture.pauseIfFarAhead(topic);
                        }
                    })
                    .isInstanceOf(LogUnavailableException.class);
            receipts.awaitFailure();
            assertThat(log.state()).isEqualTo(LogState.FAILED);
            assertThat(disk.forceCount(ForcePoint.LEDGER_FILE)).isEqualTo(1);
        }
    }
}
