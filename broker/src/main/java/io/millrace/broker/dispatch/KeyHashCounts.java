package io.millrace.broker.dispatch;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** How many entries there are of each key hash: pages of 256 counters that exist while one of them is not zero. */
final class KeyHashCounts {
    private static final int PAGE_SHIFT = 8;
    private static final int PAGE_SIZE = 1 << PAGE_SHIFT;
    private static final int PAGE_BYTES = (PAGE_SIZE + 1) * Integer.BYTES + 16;
    private static final int MASK = PAGE_SIZE - 1;

    /** One cell more than counters: the last one is the page's sum. */
    private final int[] @Nullable [] pages = new int[PAGE_SIZE] @Nullable [];

    private int total;
    private int pageCount;

    /** How many pages of counters there are. */
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

    /** Counts one less of a hash that has some; false if it has none. */
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

    int total() {
        return total;
    }

    void clear() {
        Arrays.fill(pages, null);
        total = 0;
        pageCount = 0;
    }
}
