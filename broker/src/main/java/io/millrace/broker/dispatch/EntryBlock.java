package io.millrace.broker.dispatch;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The values of up to 64 neighbouring entry ids: a presence bitmap, and the values either at their bit's own index, when
 * there is room for all 64, or packed by rank.
 *
 * <pre>
 * present  ...0 1 0 1 1      ids 0, 1 and 3 of this block
 * alone    v                 one id: no array
 * values   [v0, v1, v3, -]   of length 4 or 16: packed by rank
 * values   [v0, v1, -, v3 .. ]   of length 64: by bit
 * </pre>
 */
final class EntryBlock {
    private static final int IDS = LedgerBlocks.BLOCK_IDS;

    private static final int HEAP_BYTES = 40;
    private static final int ARRAY_BYTES = 16;
    private static final int GROWTH = 4;
    private static final int MAX_PACKED = IDS / GROWTH;
    /** A block this empty is packed again. */
    private static final int SPARSE = 8;

    long present;
    private long alone;
    private long @Nullable [] values;

    /** Without a value; with room for all from the start if many are expected. */
    EntryBlock(boolean dense) {
        values = dense ? new long[IDS] : null;
    }

    /** Whether it has room for all its values. */
    boolean isDense() {
        return values != null && values.length == IDS;
    }

    boolean has(int bit) {
        return (present & (1L << bit)) != 0;
    }

    long value(int bit) {
        long[] array = values;
        return array == null ? alone : array[index(array, bit)];
    }

    void replace(int bit, long value) {
        long[] array = values;
        if (array == null) {
            alone = value;
        } else {
            array[index(array, bit)] = value;
        }
    }

    /** What it takes of the heap. */
    long heapBytes() {
        long[] array = values;
        return HEAP_BYTES + (array == null ? 0 : ARRAY_BYTES + (long) array.length * Long.BYTES);
    }

    /** Takes the value of an id that is not present. */
    void insert(int bit, long value) {
        long[] array = values;
        if (array != null && array.length == IDS) {
            array[bit] = value;
        } else {
            insertPacked(array, bit, value);
        }
        present |= 1L << bit;
    }

    private void insertPacked(long @Nullable [] array, int bit, long value) {
        if (array == null && present == 0) {
            alone = value;
        } else {
            long[] roomy = withRoom(array, bit);
            roomy[roomy.length == IDS ? bit : rank(bit)] = value;
        }
    }

    /** Removes the value of a present id. */
    long remove(int bit) {
        long[] array = values;
        long removed = array != null && array.length == IDS ? array[bit] : removePacked(array, bit);
        present &= ~(1L << bit);
        return removed;
    }

    private long removePacked(long @Nullable [] array, int bit) {
        if (array == null) {
            return alone;
        }
        int rank = rank(bit);
        long removed = array[rank];
        System.arraycopy(array, rank + 1, array, rank, Long.bitCount(present) - rank - 1);
        return removed;
    }

    /** Takes a smaller form if few values are left; called after removals, when no more are expected soon. */
    void settle() {
        long[] array = values;
        if (array != null && present != 0) {
            thin(array);
        }
    }

    /** Forgets these ids; the caller has visited them. */
    void removeAll(long bits) {
        long[] array = values;
        if (array != null && array.length < IDS) {
            squeeze(array, bits);
        }
        present &= ~bits;
        settle();
    }

    /** The present ids whose values have that prefix: {@code value >>> shift == prefix}. */
    long matching(int shift, long prefix) {
        long[] array = values;
        long matching = 0;
        if (array == null) {
            return alone >>> shift == prefix ? present : 0;
        }
        if (array.length == IDS) {
            for (int bit = 0; bit < IDS; bit++) {
                matching |= array[bit] >>> shift == prefix ? 1L << bit : 0;
            }
            return matching & present;
        }
        int rank = 0;
        for (long left = present; left != 0; left &= left - 1) {
            if (array[rank++] >>> shift == prefix) {
                matching |= left & -left;
            }
        }
        return matching;
    }

    private void squeeze(long[] array, long bits) {
        int kept = 0;
        int rank = 0;
        for (long left = present; left != 0; left &= left - 1) {
            if ((left & -left & bits) == 0) {
                array[kept++] = array[rank];
            }
            rank++;
        }
    }

    private void thin(long[] array) {
        int count = Long.bitCount(present);
        if (count == 1 && array.length > GROWTH) {
            alone = array[array.length == IDS ? Long.numberOfTrailingZeros(present) : 0];
            values = null;
        } else if (array.length == IDS && count <= SPARSE) {
            values = packed(array);
        }
    }

    private long[] packed(long[] array) {
        long[] packed = new long[MAX_PACKED];
        int rank = 0;
        for (long left = present; left != 0; left &= left - 1) {
            packed[rank++] = array[Long.numberOfTrailingZeros(left)];
        }
        return packed;
    }

    /** An array with a free place for that id: four times as long if this one is full. */
    private long[] withRoom(long @Nullable [] array, int bit) {
        int count = Long.bitCount(present);
        long[] roomy;
        if (array == null) {
            roomy = new long[GROWTH];
            roomy[0] = alone;
        } else if (count < array.length) {
            roomy = array;
        } else {
            roomy = array.length < MAX_PACKED ? Arrays.copyOf(array, array.length * GROWTH) : spread(array);
        }
        values = roomy;
        if (roomy.length < IDS) {
            int rank = rank(bit);
            System.arraycopy(roomy, rank, roomy, rank + 1, count - rank);
        }
        return roomy;
    }

    private long[] spread(long[] array) {
        long[] wider = new long[IDS];
        int rank = 0;
        for (long left = present; left != 0; left &= left - 1) {
            wider[Long.numberOfTrailingZeros(left)] = array[rank++];
        }
        return wider;
    }

    private int index(long[] array, int bit) {
        return array.length == IDS ? bit : rank(bit);
    }

    private int rank(int bit) {
        return Long.bitCount(present & ((1L << bit) - 1));
    }
}
