package io.millrace.broker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class PendingHashesTest {
    private final PendingHashes hashes = new PendingHashes();

    @Test
    void whatOthersHoldIsAllButOnesOwn() {
        hashes.add(7, 0);
        hashes.add(7, 0);
        hashes.add(7, 3);
        hashes.add(8, 3);
        assertThat(hashes.ofOthers(7, 0)).isEqualTo(1);
        assertThat(hashes.ofOthers(7, 3)).isEqualTo(2);
        assertThat(hashes.ofOthers(7, 1)).as("of one that holds nothing").isEqualTo(3);
        assertThat(hashes.ofOthers(7, 100)).as("of one that never held any").isEqualTo(3);
        assertThat(hashes.ofOthers(9, 0)).isZero();
    }

    @Test
    void whatIsNotHeldIsNotRemoved() {
        hashes.add(7, 0);
        hashes.remove(7, 1);
        hashes.remove(8, 0);
        assertThat(hashes.ofOthers(7, 1)).isEqualTo(1);
    }

    @Test
    void theLastRemovalReleasesEverything() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int[] slots = new int[KeyRanges.HASHES];
        for (int hash = 0; hash < KeyRanges.HASHES; hash++) {
            slots[hash] = random.nextInt(20);
            hashes.add(hash, slots[hash]);
        }
        assertThat(hashes.heapBytes()).isGreaterThan((long) KeyRanges.HASHES * Integer.BYTES);
        for (int hash = 0; hash < KeyRanges.HASHES; hash++) {
            assertThat(hashes.ofOthers(hash, slots[hash])).as("seed %d", seed).isZero();
            hashes.remove(hash, slots[hash]);
        }
        assertThat(hashes.heapBytes()).isZero();
    }
}
