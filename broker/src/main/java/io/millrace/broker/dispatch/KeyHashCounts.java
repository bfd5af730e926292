package io.millrace.broker.dispatch;

/**
 * The number of entries of each key hash: an open table with linear probing while hashes are few, then one counter for
 * each hash there can be. So what it takes follows from how many entries it has counted. Single owner.
 *
 * <pre>
 * place of the table  | count 16 | key hash 16 |    free if the count is 0
 * </pre>
 */
final class KeyHashCounts {
    private static final int[] NONE = {};
    private static final int SMALLEST = 16;
    private static final int LARGEST = KeyRanges.HASHES / 2;
    private static final int COUNT_SHIFT = 16;
    private static final int HASH_MASK = (1 << COUNT_SHIFT) - 1;
    private static final int MAX_COUNT = HASH_MASK;
    /** 2 to the power of 32, divided by the golden ratio: neighbouring hashes get places far apart. */
    private static final int SPREAD = 0x9E3779B9;

    private static final int ARRAY_BYTES = 16;
    private static final int MAX_BYTES_PER_ENTRY = 11;

    private int[] table = NONE;
    /** How many places of the table are taken; unused once there is a counter for each hash. */
    private int taken;

    private int total;

    /** The most that so many entries take of the heap. */
    static long maxHeapBytes(long entries) {
        return Math.min(
                ARRAY_BYTES + (SMALLEST + 1L) * Integer.BYTES + entries * MAX_BYTES_PER_ENTRY,
                ARRAY_BYTES + (long) KeyRanges.HASHES * Integer.BYTES);
    }

    /** What it takes of the heap. */
    long heapBytes() {
        return table.length == 0 ? 0 : ARRAY_BYTES + (long) table.length * Integer.BYTES;
    }

    int of(int keyHash) {
        if (total == 0) {
            return 0;
        }
        return isWide() ? table[keyHash] : table[placeOf(keyHash)] >>> COUNT_SHIFT;
    }

    void add(int keyHash) {
        if (table.length == 0) {
            table = new int[SMALLEST];
        }
        if (!isWide() && !addToTable(keyHash)) {
            widen();
        }
        if (isWide()) {
            table[keyHash]++;
        }
        total++;
    }

    /** Subtracts one from a hash's count; false if it is zero. */
    boolean remove(int keyHash) {
        if (of(keyHash) == 0) {
            return false;
        }
        total--;
        if (total == 0) {
            clear();
        } else if (isWide()) {
            table[keyHash]--;
        } else {
            removeFromTable(placeOf(keyHash));
        }
        return true;
    }

    void clear() {
        table = NONE;
        taken = 0;
        total = 0;
    }

    private boolean isWide() {
        return table.length == KeyRanges.HASHES;
    }

    /** False if the table cannot count it. */
    private boolean addToTable(int keyHash) {
        int place = placeOf(keyHash);
        if (table[place] != 0) {
            boolean fits = table[place] >>> COUNT_SHIFT < MAX_COUNT;
            table[place] += fits ? 1 << COUNT_SHIFT : 0;
            return fits;
        }
        if (taken >= table.length / 4 * 3) {
            if (table.length == LARGEST) {
                return false;
            }
            grow();
            place = placeOf(keyHash);
        }
        table[place] = 1 << COUNT_SHIFT | keyHash;
        taken++;
        return true;
    }

    private void grow() {
        int[] before = table;
        table = new int[before.length * 2];
        for (int counter : before) {
            if (counter != 0) {
                table[placeOf(counter & HASH_MASK)] = counter;
            }
        }
    }

    private void widen() {
        int[] wide = new int[KeyRanges.HASHES];
        for (int counter : table) {
            wide[counter & HASH_MASK] += counter >>> COUNT_SHIFT;
        }
        table = wide;
    }

    private void removeFromTable(int place) {
        table[place] -= 1 << COUNT_SHIFT;
        if (table[place] >>> COUNT_SHIFT == 0) {
            taken--;
            close(place);
        }
    }

    /** Moves those up that were put behind this place because it was taken. */
    private void close(int place) {
        int mask = table.length - 1;
        int hole = place;
        for (int next = (hole + 1) & mask; table[next] != 0; next = (next + 1) & mask) {
            int fromHome = (next - home(table[next] & HASH_MASK)) & mask;
            if (fromHome >= ((next - hole) & mask)) {
                table[hole] = table[next];
                hole = next;
            }
        }
        table[hole] = 0;
    }

    /** The place of that hash in the table, or the free one where it belongs. */
    private int placeOf(int keyHash) {
        int mask = table.length - 1;
        int place = home(keyHash);
        while (table[place] != 0 && (table[place] & HASH_MASK) != keyHash) {
            place = (place + 1) & mask;
        }
        return place;
    }

    private int home(int keyHash) {
        return (keyHash * SPREAD) >>> (Integer.numberOfLeadingZeros(table.length) + 1);
    }
}
