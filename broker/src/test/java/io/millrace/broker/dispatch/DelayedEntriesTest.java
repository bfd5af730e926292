package io.millrace.broker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.Position;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DelayedEntriesTest {
    private static final int ROUNDS = 300;
    private static final int STEPS = 400;

    private final DelayedEntries delayed = new DelayedEntries();

    @Test
    void entriesOfOneTickComeInOrderOfPositionHoweverTheyWereAdded() {
        for (int entry : new int[] {5, 1, 3, 5, 2, 4}) {
            delayed.add(1, entry, 0, DelayedEntries.TICK_MILLIS);
        }
        delayed.add(0, 9, 0, DelayedEntries.TICK_MILLIS);
        assertThat(released(delayed, DelayedEntries.TICK_MILLIS))
                .containsExactly(at(0, 9), at(1, 1), at(1, 2), at(1, 3), at(1, 4), at(1, 5));
        assertThat(delayed.tickCount()).isZero();
    }

    @Test
    void whatIsReleasedForgottenAndKeptIsAsInAMap() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            checkAgainstMap(random, 1 + random.nextInt(60), seed);
        }
    }

    /** Few ticks have many entries each. */
    private static void checkAgainstMap(Random random, int ticks, long seed) {
        DelayedEntries tested = new DelayedEntries();
        Map<Position, Long> expected = new HashMap<>();
        long now = 0;
        for (int step = 0; step < STEPS; step++) {
            Position position = at(random.nextInt(3), random.nextInt(200));
            if (random.nextInt(3) > 0 && !expected.containsKey(position)) {
                long tick = now + 1 + random.nextInt(ticks);
                tested.add(position.ledgerId(), position.entryId(), 7, tick * DelayedEntries.TICK_MILLIS);
                expected.put(position, tick);
            } else {
                tested.forget(position.ledgerId(), position.entryId());
                expected.remove(position);
            }
            if (random.nextInt(40) == 0) {
                now += random.nextInt(ticks);
                assertThat(released(tested, now * DelayedEntries.TICK_MILLIS))
                        .as("seed " + seed)
                        .isEqualTo(due(expected, now));
            }
            assertThat(tested.size()).as("seed " + seed).isEqualTo(expected.size());
        }
        assertThat(released(tested, Long.MAX_VALUE)).as("seed " + seed).isEqualTo(due(expected, Long.MAX_VALUE));
        assertThat(tested.dueMillis()).isEqualTo(Long.MAX_VALUE);
    }

    private static List<Position> due(Map<Position, Long> expected, long tick) {
        List<Position> due = expected.entrySet().stream()
                .filter(each -> each.getValue() <= tick)
                .sorted(Map.Entry.<Position, Long>comparingByValue()
                        .thenComparing(Map.Entry::getKey, Comparator.naturalOrder()))
                .map(Map.Entry::getKey)
                .toList();
        due.forEach(expected::remove);
        return due;
    }

    private static List<Position> released(DelayedEntries from, long nowMillis) {
        List<Position> released = new ArrayList<>();
        from.release(nowMillis, (ledger, entry, key) -> released.add(at(ledger, entry)));
        return released;
    }

    private static Position at(long ledger, long entry) {
        return new Position(ledger, entry);
    }
}
