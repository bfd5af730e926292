package io.millrace.broker.dispatch;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The positions that are due at one tick, in order: a few as pairs of ids, more in a map. Single owner. */
final class TickEntries {
    private static final int PAIR = 2;
    private static final int GROWTH = 4;
    private static final int MAX_PAIRS = 16;
    private static final int HEAP_BYTES = 24;
    private static final int ARRAY_BYTES = 16;

    private long[] pairs = new long[PAIR];
    /** How many pairs there are, while there is no map. */
    private int count;

    private @Nullable PositionMap map;

    /** Takes a position, once. */
    void add(long ledgerId, long entryId) {
        int index = map == null ? indexOf(ledgerId, entryId) : 0;
        if (map == null && index < 0 && count == MAX_PAIRS) {
            map = mapOfPairs();
        }
        if (map != null) {
            map.put(ledgerId, entryId, 0);
        } else if (index < 0) {
            insert(-index - 1, ledgerId, entryId);
        }
    }

    void remove(long ledgerId, long entryId) {
        if (map != null) {
            map.remove(ledgerId, entryId);
            return;
        }
        int index = indexOf(ledgerId, entryId);
        if (index >= 0) {
            count--;
            System.arraycopy(pairs, PAIR * (index + 1), pairs, PAIR * index, PAIR * (count - index));
        }
    }

    boolean isEmpty() {
        return map == null ? count == 0 : map.isEmpty();
    }

    /** Visits the positions in order, with values that mean nothing. */
    void forEach(PositionMap.Visitor visitor) {
        if (map != null) {
            map.forEach(visitor);
            return;
        }
        for (int i = 0; i < count; i++) {
            visitor.entry(pairs[PAIR * i], pairs[PAIR * i + 1], 0);
        }
    }

    /** What it takes of the heap. */
    long heapBytes() {
        return HEAP_BYTES + ARRAY_BYTES + (long) pairs.length * Long.BYTES + (map == null ? 0 : map.heapBytes());
    }

    private void insert(int index, long ledgerId, long entryId) {
        if (PAIR * count == pairs.length) {
            pairs = Arrays.copyOf(pairs, pairs.length * GROWTH);
        }
        System.arraycopy(pairs, PAIR * index, pairs, PAIR * (index + 1), PAIR * (count - index));
        pairs[PAIR * index] = ledgerId;
        pairs[PAIR * index + 1] = entryId;
        count++;
    }

    private PositionMap mapOfPairs() {
        PositionMap positions = new PositionMap();
        forEach(positions::put);
        pairs = new long[0];
        count = 0;
        return positions;
    }

    /** Where the position is, or {@code -index - 1} of where it belongs: most often at the end. */
    private int indexOf(long ledgerId, long entryId) {
        int index = count;
        while (index > 0 && compare(index - 1, ledgerId, entryId) > 0) {
            index--;
        }
        return index > 0 && compare(index - 1, ledgerId, entryId) == 0 ? index - 1 : -index - 1;
    }

    private int compare(int index, long ledgerId, long entryId) {
        int byLedger = Long.compare(pairs[PAIR * index], ledgerId);
        return byLedger == 0 ? Long.compare(pairs[PAIR * index + 1], entryId) : byLedger;
    }
}
