package io.millrace.broker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KeyHashCountsTest {
    private static final int ROUNDS = 200;
    private static final int STEPS = 2_000;

    private final KeyHashCounts counts = new KeyHashCounts();

    @Test
    void aHashThatWasNotAddedHasNone() {
        assertThat(counts.of(0)).isZero();
        assertThat(counts.remove(0)).isFalse();
        counts.add(7);
        assertThat(counts.of(0)).isZero();
        assertThat(counts.remove(0)).isFalse();
        assertThat(counts.of(7)).isOne();
    }

    @Test
    void theLastRemovalReleasesEverything() {
        counts.add(KeyRanges.HASHES - 1);
        assertThat(counts.heapBytes()).isPositive();
        assertThat(counts.remove(KeyRanges.HASHES - 1)).isTrue();
        assertThat(counts.heapBytes()).isZero();
    }

    @Test
    void aHashIsCountedBeyondWhatAPlaceOfTheTableHolds() {
        int entries = (1 << 16) + 10;
        counts.add(3);
        for (int i = 0; i < entries; i++) {
            counts.add(9);
        }
        assertThat(counts.of(9)).isEqualTo(entries);
        assertThat(counts.of(3)).isOne();
        assertThat(counts.remove(9)).isTrue();
        assertThat(counts.of(9)).isEqualTo(entries - 1);
    }

    @Test
    void allHashesHaveTheirOwnCountAndTakeNoMoreThanIsSaid() {
        for (int hash = 0; hash < KeyRanges.HASHES; hash++) {
            counts.add(hash);
            assertThat(counts.heapBytes()).isLessThanOrEqualTo(KeyHashCounts.maxHeapBytes(hash + 1));
        }
        for (int hash = 0; hash < KeyRanges.HASHES; hash++) {
            assertThat(counts.of(hash)).isOne();
        }
    }

    @Test
    void countsAreThoseOfAMapThroughAdditionsAndRemovals() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            Map<Integer, Integer> expected = new HashMap<>();
            KeyHashCounts tested = new KeyHashCounts();
            int hashes = 1 << random.nextInt(17);
            double share = random.nextDouble();
            for (int step = 0; step < STEPS; step++) {
                int hash = random.nextInt(hashes);
                if (random.nextDouble() < share) {
                    tested.add(hash);
                    expected.merge(hash, 1, Integer::sum);
                } else {
                    boolean held = expected.containsKey(hash);
                    assertThat(tested.remove(hash)).as("seed " + seed).isEqualTo(held);
                    expected.computeIfPresent(hash, (same, count) -> count == 1 ? null : count - 1);
                }
            }
            for (int hash = 0; hash < hashes; hash++) {
                assertThat(tested.of(hash)).as("seed " + seed).isEqualTo(expected.getOrDefault(hash, 0));
            }
        }
    }
}
