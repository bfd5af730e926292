package io.millrace.broker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PendingAcksTest {
    private static final int FEW_HASHES = 20;

    private final PendingAcks pending = new PendingAcks();

    @Test
    void anEntryKeepsAllItsFields() {
        pending.add(7, 3, 5, 12, 0xFFFF);
        long packed = pending.find(7, 3);
        assertThat(PendingAcks.slot(packed)).isEqualTo(5);
        assertThat(PendingAcks.remaining(packed)).isEqualTo(12);
        assertThat(PendingAcks.keyHash(packed)).isEqualTo(0xFFFF);
    }

    @Test
    void allFieldsZeroIsNotMissing() {
        pending.add(0, 0, 0, 0, 0);
        assertThat(pending.contains(0, 0)).isTrue();
        assertThat(pending.remove(0, 0)).isZero();
        assertThat(pending.remove(0, 0)).isEqualTo(PendingAcks.MISSING);
    }

    @Test
    void anEntryThatIsPendingIsNotAddedAgain() {
        assertThat(pending.add(1, 1, 0, 1, 0)).isTrue();
        assertThat(pending.add(1, 1, 9, 5, 0)).isFalse();
        assertThat(pending.unacked()).isEqualTo(1);
        assertThat(PendingAcks.slot(pending.find(1, 1))).isZero();
    }

    @Test
    void removingIfMatchingSparesTheEntriesOfOthers() {
        pending.add(1, 1, 2, 1, 0);
        assertThat(pending.removeIfMatching(1, 1, 3)).isEqualTo(PendingAcks.MISSING);
        assertThat(pending.removeIfMatching(1, 1, 2)).isNotEqualTo(PendingAcks.MISSING);
        assertThat(pending.size()).isZero();
    }

    @Test
    void aSlotOrCountOutOfRangeIsRefused() {
        assertThatThrownBy(() -> pending.add(1, 1, PendingAcks.FIELD_LIMIT, 1, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("slot");
        assertThatThrownBy(() -> pending.add(1, 1, 1, PendingAcks.FIELD_LIMIT + 1, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(pending.size()).isZero();
    }

    @Test
    void removingUpToAPositionWithinABlockKeepsTheRestOfIt() {
        for (int id = 60; id < 70; id++) {
            pending.add(1, id, 0, 1, id);
        }
        List<Long> removed = new ArrayList<>();
        pending.removeAllUpTo(1, 65, (ledger, entry, slot, remaining, hash) -> removed.add(entry));
        assertThat(removed).containsExactly(60L, 61L, 62L, 63L, 64L, 65L);
        assertThat(PendingAcks.keyHash(pending.find(1, 66))).isEqualTo(66);
        assertThat(pending.size()).isEqualTo(4);
        assertThat(pending.entries(0)).isEqualTo(4);
    }

    @Test
    void idsThatComeInDescendingOrderAndFarApartAreFound() {
        long[] ids = {1_000_000, 999_999, 500_000, 64, 63, 0};
        for (long id : ids) {
            pending.add(4, id, 1, 2, 3);
        }
        List<Long> seen = new ArrayList<>();
        pending.forEach((ledger, entry, slot, remaining, hash) -> seen.add(entry));
        assertThat(seen).containsExactly(0L, 63L, 64L, 500_000L, 999_999L, 1_000_000L);
    }

    @Test
    void blocksThatAreNearlyEmptyAreSmall() {
        int ids = 1 << 20;
        for (int id = 0; id < ids; id++) {
            pending.add(1, id, 1, 1, 0);
        }
        assertThat(Weight.bytes(pending)).as("all pending").isGreaterThan(8L * ids);
        for (int id = 0; id < ids; id++) {
            if (id % 64 != 0) {
                pending.remove(1, id);
            }
        }
        assertThat(Weight.bytes(pending)).as("one of 64 pending").isLessThan(3L * ids);
        assertThat(pending.size()).isEqualTo(ids / 64);
    }

    @Test
    void blocksThatFillAndEmptyKeepTheirValues() {
        for (int round = 0; round < 3; round++) {
            for (int id = 0; id < 20_000; id++) {
                pending.add(1, id, id % 20, 1, id & 0xFFFF);
            }
            for (int id = 0; id < 20_000; id++) {
                if (id % 7 != round) {
                    assertThat(pending.remove(1, id)).isNotEqualTo(PendingAcks.MISSING);
                }
            }
            List<Long> left = new ArrayList<>();
            pending.forEach((ledger, entry, slot, remaining, hash) -> {
                assertThat(hash).isEqualTo((int) entry & 0xFFFF);
                left.add(entry);
            });
            assertThat(left)
                    .hasSize(pending.size())
                    .allSatisfy(id -> assertThat(id % 7).isIn(0L, 1L, 2L));
            int sum = 0;
            for (int slot = 0; slot < 20; slot++) {
                int before = pending.size();
                int held = pending.entries(slot);
                pending.forEachAndClear(slot, (ledger, entry, same, remaining, hash) -> {});
                assertThat(before - pending.size()).isEqualTo(held);
                sum += held;
            }
            assertThat(sum).isEqualTo(left.size());
            assertThat(pending.size()).isZero();
        }
    }

    @Test
    void hashesAreCountedAnewOnceEverythingIsForgotten() {
        pending.countHashes(true);
        pending.add(1, 1, 0, 1, 0xFFFF);
        assertThat(pending.heldByOthers(0xFFFF, 1)).isEqualTo(1);
        assertThat(pending.hashBytes()).isPositive();
        pending.clear();
        assertThat(pending.heldByOthers(0xFFFF, 1)).isZero();
        assertThat(pending.hashBytes()).isZero();
        pending.add(1, 1, 1, 1, 0xFFFF);
        assertThat(pending.heldByOthers(0xFFFF, 0)).isEqualTo(1);
        pending.countHashes(false);
        assertThat(pending.heldByOthers(0xFFFF, 0)).isZero();
    }

    @Test
    void behavesLikeASortedMapUnderAnySequence() {
        pending.countHashes(true);
        long seed = System.nanoTime();
        Random random = new Random(seed);
        NavigableMap<List<Long>, long[]> oracle = new TreeMap<>((a, b) ->
                a.get(0).equals(b.get(0)) ? Long.compare(a.get(1), b.get(1)) : Long.compare(a.get(0), b.get(0)));
        for (int step = 0; step < 60_000; step++) {
            long ledger = random.nextInt(6);
            long entry = random.nextBoolean() ? random.nextInt(300) : random.nextInt(200_000);
            int slot = random.nextInt(5);
            switch (random.nextInt(12)) {
                case 0 ->
                    assertThat(pending.removeIfMatching(ledger, entry, slot) != PendingAcks.MISSING)
                            .as("seed %d step %d", seed, step)
                            .isEqualTo(removeIfMatching(oracle, List.of(ledger, entry), slot));
                case 1 ->
                    assertThat(pending.remove(ledger, entry) != PendingAcks.MISSING)
                            .as("seed %d step %d", seed, step)
                            .isEqualTo(oracle.remove(List.of(ledger, entry)) != null);
                case 2 -> update(oracle, ledger, entry, random.nextInt(10));
                case 3 -> {
                    if (random.nextInt(20) == 0) {
                        removeUpTo(oracle, ledger, entry, seed);
                    }
                }
                case 4 -> {
                    if (random.nextInt(60) == 0) {
                        clearConsumer(oracle, slot, seed);
                    }
                }
                default -> {
                    long[] fields = {slot, random.nextInt(100), hash(random)};
                    boolean added = pending.add(ledger, entry, slot, (int) fields[1], (int) fields[2]);
                    assertThat(added)
                            .as("seed %d step %d", seed, step)
                            .isEqualTo(oracle.putIfAbsent(List.of(ledger, entry), fields) == null);
                }
            }
            if (step % 500 == 0) {
                assertSame(oracle, seed);
            }
        }
        assertSame(oracle, seed);
    }

    /** Mostly one of a few. */
    private static int hash(Random random) {
        return random.nextInt(random.nextInt(4) == 0 ? KeyRanges.HASHES : FEW_HASHES);
    }

    private static boolean removeIfMatching(NavigableMap<List<Long>, long[]> oracle, List<Long> key, int slot) {
        long[] fields = oracle.get(key);
        return fields != null && fields[0] == slot && oracle.remove(key) != null;
    }

    private void update(NavigableMap<List<Long>, long[]> oracle, long ledger, long entry, int remaining) {
        long[] fields = oracle.get(List.of(ledger, entry));
        assertThat(pending.updateRemaining(ledger, entry, remaining)).isEqualTo(fields != null);
        if (fields != null) {
            fields[1] = remaining;
        }
    }

    private void removeUpTo(NavigableMap<List<Long>, long[]> oracle, long ledger, long entry, long seed) {
        List<String> removed = new ArrayList<>();
        pending.removeAllUpTo(
                ledger, entry, (l, e, slot, remaining, hash) -> removed.add(text(l, e, slot, remaining, hash)));
        Map<List<Long>, long[]> head = oracle.headMap(List.of(ledger, entry), true);
        assertThat(removed).as("seed %d", seed).isEqualTo(texts(head));
        head.clear();
    }

    private void clearConsumer(NavigableMap<List<Long>, long[]> oracle, int consumer, long seed) {
        List<String> removed = new ArrayList<>();
        pending.forEachAndClear(
                consumer, (l, e, slot, remaining, hash) -> removed.add(text(l, e, slot, remaining, hash)));
        Map<List<Long>, long[]> held = new TreeMap<>(oracle);
        held.values().removeIf(fields -> fields[0] != consumer);
        assertThat(removed).as("seed %d", seed).isEqualTo(texts(held));
        oracle.values().removeIf(fields -> fields[0] == consumer);
    }

    private void assertSame(NavigableMap<List<Long>, long[]> oracle, long seed) {
        List<String> seen = new ArrayList<>();
        pending.forEach((l, e, slot, remaining, hash) -> seen.add(text(l, e, slot, remaining, hash)));
        assertThat(seen).as("seed %d", seed).isEqualTo(texts(oracle));
        assertThat(pending.size()).isEqualTo(oracle.size());
        assertThat(pending.unacked())
                .isEqualTo(
                        oracle.values().stream().mapToLong(fields -> fields[1]).sum());
        assertSameHashes(oracle, seed);
        for (int slot = 0; slot < 5; slot++) {
            int consumer = slot;
            assertThat(pending.entries(slot)).isEqualTo((int) oracle.values().stream()
                    .filter(fields -> fields[0] == consumer)
                    .count());
            assertThat(pending.unacked(slot))
                    .isEqualTo(oracle.values().stream()
                            .filter(fields -> fields[0] == consumer)
                            .mapToLong(fields -> fields[1])
                            .sum());
        }
    }

    private void assertSameHashes(NavigableMap<List<Long>, long[]> oracle, long seed) {
        int[][] held = new int[5][FEW_HASHES];
        int[] all = new int[FEW_HASHES];
        for (long[] fields : oracle.values()) {
            if (fields[2] < FEW_HASHES) {
                held[(int) fields[0]][(int) fields[2]]++;
                all[(int) fields[2]]++;
            }
        }
        for (int slot = 0; slot < 5; slot++) {
            for (int hash = 0; hash < FEW_HASHES; hash++) {
                assertThat(pending.heldByOthers(hash, slot))
                        .as("seed %d", seed)
                        .isEqualTo(all[hash] - held[slot][hash]);
            }
        }
    }

    private static List<String> texts(Map<List<Long>, long[]> held) {
        List<String> texts = new ArrayList<>();
        held.forEach((key, fields) ->
                texts.add(text(key.get(0), key.get(1), (int) fields[0], (int) fields[1], (int) fields[2])));
        return texts;
    }

    private static String text(long ledger, long entry, int slot, int remaining, int hash) {
        return ledger + ":" + entry + " " + slot + " " + remaining + " " + hash;
    }
}
