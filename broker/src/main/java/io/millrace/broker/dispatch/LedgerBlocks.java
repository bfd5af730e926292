package io.millrace.broker.dispatch;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The values held for one ledger: a window of {@link BlockPage}s, because ids of a ledger are added in order and
 * removed roughly in order. Blocks and pages are freed as they empty and the window follows.
 */
final class LedgerBlocks {
    /** A block is so many neighbouring ids, a page so many blocks; both are found by their bit in a long. */
    static final int BLOCK_IDS = Long.SIZE;

    static final int PAGE_BLOCKS = Long.SIZE;
    private static final int BLOCK_SHIFT = Integer.numberOfTrailingZeros(BLOCK_IDS);
    private static final int PAGE_SHIFT = BLOCK_SHIFT + Integer.numberOfTrailingZeros(PAGE_BLOCKS);
    private static final int BIT_MASK = BLOCK_IDS - 1;
    private static final int HEAP_BYTES = 64;
    private static final int REFERENCE_BYTES = 4;
    private static final int SMALLEST = 2;

    final long ledgerId;

    private @Nullable BlockPage[] pages = new @Nullable BlockPage[SMALLEST];
    /** The page number of {@code pages[0]}; page number = entry id / 4096. */
    private long base;
    /** Pages outside {@code [head, end)} are null. The pages at both edges are not null, unless the ledger is empty. */
    private int head;

    private int end;

    LedgerBlocks(long ledgerId) {
        this.ledgerId = ledgerId;
    }

    /** Which block of a ledger an id belongs to. */
    static long blockNumber(long entryId) {
        return entryId >>> BLOCK_SHIFT;
    }

    /** The index of an id in its block. */
    static int bit(long entryId) {
        return (int) entryId & BIT_MASK;
    }

    /** The block of that id, created if there is none. */
    EntryBlock blockFor(long entryId) {
        return pageFor(entryId >>> PAGE_SHIFT).blockFor(blockBit(entryId));
    }

    /** Removes the block of that id, which is empty. */
    void free(long entryId) {
        int index = (int) ((entryId >>> PAGE_SHIFT) - base);
        BlockPage page = pages[index];
        if (page != null) {
            page.remove(blockBit(entryId));
            if (page.present == 0) {
                pages[index] = null;
                narrow();
            }
        }
    }

    /** Whether nothing is held; after a removal. */
    boolean isEmpty() {
        return head == end;
    }

    /** What it takes of the heap, with its pages. */
    long heapBytes() {
        long bytes = HEAP_BYTES + (long) pages.length * REFERENCE_BYTES;
        for (int i = head; i < end; i++) {
            BlockPage page = pages[i];
            bytes += page == null ? 0 : page.heapBytes();
        }
        return bytes;
    }

    /** Removes the ids up to that one and hands each to the visitor; returns how many there were. */
    int removeUpTo(long entryId, PositionMap.Visitor removed) {
        long lastPage = entryId >>> PAGE_SHIFT;
        int whole = (int) Math.max(head, Math.min(end, lastPage - base));
        int count = 0;
        for (int i = head; i < whole; i++) {
            count += visitPage(i, removed);
            pages[i] = null;
        }
        if (whole < end && base + whole == lastPage) {
            count += removeWithinPage(whole, entryId, removed);
        }
        narrow();
        return count;
    }

    private int visitPage(int index, PositionMap.Visitor visitor) {
        BlockPage page = pages[index];
        int count = 0;
        for (long left = page == null ? 0 : page.present; left != 0; left &= left - 1) {
            int bit = Long.numberOfTrailingZeros(left);
            EntryBlock block = page == null ? null : page.block(bit);
            count += block == null ? 0 : visit(block, firstId(index, bit), block.present, visitor);
        }
        return count;
    }

    /** Removes the ids of one page up to that one, which is in it. */
    private int removeWithinPage(int index, long entryId, PositionMap.Visitor removed) {
        BlockPage page = pages[index];
        int lastBlock = blockBit(entryId);
        long lastBits = -1L >>> (BIT_MASK - bit(entryId));
        long blocks = page == null ? 0 : page.present & -1L >>> (BIT_MASK - lastBlock);
        int count = 0;
        for (long left = blocks; left != 0; left &= left - 1) {
            int bit = Long.numberOfTrailingZeros(left);
            count += removeBits(index, bit, bit == lastBlock ? lastBits : -1L, removed);
        }
        return count;
    }

    /**
     * Removes the values with that prefix, {@code value >>> shift == prefix}, and hands over each; returns how many
     * there were.
     */
    int removeMatching(int shift, long prefix, PositionMap.Visitor removed) {
        int count = 0;
        for (int i = head; i < end; i++) {
            BlockPage page = pages[i];
            for (long left = page == null ? 0 : page.present; left != 0; left &= left - 1) {
                int bit = Long.numberOfTrailingZeros(left);
                EntryBlock block = page == null ? null : page.block(bit);
                long matching = block == null ? 0 : block.matching(shift, prefix);
                if (matching != 0) {
                    count += removeBits(i, bit, matching, removed);
                }
            }
        }
        narrow();
        return count;
    }

    void forEach(PositionMap.Visitor visitor) {
        scan(0, (ledger, entry, value) -> {
            visitor.entry(ledger, entry, value);
            return true;
        });
    }

    /** Visits the values from that id on, while the visitor wants more; false if it stopped. */
    boolean scan(long entryId, PositionMap.Scan visitor) {
        long firstBlock = entryId >>> BLOCK_SHIFT;
        for (int i = (int) Math.max(head, Math.min(end, (entryId >>> PAGE_SHIFT) - base)); i < end; i++) {
            BlockPage page = pages[i];
            for (long left = page == null ? 0 : page.present; left != 0; left &= left - 1) {
                int bit = Long.numberOfTrailingZeros(left);
                long number = ((base + i) << BLOCK_SHIFT) + bit;
                EntryBlock block = page == null || number < firstBlock ? null : page.block(bit);
                if (block != null && !scan(block, number, number == firstBlock ? -1L << entryId : -1L, visitor)) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean scan(EntryBlock block, long number, long wanted, PositionMap.Scan visitor) {
        long firstId = number << BLOCK_SHIFT;
        for (long left = block.present & wanted; left != 0; left &= left - 1) {
            int bit = Long.numberOfTrailingZeros(left);
            if (!visitor.entry(ledgerId, firstId + bit, block.value(bit))) {
                return false;
            }
        }
        return true;
    }

    /**
     * Removes those ids of one block, and empty blocks and pages, but does not move the window; returns how many ids
     * there were.
     */
    private int removeBits(int index, int blockBit, long bits, PositionMap.Visitor removed) {
        BlockPage page = pages[index];
        EntryBlock block = page == null ? null : page.block(blockBit);
        if (page == null || block == null) {
            return 0;
        }
        long gone = block.present & bits;
        int count = visit(block, firstId(index, blockBit), gone, removed);
        if (gone != block.present) {
            block.removeAll(gone);
        } else {
            page.remove(blockBit);
            pages[index] = page.present == 0 ? null : page;
        }
        return count;
    }

    /** Hands over those ids of a block, all of them present; returns how many they are. */
    private int visit(EntryBlock block, long firstId, long ids, PositionMap.Visitor visitor) {
        for (long left = ids; left != 0; left &= left - 1) {
            int bit = Long.numberOfTrailingZeros(left);
            visitor.entry(ledgerId, firstId + bit, block.value(bit));
        }
        return Long.bitCount(ids);
    }

    private long firstId(int index, int blockBit) {
        return (((base + index) << BLOCK_SHIFT) + blockBit) << BLOCK_SHIFT;
    }

    /** The block of that id; null if there is none. */
    @Nullable
    EntryBlock blockOf(long entryId) {
        long index = (entryId >>> PAGE_SHIFT) - base;
        BlockPage page = index >= head && index < end ? pages[(int) index] : null;
        return page == null ? null : page.block(blockBit(entryId));
    }

    private static int blockBit(long entryId) {
        return (int) (entryId >>> BLOCK_SHIFT) & BIT_MASK;
    }

    private BlockPage pageFor(long pageNumber) {
        long offset = pageNumber - base;
        BlockPage known = offset >= head && offset < end ? pages[(int) offset] : null;
        if (known != null) {
            return known;
        }
        int index = indexFor(pageNumber);
        BlockPage added = new BlockPage();
        pages[index] = added;
        return added;
    }

    private void narrow() {
        while (head < end && pages[head] == null) {
            head++;
        }
        while (end > head && pages[end - 1] == null) {
            end--;
        }
        if (pages.length > SMALLEST && end - head < pages.length / 4) {
            resize(Math.max(SMALLEST, pages.length / 2), head);
        }
    }

    private int indexFor(long pageNumber) {
        if (head == end) {
            base = pageNumber;
            head = 0;
            end = 0;
        }
        if (pageNumber < base + head) {
            return indexBefore(pageNumber);
        }
        long index = pageNumber - base;
        if (index >= pages.length) {
            long needed = index - head + 1;
            resize(needed > pages.length / 2 ? capacity(needed * 2) : pages.length, head);
            index = pageNumber - base;
        }
        end = Math.max(end, (int) index + 1);
        return (int) index;
    }

    private int indexBefore(long pageNumber) {
        if (pageNumber < base) {
            long shift = base + head - pageNumber;
            int room = capacity(end - head + shift * 2);
            int newHead = (int) Math.min(shift * 2, room - (long) (end - head));
            @Nullable BlockPage[] wider = new @Nullable BlockPage[room];
            System.arraycopy(pages, head, wider, newHead, end - head);
            base = base + head - newHead;
            end = newHead + end - head;
            pages = wider;
        }
        head = (int) (pageNumber - base);
        return head;
    }

    /** Moves the window's first page to index 0 of an array of the given capacity. */
    private void resize(int capacity, int from) {
        int count = end - from;
        if (capacity == pages.length) {
            System.arraycopy(pages, from, pages, 0, count);
            Arrays.fill(pages, count, end, null);
        } else {
            @Nullable BlockPage[] other = new @Nullable BlockPage[capacity];
            System.arraycopy(pages, from, other, 0, count);
            pages = other;
        }
        base += from;
        head = 0;
        end = count;
    }

    private static int capacity(long pages) {
        if (pages > 1 << 30) {
            throw new IllegalArgumentException(
                    "entry ids of one ledger too far apart: " + pages + " pages of " + (1 << PAGE_SHIFT));
        }
        return Math.max(SMALLEST, (int) pages);
    }
}
