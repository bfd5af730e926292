package io.millrace.broker.dispatch;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A page of pending acknowledgements: the blocks of up to 64 times 64 neighbouring entry ids, kept as {@link EntryBlock} keeps its values. */
final class BlockPage {
    private static final int BLOCKS = LedgerBlocks.PAGE_BLOCKS;

    private static final int HEAP_BYTES = 40;
    private static final int REFERENCE_BYTES = 4;
    private static final int GROWTH = 4;
    private static final int MAX_PACKED = BLOCKS / GROWTH;
    private static final int SPARSE = 8;

    /** A bit for each block that exists. */
    long present;

    private @Nullable EntryBlock[] blocks = new @Nullable EntryBlock[1];

    /** The block of that number in the page; null if it is empty. */
    @Nullable
    EntryBlock block(int bit) {
        @Nullable EntryBlock[] array = blocks;
        if (array.length == BLOCKS) {
            return array[bit];
        }
        return (present & (1L << bit)) == 0 ? null : array[rank(bit)];
    }

    /** The block of that number in the page, created if it is empty. */
    EntryBlock blockFor(int bit) {
        EntryBlock known = block(bit);
        return known == null ? insert(bit) : known;
    }

    /** What it takes of the heap, with its blocks. */
    long heapBytes() {
        long bytes = HEAP_BYTES + (long) blocks.length * REFERENCE_BYTES;
        for (EntryBlock block : blocks) {
            bytes += block == null ? 0 : block.heapBytes();
        }
        return bytes;
    }

    void remove(int bit) {
        @Nullable EntryBlock[] array = blocks;
        if (array.length == BLOCKS) {
            array[bit] = null;
            present &= ~(1L << bit);
            if (Long.bitCount(present) <= SPARSE) {
                pack(array);
            }
            return;
        }
        int rank = rank(bit);
        int last = Long.bitCount(present) - 1;
        System.arraycopy(array, rank + 1, array, rank, last - rank);
        array[last] = null;
        present &= ~(1L << bit);
    }

    private EntryBlock insert(int bit) {
        EntryBlock before = bit == 0 ? null : block(bit - 1);
        EntryBlock added = new EntryBlock(before != null && before.isDense());
        int count = Long.bitCount(present);
        if (count == blocks.length) {
            widen(count);
        }
        if (blocks.length == BLOCKS) {
            blocks[bit] = added;
        } else {
            int rank = rank(bit);
            System.arraycopy(blocks, rank, blocks, rank + 1, count - rank);
            blocks[rank] = added;
        }
        present |= 1L << bit;
        return added;
    }

    private void widen(int count) {
        @Nullable EntryBlock[] array = blocks;
        if (count < MAX_PACKED) {
            blocks = Arrays.copyOf(array, count * GROWTH);
            return;
        }
        @Nullable EntryBlock[] wider = new @Nullable EntryBlock[BLOCKS];
        int rank = 0;
        for (long left = present; left != 0; left &= left - 1) {
            wider[Long.numberOfTrailingZeros(left)] = array[rank++];
        }
        blocks = wider;
    }

    private void pack(@Nullable EntryBlock[] array) {
        @Nullable EntryBlock[] packed = new @Nullable EntryBlock[MAX_PACKED];
        int rank = 0;
        for (long left = present; left != 0; left &= left - 1) {
            packed[rank++] = array[Long.numberOfTrailingZeros(left)];
        }
        blocks = packed;
    }

    private int rank(int bit) {
        return Long.bitCount(present & ((1L << bit) - 1));
    }
}
