package io.millrace.broker.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EntryBitsTest {
    private static final int ROUNDS = 200;
    private static final int STEPS = 300;

    @Test
    void anIdFarFromOthersTakesLittle() throws IOException {
        EntryBits bits = new EntryBits();
        bits.add(50_000_000);
        assertThat(bits.heapBytes()).isLessThan(300);
        assertThat(written(bits)).hasSizeLessThan(200);
        assertThat(bits.grows(50_000_001)).isFalse();
        assertThat(bits.grows(0)).isTrue();
    }

    @Test
    void aPageThatIsEmptyGoes() {
        EntryBits bits = new EntryBits();
        long emptyBytes = bits.heapBytes();
        bits.add(1_023);
        bits.add(1_024);
        bits.removeBelow(1_024);
        assertThat(bits.has(1_023)).isFalse();
        assertThat(bits.has(1_024)).isTrue();
        bits.removeBelow(1_025);
        assertThat(bits.isEmpty()).isTrue();
        assertThat(bits.heapBytes()).isEqualTo(emptyBytes);
    }

    @Test
    void itIsTheSetThatBitsOfTheLibraryAre() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            int ids = 1 << (1 + random.nextInt(13));
            EntryBits tested = new EntryBits();
            BitSet expected = new BitSet();
            for (int step = 0; step < STEPS; step++) {
                int id = random.nextInt(ids);
                if (random.nextInt(20) == 0) {
                    tested.removeBelow(id);
                    expected.clear(0, id);
                } else {
                    int end = Math.min(ids, id + random.nextInt(200));
                    addAll(tested, id, end);
                    expected.set(id, end);
                }
                check(tested, expected, random.nextInt(ids), seed);
            }
            check(tested.copy(), expected, 0, seed);
            check(EntryBits.read(in(written(tested))), expected, 0, seed);
            check(EntryBits.read(in(asBefore(expected))), expected, 0, seed);
        }
    }

    private static void addAll(EntryBits bits, int from, int end) {
        for (int id = from; id < end; id++) {
            bits.add(id);
        }
    }

    private static byte[] written(EntryBits bits) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bits.write(new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    /** As formats up to 5 have them. */
    private static byte[] asBefore(BitSet bits) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(bits.toLongArray().length);
        for (long word : bits.toLongArray()) {
            out.writeLong(word);
        }
        return bytes.toByteArray();
    }

    private static DataInputStream in(byte[] bytes) {
        return new DataInputStream(new ByteArrayInputStream(bytes));
    }

    private static void check(EntryBits tested, BitSet expected, int from, long seed) {
        assertThat(tested.has(from)).as("seed " + seed).isEqualTo(expected.get(from));
        assertThat(tested.next(from)).as("seed " + seed).isEqualTo(expected.nextSetBit(from));
        assertThat(tested.nextAbsent(from)).as("seed " + seed).isEqualTo(expected.nextClearBit(from));
        assertThat(tested.count()).as("seed " + seed).isEqualTo(expected.cardinality());
        assertThat(tested.isEmpty()).as("seed " + seed).isEqualTo(expected.isEmpty());
    }
}
