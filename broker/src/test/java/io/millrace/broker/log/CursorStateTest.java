package io.millrace.broker.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.CursorDelta.AckBatch;
import io.millrace.broker.log.CursorDelta.AckEntries;
import io.millrace.broker.log.CursorDelta.AckUpTo;
import io.millrace.broker.log.CursorDelta.Reset;
import io.millrace.testkit.Behaviour;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class CursorStateTest {
    private final TreeMap<Long, Long> lastEntries = new TreeMap<>();
    private final LedgerBounds bounds = new LedgerBounds() {
        @Override
        public long lastEntryOf(long ledgerId) {
            return lastEntries.getOrDefault(ledgerId, -1L);
        }

        @Override
        public long ledgerAfter(long ledgerId) {
            Long next = lastEntries.higherKey(ledgerId);
            return next == null ? -1 : next;
        }
    };

    @Test
    @Behaviour("ACK-7")
    void theMarkMovesToTheEndOfTheAcknowledgedPrefixAcrossLedgers() {
        lastEntries.put(3L, 9L);
        lastEntries.put(7L, 4L);
        CursorState state = new CursorState(bounds, Position.BEFORE_ALL);
        state.apply(new AckEntries(List.of(new Position(3, 1), new Position(7, 0))));
        assertThat(state.markDelete()).isEqualTo(Position.BEFORE_ALL);
        state.apply(new AckEntries(List.of(new Position(3, 0))));
        assertThat(state.markDelete()).isEqualTo(new Position(3, 1));
        state.apply(new AckUpTo(new Position(3, 9)));
        assertThat(state.markDelete()).isEqualTo(new Position(7, 0));
        assertThat(ackedAboveMark(state)).isZero();
    }

    /** A walk over all of them for each step takes minutes. */
    @Test
    @Timeout(20)
    @Behaviour("ACK-7")
    void theMarkMovesAtTheSameCostHoweverManyBatchesBehindItAreAcknowledgedInPart() {
        int entries = 150_000;
        lastEntries.put(1L, 2L * entries);
        CursorState state = new CursorState(bounds, new Position(1, -1));
        for (int i = entries; i < 2 * entries; i++) {
            state.apply(new AckBatch(new Position(1, i), new long[] {1}));
        }
        for (int i = 0; i < entries; i++) {
            state.apply(new AckEntries(List.of(new Position(1, i))));
        }
        assertThat(state.markDelete()).isEqualTo(new Position(1, entries - 1));
        assertThat(state.ackSetWords()).isEqualTo(entries);
        state.apply(new AckUpTo(new Position(1, 2 * entries - 2)));
        assertThat(state.partialCount()).isEqualTo(1);
        assertThat(state.ackSetWords()).isEqualTo(1);
    }

    /** Subscriptions that are not durable hold nothing back. */
    @Test
    @Behaviour("ACK-7")
    void whatIsAcknowledgedOfLedgersThatAreGoneDoesNotCount() {
        lastEntries.put(1L, 9L);
        lastEntries.put(2L, 9L);
        CursorState state = new CursorState(bounds, Position.BEFORE_ALL);
        state.apply(new AckEntries(List.of(new Position(1, 5), new Position(1, 6), new Position(2, 3))));
        assertThat(state.ackedBehindMark()).isEqualTo(3);
        lastEntries.remove(1L);
        assertThat(state.ackedBehindMark()).isEqualTo(1);
    }

    /** A ledger whose entries were lost before they had a receipt stays empty. */
    @Test
    @Behaviour("ACK-7")
    void theMarkMovesOverLedgersWithoutEntries() {
        lastEntries.put(3L, 1L);
        lastEntries.put(5L, -1L);
        lastEntries.put(6L, -1L);
        lastEntries.put(7L, 4L);
        lastEntries.put(9L, -1L);
        CursorState state = new CursorState(bounds, new Position(3, 1));
        state.apply(new AckEntries(List.of(new Position(7, 0))));
        assertThat(state.markDelete()).isEqualTo(new Position(7, 0));
        state.apply(new AckUpTo(new Position(7, 4)));
        assertThat(state.markDelete()).isEqualTo(new Position(7, 4));
        assertThat(ackedAboveMark(state)).isZero();
    }

    @Test
    @Behaviour("ACK-7")
    void theMarkMovesOverLedgersOfOneEntryOneAfterTheOther() {
        List.of(3L, 5L, 7L).forEach(ledger -> lastEntries.put(ledger, 0L));
        CursorState state = new CursorState(bounds, Position.BEFORE_ALL);
        for (long ledger : List.of(3L, 5L, 7L)) {
            state.apply(new AckEntries(List.of(new Position(ledger, 0))));
            assertThat(state.markDelete()).isEqualTo(new Position(ledger, 0));
        }
        state.apply(new Reset(Position.BEFORE_ALL));
        state.apply(new AckEntries(List.of(new Position(5, 0), new Position(7, 0))));
        assertThat(state.markDelete()).as("the first one is not").isEqualTo(Position.BEFORE_ALL);
        assertThat(state.ackedBehindMark()).isEqualTo(2);
        assertThat(state.unacked(1, new Position(7, 0))).isEqualTo(new Position(3, 0));
        state.apply(new AckEntries(List.of(new Position(3, 0))));
        assertThat(state.markDelete()).isEqualTo(new Position(7, 0));
    }

    @Test
    @Behaviour("ACK-7")
    void entriesThatComeAfterAnAcknowledgementOfAllUpToThemAreNotAcknowledged() {
        lastEntries.put(1L, 0L);
        CursorState state = new CursorState(bounds, Position.BEFORE_ALL);
        state.apply(new AckUpTo(new Position(1, 3)));
        assertThat(state.markDelete()).isEqualTo(new Position(1, 0));
        lastEntries.put(1L, 3L);
        assertThat(state.isAcked(new Position(1, 1))).isFalse();
    }

    @Test
    @Behaviour("ACK-7")
    void anAcknowledgementOfAllUpToTheMarkDoesNotMoveItBack() {
        lastEntries.put(1L, 3L);
        CursorState state = new CursorState(bounds, new Position(1, 9));
        state.apply(new AckUpTo(new Position(1, 9)));
        assertThat(state.markDelete()).isEqualTo(new Position(1, 9));
    }

    @Test
    @Behaviour("ACK-7")
    void batchesAreAcknowledgedWhenNoBitIsLeftAndHostilePositionsChangeNothing() {
        lastEntries.put(1L, 5L);
        CursorState state = new CursorState(bounds, Position.BEFORE_ALL);
        Position batch = new Position(1, 2);
        state.apply(new AckBatch(batch, new long[] {0b1110, 1}));
        state.apply(new AckBatch(batch, new long[] {0b0111, 1}));
        assertThat(state.ackSet(batch)).containsExactly(0b0110, 1);
        state.apply(new AckBatch(batch, new long[] {0b1000}));
        assertThat(state.isAcked(batch)).isTrue();
        assertThat(state.ackSet(batch)).isNull();
        state.apply(new AckEntries(List.of(new Position(1, 6), new Position(9, 0), new Position(1, Long.MAX_VALUE))));
        state.apply(new AckUpTo(new Position(Long.MAX_VALUE, Long.MAX_VALUE)));
        state.apply(new AckEntries(List.of(new Position(-5, -5))));
        assertThat(state.markDelete()).isEqualTo(Position.BEFORE_ALL);
        assertThat(ackedAboveMark(state)).isEqualTo(1);
        assertThat(state.isAcked(new Position(Long.MAX_VALUE, Long.MAX_VALUE))).isFalse();
    }

    @Test
    @Behaviour("ACK-7")
    void anyStepsGiveTheSameAsASetOfPositions() {
        long seed = Long.getLong("millrace.seed", System.nanoTime());
        System.out.println("CursorStateTest: seed " + seed);
        Random random = new Random(seed);
        List<Position> all = new ArrayList<>();
        for (long ledger = 1; ledger <= 4; ledger++) {
            lastEntries.put(ledger, 20L + random.nextInt(150));
            for (long entry = 0; entry <= lastEntries.get(ledger); entry++) {
                all.add(new Position(ledger, entry));
            }
        }
        CursorState state = new CursorState(bounds, Position.BEFORE_ALL);
        Set<Position> acked = new HashSet<>();
        for (int step = 0; step < 2_000; step++) {
            Position position = all.get(random.nextInt(all.size()));
            switch (random.nextInt(200)) {
                case 0 -> {
                    state.apply(new Reset(position));
                    acked.clear();
                    all.stream().filter(p -> !p.isAfter(position)).forEach(acked::add);
                }
                case 1 -> {
                    state.apply(new AckUpTo(position));
                    all.stream().filter(p -> !p.isAfter(position)).forEach(acked::add);
                }
                default -> {
                    state.apply(DeltaCodec.decode(DeltaCodec.encode(new AckEntries(List.of(position)))));
                    acked.add(position);
                }
            }
            check(state, all, acked);
        }
        check(state.copy(), all, acked);
    }

    static long ackedAboveMark(CursorState state) {
        return state.ackedBits().values().stream().mapToLong(EntryBits::count).sum();
    }

    /** Every one of those that are not acknowledged is found by its number; beyond the last, the last. */
    private static void checkUnacked(CursorState state, List<Position> all, Set<Position> acked) {
        List<Position> left =
                all.stream().filter(position -> !acked.contains(position)).toList();
        Position last = all.get(all.size() - 1);
        assertThat(state.unacked(0, last)).isEqualTo(state.markDelete());
        for (int count = 1; count <= left.size() + 2; count++) {
            Position expected = left.isEmpty() ? state.markDelete() : left.get(Math.min(count, left.size()) - 1);
            assertThat(state.unacked(count, last)).isEqualTo(expected);
        }
    }

    private static void check(CursorState state, List<Position> all, Set<Position> acked) {
        int prefix = 0;
        while (prefix < all.size() && acked.contains(all.get(prefix))) {
            prefix++;
        }
        Position mark = prefix == 0 ? Position.BEFORE_ALL : all.get(prefix - 1);
        assertThat(state.markDelete()).isEqualTo(mark);
        assertThat(ackedAboveMark(state)).isEqualTo(acked.size() - prefix);
        assertThat(state.ackedBehindMark()).isEqualTo(acked.size() - prefix);
        checkUnacked(state, all, acked);
        for (Position position : all) {
            assertThat(state.isAcked(position)).isEqualTo(acked.contains(position));
        }
    }
}
