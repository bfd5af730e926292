package io.millrace.broker.dispatch;

import java.util.Arrays;

/**
 * The values of up to 64 neighbouring entry ids: a presence bitmap and the values of the present ones, packed by rank.
 *
 * <pre>
 * present  ...0 1 0 1 1      ids 0, 1 and 3 of this block
 * values   [v0, v1, v3, -]   grown 4, 8, 16, 32, 64
 * </pre>
 */
final class EntryBlock {
    private static final int SMALLEST = 4;

    long present;
    private long[] values = new long[SMALLEST];

    boolean has(int bit) {
        return (present & (1L << bit)) != 0;
    }

    long value(int bit) {
        return values[rank(bit)];
    }

    void replace(int bit, long value) {
        values[rank(bit)] = value;
    }

    void insert(int bit, long value) {
        int count = Long.bitCount(present);
        if (count == values.length) {
            values = Arrays.copyOf(values, count * 2);
        }
        int rank = rank(bit);
        System.arraycopy(values, rank, values, rank + 1, count - rank);
        values[rank] = value;
        present |= 1L << bit;
    }

    long remove(int bit) {
        int rank = rank(bit);
        long removed = values[rank];
        System.arraycopy(values, rank + 1, values, rank, Long.bitCount(present) - rank - 1);
        present &= ~(1L << bit);
        return removed;
    }

    /** Forgets the lowest {@code count} values; the caller has visited them. */
    void dropLowest(int count, long keptMask) {
        System.arraycopy(values, count, values, 0, Long.bitCount(present) - count);
        present &= keptMask;
    }

    long valueAtRank(int rank) {
        return values[rank];
    }

    private int rank(int bit) {
        return Long.bitCount(present & ((1L << bit) - 1));
    }
}
