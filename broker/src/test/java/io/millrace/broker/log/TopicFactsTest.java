package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.await;
import static io.millrace.broker.log.LogFixture.header;
import static io.millrace.broker.log.LogFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.LogFixture.Receipts;
import io.millrace.broker.log.TopicFacts.Backlog;
import io.millrace.broker.log.TopicFacts.CursorFacts;
import io.netty.buffer.ByteBuf;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class TopicFactsTest {
    private static final int PER_LEDGER = 5;

    private final LogConfig config =
            LogConfig.defaults(Path.of("/data")).withJournal(64 * 1024, 3).withLedgers(1 << 20, PER_LEDGER);

    /** A ledger of five entries of 100 bytes, and the next one with two of 200 bytes. */
    @Test
    void theBacklogOfASubscriptionIsWhatItsLedgersHoldBehindItsMarkWithoutTheHoles() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, new SimulatedDisk())) {
            TopicLog topic = await(log.openTopic("t"));
            Receipts receipts = new Receipts();
            topic.listener(receipts);
            long first = topic.append(header(1), entryOf(100)).ledgerId();
            for (int i = 1; i < PER_LEDGER; i++) {
                topic.append(header(1), entryOf(100));
            }
            topic.append(header(1), entryOf(200));
            Position last = topic.append(header(1), entryOf(200));
            receipts.await(last);
            long second = last.ledgerId();
            assertThat(second).isNotEqualTo(first);
            open(topic, "before all", Position.BEFORE_ALL);
            open(topic, "after 1", new Position(first, 0));
            open(topic, "after 3", new Position(first, 2));
            open(topic, "after the first ledger", new Position(first, PER_LEDGER - 1));
            open(topic, "after 6", new Position(second, 0));
            open(topic, "after all", last);
            Position hole = new Position(first, 3);
            open(topic, "holes", Position.BEFORE_ALL, new Position(first, 1), hole, new Position(second, 1));
            open(topic, "a hole behind the mark", new Position(first, 1), hole);
            assertThat(backlogs(topic))
                    .isEqualTo(Map.of(
                            "before all", new Backlog(7, 900),
                            "after 1", new Backlog(6, 800),
                            "after 3", new Backlog(4, 600),
                            "after the first ledger", new Backlog(2, 400),
                            "after 6", new Backlog(1, 200),
                            "after all", new Backlog(0, 0),
                            "holes", new Backlog(4, 500),
                            "a hole behind the mark", new Backlog(4, 600)));
        }
    }

    /** As there is when it was opened just now. */
    @Test
    void aLedgerWithoutEntriesAddsNothingToTheBacklog() {
        CursorFacts facts = oneInTwoAcked(1_001);
        assertThat(facts.backlog()).isEqualTo(new Backlog(2_009, 200_900));
    }

    @Test
    void holesAreToldFromTheFirstEntryOfALedgerOnAndAThousandOfThem() {
        assertThat(oneInTwoAcked(1_001).ackedRanges()).hasSize(1_000).startsWith("(2:-1..2:0]", "(2:1..2:2]");
    }

    /** Of a ledger of 3 000 entries, between one of 10 and one of none. */
    private CursorFacts oneInTwoAcked(int count) {
        TopicLog topic = new TopicLog(LogParts.create(config, new SimulatedDisk(), 1), 1, "t");
        addLedger(topic, 1, 10);
        addLedger(topic, 2, 3_000);
        addLedger(topic, 3, 0);
        topic.countRecovered();
        topic.recovered(new Position(2, 2_999));
        CursorState state = new CursorState(topic, Position.BEFORE_ALL);
        for (int i = 0; i < count; i++) {
            state.apply(new CursorDelta.AckEntries(List.of(new Position(2, 2L * i))));
        }
        topic.cursors().restore(1, new TopicCursors.Image("s", state, CursorProperties.NONE));
        return TopicFacts.of(topic, true).cursors().get(0);
    }

    /** Its entries are of 100 bytes each. */
    private static void addLedger(TopicLog topic, long id, int entries) {
        Ledger ledger = topic.ledgerOpened(id);
        ledger.setLastEntry(entries - 1);
        ledger.bytes = 100L * entries;
    }

    private static Map<String, Backlog> backlogs(TopicLog topic) {
        return await(topic.facts()).cursors().stream()
                .collect(Collectors.toMap(CursorFacts::name, CursorFacts::backlog));
    }

    private static void open(TopicLog topic, String name, Position mark, Position... acknowledged) {
        CursorLog cursor = await(topic.openCursor(name, mark));
        if (acknowledged.length > 0) {
            CompletableFuture<Long> durable = LogFixture.deltaNumber(cursor, 1);
            cursor.append(new CursorDelta.AckEntries(List.of(acknowledged)));
            await(durable);
        }
    }

    private static ByteBuf entryOf(int frameBytes) {
        return text("x".repeat(frameBytes - Frame.ENTRY_HEAD_BYTES));
    }
}
