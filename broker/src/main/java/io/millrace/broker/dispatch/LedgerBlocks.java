package io.millrace.broker.dispatch;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The values held for one ledger: a window of {@link EntryBlock}s, since ids of a ledger are handed out in order and
 * leave roughly in order. Blocks are freed as they empty and the window follows.
 */
final class LedgerBlocks {
    private static final int BLOCK_SHIFT = 6;
    private static final int BIT_MASK = 63;
    private static final int SMALLEST = 4;

    final long ledgerId;
    int size;

    private @Nullable EntryBlock[] blocks = new @Nullable EntryBlock[SMALLEST];
    /** The block number that {@code blocks[0]} stands for; block number = entry id / 64. */
    private long base;
    /** Blocks outside {@code [head, end)} are null, and so is none at either edge unless the ledger is empty. */
    private int head;

    private int end;

    LedgerBlocks(long ledgerId) {
        this.ledgerId = ledgerId;
    }

    long find(long entryId) {
        EntryBlock block = blockOf(entryId);
        int bit = (int) entryId & BIT_MASK;
        return block != null && block.has(bit) ? block.value(bit) : PositionMap.MISSING;
    }

    long put(long entryId, long value) {
        EntryBlock block = blockOf(entryId);
        int bit = (int) entryId & BIT_MASK;
        if (block != null && block.has(bit)) {
            long previous = block.value(bit);
            block.replace(bit, value);
            return previous;
        }
        if (block == null) {
            int index = indexFor(entryId >>> BLOCK_SHIFT);
            block = new EntryBlock();
            blocks[index] = block;
        }
        block.insert(bit, value);
        size++;
        return PositionMap.MISSING;
    }

    long remove(long entryId) {
        EntryBlock block = blockOf(entryId);
        int bit = (int) entryId & BIT_MASK;
        if (block == null || !block.has(bit)) {
            return PositionMap.MISSING;
        }
        long removed = block.remove(bit);
        size--;
        if (block.present == 0) {
            blocks[(int) ((entryId >>> BLOCK_SHIFT) - base)] = null;
            narrow();
        }
        return removed;
    }

    void removeUpTo(long entryId, PositionMap.Visitor removed) {
        long lastBlock = entryId >>> BLOCK_SHIFT;
        for (int i = head; i < end && base + i <= lastBlock; i++) {
            EntryBlock block = blocks[i];
            if (block == null) {
                continue;
            }
            long gone = base + i < lastBlock ? -1L : -1L >>> (BIT_MASK - ((int) entryId & BIT_MASK));
            int count = Long.bitCount(block.present & gone);
            visit(i, block, block.present & gone, removed);
            size -= count;
            if (gone == -1L || block.present == (block.present & gone)) {
                blocks[i] = null;
            } else {
                block.dropLowest(count, ~gone);
            }
        }
        narrow();
    }

    void forEach(PositionMap.Visitor visitor) {
        for (int i = head; i < end; i++) {
            EntryBlock block = blocks[i];
            if (block != null) {
                visit(i, block, block.present, visitor);
            }
        }
    }

    /** Visits from that id on, while the visitor wants more; false if it did not. */
    boolean scan(long entryId, PositionMap.Scan visitor) {
        long firstBlock = entryId >>> BLOCK_SHIFT;
        for (int i = (int) Math.max(head, Math.min(end, firstBlock - base)); i < end; i++) {
            EntryBlock block = blocks[i];
            if (block == null) {
                continue;
            }
            long firstId = (base + i) << BLOCK_SHIFT;
            long left = base + i == firstBlock ? block.present & (-1L << entryId) : block.present;
            int rank = Long.bitCount(block.present) - Long.bitCount(left);
            for (; left != 0; left &= left - 1) {
                if (!visitor.entry(ledgerId, firstId + Long.numberOfTrailingZeros(left), block.valueAtRank(rank++))) {
                    return false;
                }
            }
        }
        return true;
    }

    private void visit(int index, EntryBlock block, long bits, PositionMap.Visitor visitor) {
        long firstId = (base + index) << BLOCK_SHIFT;
        int rank = 0;
        for (long left = bits; left != 0; left &= left - 1) {
            visitor.entry(ledgerId, firstId + Long.numberOfTrailingZeros(left), block.valueAtRank(rank++));
        }
    }

    private @Nullable EntryBlock blockOf(long entryId) {
        long index = (entryId >>> BLOCK_SHIFT) - base;
        return index >= head && index < end ? blocks[(int) index] : null;
    }

    private void narrow() {
        while (head < end && blocks[head] == null) {
            head++;
        }
        while (end > head && blocks[end - 1] == null) {
            end--;
        }
        if (blocks.length > SMALLEST && end - head < blocks.length / 4) {
            resize(Math.max(SMALLEST, blocks.length / 2), head);
        }
    }

    private int indexFor(long blockNumber) {
        if (head == end) {
            base = blockNumber;
            head = 0;
            end = 0;
        }
        if (blockNumber < base + head) {
            return indexBefore(blockNumber);
        }
        long index = blockNumber - base;
        if (index >= blocks.length) {
            long needed = index - head + 1;
            resize(needed > blocks.length / 2 ? capacity(needed * 2) : blocks.length, head);
            index = blockNumber - base;
        }
        end = Math.max(end, (int) index + 1);
        return (int) index;
    }

    private int indexBefore(long blockNumber) {
        if (blockNumber < base) {
            long shift = base + head - blockNumber;
            int room = capacity(end - head + shift * 2);
            int newHead = (int) Math.min(shift * 2, room - (long) (end - head));
            @Nullable EntryBlock[] wider = new @Nullable EntryBlock[room];
            System.arraycopy(blocks, head, wider, newHead, end - head);
            base = base + head - newHead;
            end = newHead + end - head;
            blocks = wider;
        }
        head = (int) (blockNumber - base);
        return head;
    }

    /** Moves the window's first block to index 0 of an array of the given capacity. */
    private void resize(int capacity, int from) {
        int count = end - from;
        if (capacity == blocks.length) {
            System.arraycopy(blocks, from, blocks, 0, count);
            Arrays.fill(blocks, count, end, null);
        } else {
            @Nullable EntryBlock[] other = new @Nullable EntryBlock[capacity];
            System.arraycopy(blocks, from, other, 0, count);
            blocks = other;
        }
        base += from;
        head = 0;
        end = count;
    }

    private static int capacity(long blocks) {
        if (blocks > 1 << 30) {
            throw new IllegalArgumentException("entry ids of one ledger too far apart: " + blocks + " blocks of 64");
        }
        return Math.max(SMALLEST, (int) blocks);
    }
}
