package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.header;
import static io.millrace.broker.log.LogFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.JournalItem.EntryItem;
import io.millrace.testkit.Behaviour;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Positions of a topic whose entries are queued and go nowhere. */
final class TopicLogTest {
    private static final int PER_LEDGER = 10;

    private static final String TEXT = "x";

    private final LogConfig config = LogConfig.defaults(Path.of("/data")).withLedgers(1 << 20, PER_LEDGER);
    private final LogParts parts = LogParts.create(config, new SimulatedDisk(), 1);
    private final TopicLog topic = new TopicLog(parts, 1, "t");

    @Test
    void anEntryIsFoundByHowManyOthersComeBeforeIt() {
        List<Position> appended = append(95);
        for (int count : List.of(0, 9, 10, 19, 20, 94)) {
            assertThat(topic.positionAfter(count)).isEqualTo(appended.get(count));
        }
        Position end = new Position(appended.get(94).ledgerId(), 5);
        assertThat(topic.positionAfter(95)).isEqualTo(end);
        assertThat(topic.positionAfter(1_000)).isEqualTo(end);
    }

    /** The journal writer refuses each in turn, and the first of them has withdrawn them all. */
    @Test
    @Behaviour("LOG-10")
    void whatIsRefusedIsWithdrawnWithAllBehindItAndNoPositionIsUsedTwice() {
        for (int refused : List.of(1, 2)) {
            Map<Position, Throwable> told = new TreeMap<>();
            TopicLog each = new TopicLog(parts, 1, "t");
            each.listener(new Refusals(told));
            List<Position> appended = append(each, 3);
            Ledger ledger = each.table().first();
            long bytesOfOne = ledger.bytes / 3;
            Throwable cause = new LogUnavailableException("full", null);
            for (int i = refused; i < 3; i++) {
                each.refuse(item(ledger, i), cause);
            }
            assertThat(ledger.lastEntry()).isEqualTo(refused - 1);
            assertThat(ledger.bytes).isEqualTo(refused * bytesOfOne);
            assertThat(each.lastAppended()).isEqualTo(appended.get(refused - 1));
            assertThat(told).isEqualTo(Map.of(appended.get(refused), cause));
            Position next = append(each, 1).get(0);
            assertThat(next.entryId()).isZero();
            assertThat(next.ledgerId()).isGreaterThan(ledger.id);
        }
    }

    @Test
    @Behaviour("LOG-10")
    void whatIsRefusedIsNotCountedBeforeTheLedgerThatWasOpenedBehindIt() {
        List<Position> appended = append(2 * PER_LEDGER + 2);
        topic.refuse(item(topic.table().first(), 4), new LogUnavailableException("full", null));
        Position second = appended.get(PER_LEDGER);
        Position third = appended.get(2 * PER_LEDGER);
        assertThat(topic.entriesBetween(appended.get(0), second)).isEqualTo(4);
        assertThat(topic.entriesBetween(appended.get(0), third)).isEqualTo(4 + PER_LEDGER);
        topic.refuse(item(topic.table().get(second.ledgerId()), 7), new LogUnavailableException("full", null));
        assertThat(topic.entriesBetween(appended.get(0), second)).isEqualTo(4);
        assertThat(topic.entriesBetween(appended.get(0), third)).isEqualTo(4 + 7);
    }

    @Test
    void aLedgerIsFilledToItsLastByte() {
        LogConfig of64 = config.withLedgers(64L * Frame.entryBytes(TEXT.length()), 1_000);
        TopicLog small = new TopicLog(LogParts.create(of64, new SimulatedDisk(), 1), 1, "t");
        append(small, 65);
        assertThat(small.table().first().entryCount()).isEqualTo(64);
    }

    @Test
    @Behaviour("LOG-10")
    void whatIsRefusedOfALedgerLeavesTheNextOneAsItIs() {
        List<Position> appended = append(PER_LEDGER + 2);
        Ledger first = topic.table().first();
        topic.refuse(item(first, PER_LEDGER - 1), new LogUnavailableException("full", null));
        assertThat(first.lastEntry()).isEqualTo(PER_LEDGER - 2);
        assertThat(topic.lastAppended()).isEqualTo(appended.get(PER_LEDGER + 1));
        assertThat(append(1))
                .containsExactly(new Position(appended.get(PER_LEDGER).ledgerId(), 2));
    }

    private static EntryItem item(Ledger ledger, long entryId) {
        return new EntryItem(ledger, entryId, header(1), text(TEXT));
    }

    private List<Position> append(int count) {
        return append(topic, count);
    }

    private static List<Position> append(TopicLog topic, int count) {
        List<Position> positions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            positions.add(topic.append(header(1), text(TEXT)));
        }
        return positions;
    }

    private record Refusals(Map<Position, Throwable> told) implements TopicLogListener {
        @Override
        public void durable(Position upTo) {
            throw new AssertionError("nothing is written");
        }

        @Override
        public void refused(Position from, Throwable cause) {
            told.put(from, cause);
        }

        @Override
        public void failed(Throwable cause) {
            throw new AssertionError(cause);
        }
    }
}
