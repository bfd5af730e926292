package io.millrace.broker.log;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** A set of entry ids of one ledger: bits in pages, so that ids far apart take little. For one owner at a time. */
final class EntryBits {
    private static final int PAGE_SHIFT = 10;
    private static final int PAGE_IDS = 1 << PAGE_SHIFT;
    private static final int PAGE_WORDS = PAGE_IDS / Long.SIZE;
    private static final long[] NONE = {};
    /** What a page is that is not there; never written. */
    private static final long[] EMPTY = new long[PAGE_WORDS];
    /** Itself with its map, and a page with its place in that. */
    private static final int HEAP_BYTES = 80;

    private static final int PAGE_BYTES = 72 + PAGE_IDS / Byte.SIZE;

    /** None of them is all zero. */
    private final TreeMap<Integer, long[]> pages = new TreeMap<>();

    private int recentNumber;
    /** The page of that number if it has any words. */
    private long[] recent = NONE;

    /** Reads what {@link #write} wrote. */
    static EntryBits read(DataInputStream in) throws IOException {
        EntryBits bits = new EntryBits();
        int count = in.readInt();
        for (int word = 0; word < count; word++) {
            long present = in.readLong();
            if (present != 0) {
                bits.pageFor(word / PAGE_WORDS)[word % PAGE_WORDS] = present;
            }
        }
        for (int i = count; i < 0; i++) {
            long[] page = bits.pageFor(in.readInt());
            for (int word = 0; word < PAGE_WORDS; word++) {
                page[word] = in.readLong();
            }
        }
        return bits;
    }

    /** Writes a word for each 64 ids and, before them, how many; if that is less, a negative number, and so many pages. */
    void write(DataOutputStream out) throws IOException {
        int count = pages.isEmpty() ? 0 : (pages.lastKey() + 1) * PAGE_WORDS;
        if (pages.size() * (PAGE_WORDS + 1L) < count) {
            out.writeInt(-pages.size());
            for (Map.Entry<Integer, long[]> page : pages.entrySet()) {
                out.writeInt(page.getKey());
                writeWords(out, page.getValue());
            }
        } else {
            out.writeInt(count);
            for (int number = 0; number < count / PAGE_WORDS; number++) {
                writeWords(out, page(number));
            }
        }
    }

    private static void writeWords(DataOutputStream out, long[] words) throws IOException {
        for (long word : words) {
            out.writeLong(word);
        }
    }

    boolean has(int id) {
        return (page(id >>> PAGE_SHIFT)[word(id)] & 1L << id) != 0;
    }

    /** Whether an id that is added takes a page of its own. */
    boolean grows(int id) {
        return page(id >>> PAGE_SHIFT) == EMPTY;
    }

    void add(int id) {
        pageFor(id >>> PAGE_SHIFT)[word(id)] |= 1L << id;
    }

    /** Removes the ids below that one. */
    void removeBelow(int id) {
        recent = NONE;
        pages.headMap(id >>> PAGE_SHIFT).clear();
        long[] page = page(id >>> PAGE_SHIFT);
        if (page != EMPTY) {
            Arrays.fill(page, 0, word(id), 0);
            page[word(id)] &= -1L << id;
            if (isZero(page)) {
                recent = NONE;
                pages.remove(id >>> PAGE_SHIFT);
            }
        }
    }

    /** The first id from that one on that is not in the set. */
    int nextAbsent(int from) {
        int id = from;
        for (long[] page = page(id >>> PAGE_SHIFT); page != EMPTY; page = page(id >>> PAGE_SHIFT)) {
            long absent = ~page[word(id)] & -1L << id;
            if (absent != 0) {
                return (id & -Long.SIZE) + Long.numberOfTrailingZeros(absent);
            }
            id = (id & -Long.SIZE) + Long.SIZE;
        }
        return id;
    }

    /** The first id of the set from that one on; -1 if there is none. */
    int next(int from) {
        Map.Entry<Integer, long[]> page = pages.ceilingEntry(from >>> PAGE_SHIFT);
        while (page != null) {
            int first = page.getKey() << PAGE_SHIFT;
            int at = Math.max(first, from);
            long wanted = -1L << at;
            for (int word = word(at); word < PAGE_WORDS; word++) {
                long present = page.getValue()[word] & wanted;
                if (present != 0) {
                    return first + word * Long.SIZE + Long.numberOfTrailingZeros(present);
                }
                wanted = -1L;
            }
            page = pages.higherEntry(page.getKey());
        }
        return -1;
    }

    boolean isEmpty() {
        return pages.isEmpty();
    }

    int count() {
        int count = 0;
        for (long[] page : pages.values()) {
            for (long word : page) {
                count += Long.bitCount(word);
            }
        }
        return count;
    }

    EntryBits copy() {
        EntryBits copy = new EntryBits();
        pages.forEach((number, page) -> copy.pages.put(number, page.clone()));
        return copy;
    }

    /** What it takes of the heap. */
    long heapBytes() {
        return HEAP_BYTES + (long) pages.size() * PAGE_BYTES;
    }

    /** The words of that page; {@link #EMPTY} if it has none. */
    private long[] page(int number) {
        if (recent == NONE || recentNumber != number) {
            long[] found = pages.get(number);
            if (found == null) {
                return EMPTY;
            }
            recentNumber = number;
            recent = found;
        }
        return recent;
    }

    private long[] pageFor(int number) {
        long[] page = page(number);
        if (page == EMPTY) {
            page = new long[PAGE_WORDS];
            pages.put(number, page);
        }
        return page;
    }

    private static int word(int id) {
        return (id & (PAGE_IDS - 1)) / Long.SIZE;
    }

    private static boolean isZero(long[] page) {
        for (long word : page) {
            if (word != 0) {
                return false;
            }
        }
        return true;
    }
}
