package io.millrace.broker.dispatch;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The number of entries of each key hash, in pages of 256 counters; a page exists while one of its counters is not
 * zero.
 */
final class KeyHashCounts {
    private static final int PAGE_SHIFT = 8;
    private static final int PAGE_SIZE = 1 << PAGE_SHIFT;
    private static final int PAGE_BYTES = (PAGE_SIZE + 1) * Integer.BYTES + 16;
    private static final int MASK = PAGE_SIZE - 1;

    /** The counters, and a last cell for the page's sum. */
    private final int[] @Nullable [] pages = new int[PAGE_SIZE] @Nullable [];

    private int total;
    private int pageCount;

    /** The number of pages. */
    int pageCount() {
        return pageCount;
    }

    /** What they take of the heap. */
    long heapBytes() {
        return (long) pageCount * PAGE_BYTES;
    }

    int of(int keyHash) {
        int[] page = total == 0 ? null : pages[keyHash >>> PAGE_SHIFT];
        return page == null ? 0 : page[keyHash & MASK];
    }

    void add(int keyHash) {
        int[] page = pages[keyHash >>> PAGE_SHIFT];
        if (page == null) {
            page = new int[PAGE_SIZE + 1];
            pageCount++;
            pages[keyHash >>> PAGE_SHIFT] = page;
        }
        page[keyHash & MASK]++;
        page[PAGE_SIZE]++;
        total++;
    }

    /** Subtracts one from a hash's count; false if it is zero. */
    boolean remove(int keyHash) {
        int[] page = pages[keyHash >>> PAGE_SHIFT];
        if (page == null || page[keyHash & MASK] == 0) {
            return false;
        }
        page[keyHash & MASK]--;
        total--;
        if (--page[PAGE_SIZE] == 0) {
            pages[keyHash >>> PAGE_SHIFT] = null;
            pageCount--;
        }
        return true;
    }

    void clear() {
        Arrays.fill(pages, null);
        total = 0;
        pageCount = 0;
    }
}
