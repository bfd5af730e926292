package io.millrace.broker.dispatch;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An ordered map from (ledger id, entry id) to a long that is never {@link #MISSING}, without boxing: about nine bytes
 * an entry where ids are dense, about fifty where they are far apart. Single owner.
 */
final class PositionMap {
    /** The result of a lookup for a position that is not held. */
    static final long MISSING = -1;

    /** Receives the fields of one held position. */
    interface Visitor {
        void entry(long ledgerId, long entryId, long value);
    }

    /** Receives the fields of one held position and says whether it wants the next. */
    interface Scan {
        boolean entry(long ledgerId, long entryId, long value);
    }

    private static final int HEAP_BYTES = 136;
    private static final int REFERENCE_BYTES = 4;
    private static final LedgerBlocks[] NONE = {};

    /** Sorted by ledger id; none is empty. */
    private LedgerBlocks[] ledgers = NONE;

    private int ledgerCount;
    /** The index of the ledger that was found last, other than the newest. */
    private int recent;

    private int size;
    private final Spot lastPut = new Spot();
    private final Spot lastSought = new Spot();

    /**
     * The block of the last lookup: ids are added and removed nearly in order, so the next one is usually in it, too.
     */
    private static final class Spot {
        private static final long NOWHERE = -1;

        private long ledgerId;
        private long number = NOWHERE;
        private @Nullable EntryBlock block;

        /** The block of that id if it is this one. */
        @Nullable
        EntryBlock at(long ledger, long entryId) {
            return number == LedgerBlocks.blockNumber(entryId) && ledgerId == ledger ? block : null;
        }

        EntryBlock set(long itsLedgerId, long entryId, EntryBlock itsBlock) {
            settle();
            ledgerId = itsLedgerId;
            number = LedgerBlocks.blockNumber(entryId);
            block = itsBlock;
            return itsBlock;
        }

        void forget() {
            settle();
            number = NOWHERE;
            block = null;
        }

        /** The last block is not packed: it may soon become empty or full. */
        private void settle() {
            if (block != null) {
                block.settle();
            }
        }
    }

    int size() {
        return size;
    }

    /** What it takes of the heap. */
    long heapBytes() {
        long bytes = HEAP_BYTES + (long) ledgers.length * REFERENCE_BYTES;
        for (int i = 0; i < ledgerCount; i++) {
            bytes += ledgers[i].heapBytes();
        }
        return bytes;
    }

    boolean isEmpty() {
        return size == 0;
    }

    long find(long ledgerId, long entryId) {
        EntryBlock block = blockOf(ledgerId, entryId);
        int bit = LedgerBlocks.bit(entryId);
        return block != null && block.has(bit) ? block.value(bit) : MISSING;
    }

    /** Stores another value for a position that is held; the one it replaced, or {@link #MISSING} if it is not held. */
    long replace(long ledgerId, long entryId, long value) {
        long known = find(ledgerId, entryId);
        EntryBlock block = lastSought.block;
        if (known != MISSING && block != null) {
            block.replace(LedgerBlocks.bit(entryId), requireHoldable(ledgerId, entryId, value));
        }
        return known;
    }

    /** Stores the value and returns the one it replaced. */
    long put(long ledgerId, long entryId, long value) {
        return put(ledgerId, entryId, value, true);
    }

    /** Stores the value if the position is not held, else returns the one that stays. */
    long putIfAbsent(long ledgerId, long entryId, long value) {
        return put(ledgerId, entryId, value, false);
    }

    private long put(long ledgerId, long entryId, long value, boolean replace) {
        requireHoldable(ledgerId, entryId, value);
        EntryBlock block = lastPut.at(ledgerId, entryId);
        if (block == null) {
            block = lastPut.set(ledgerId, entryId, ledgerFor(ledgerId).blockFor(entryId));
        }
        int bit = LedgerBlocks.bit(entryId);
        if (!block.has(bit)) {
            block.insert(bit, value);
            size++;
            return MISSING;
        }
        long known = block.value(bit);
        if (replace) {
            block.replace(bit, value);
        }
        return known;
    }

    private static long requireHoldable(long ledgerId, long entryId, long value) {
        if (entryId < 0 || value == MISSING) {
            throw new IllegalArgumentException("cannot hold " + value + " for " + ledgerId + ":" + entryId);
        }
        return value;
    }

    long remove(long ledgerId, long entryId) {
        EntryBlock block = blockOf(ledgerId, entryId);
        int bit = LedgerBlocks.bit(entryId);
        if (block == null || !block.has(bit)) {
            return MISSING;
        }
        size--;
        long removed = block.remove(bit);
        if (block.present == 0) {
            free(ledgerId, entryId, block);
        }
        return removed;
    }

    private void free(long ledgerId, long entryId, EntryBlock block) {
        int index = indexOf(ledgerId);
        ledgers[index].free(entryId);
        if (ledgers[index].isEmpty()) {
            dropLedgers(index, index + 1);
        }
        lastSought.forget();
        if (lastPut.block == block) {
            lastPut.forget();
        }
    }

    /** Removes everything at or before the position and hands over each; the visitor must not change this map. */
    void removeUpTo(long ledgerId, long entryId, Visitor removed) {
        forgetSpots();
        long lastLedger = entryId < 0 ? ledgerId - 1 : ledgerId;
        int whole = 0;
        boolean isEmptied = true;
        while (isEmptied && whole < ledgerCount && ledgers[whole].ledgerId <= lastLedger) {
            LedgerBlocks ledger = ledgers[whole];
            size -= ledger.removeUpTo(ledger.ledgerId < ledgerId ? Long.MAX_VALUE : entryId, removed);
            isEmptied = ledger.isEmpty();
            whole += isEmptied ? 1 : 0;
        }
        dropLedgers(0, whole);
        forgetSpots();
    }

    /** Removes the values with that prefix, {@code value >>> shift == prefix}, in order, and hands over each. */
    void removeMatching(int shift, long prefix, Visitor removed) {
        forgetSpots();
        for (int i = 0; i < ledgerCount; i++) {
            size -= ledgers[i].removeMatching(shift, prefix, removed);
        }
        int kept = 0;
        for (int i = 0; i < ledgerCount; i++) {
            if (!ledgers[i].isEmpty()) {
                ledgers[kept++] = ledgers[i];
            }
        }
        dropLedgers(kept, ledgerCount);
        forgetSpots();
    }

    /** Visits in order; the visitor must not change this map. */
    void forEach(Visitor visitor) {
        for (int i = 0; i < ledgerCount; i++) {
            ledgers[i].forEach(visitor);
        }
    }

    /** Visits in order from the given position on, while the visitor wants more; it must not change this map. */
    void scan(long ledgerId, long entryId, Scan visitor) {
        int index = indexOf(ledgerId);
        long from = index < 0 ? 0 : Math.max(0, entryId);
        for (int i = index < 0 ? -index - 1 : index; i < ledgerCount; i++) {
            if (!ledgers[i].scan(from, visitor)) {
                return;
            }
            from = 0;
        }
    }

    void clear() {
        forgetSpots();
        ledgers = NONE;
        ledgerCount = 0;
        size = 0;
    }

    private @Nullable EntryBlock blockOf(long ledgerId, long entryId) {
        EntryBlock known = lastSought.at(ledgerId, entryId);
        if (known != null) {
            return known;
        }
        int index = indexOf(ledgerId);
        EntryBlock block = index < 0 ? null : ledgers[index].blockOf(entryId);
        return block == null ? null : lastSought.set(ledgerId, entryId, block);
    }

    private LedgerBlocks ledgerFor(long ledgerId) {
        int index = indexOf(ledgerId);
        if (index < 0) {
            index = -index - 1;
            insertLedger(index, new LedgerBlocks(ledgerId));
        }
        return ledgers[index];
    }

    private void forgetSpots() {
        lastPut.forget();
        lastSought.forget();
    }

    private int indexOf(long ledgerId) {
        int last = ledgerCount - 1;
        if (last >= 0 && ledgers[last].ledgerId == ledgerId) {
            return last;
        }
        if (recent < last && ledgers[recent].ledgerId == ledgerId) {
            return recent;
        }
        int low = 0;
        int high = last;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            long found = ledgers[middle].ledgerId;
            if (found == ledgerId) {
                recent = middle;
                return middle;
            }
            if (found < ledgerId) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -low - 1;
    }

    private void insertLedger(int index, LedgerBlocks ledger) {
        if (ledgerCount == ledgers.length) {
            ledgers = Arrays.copyOf(ledgers, Math.max(2, ledgerCount * 2));
        }
        System.arraycopy(ledgers, index, ledgers, index + 1, ledgerCount - index);
        ledgers[index] = ledger;
        ledgerCount++;
    }

    private void dropLedgers(int from, int to) {
        if (from == to) {
            return;
        }
        System.arraycopy(ledgers, to, ledgers, from, ledgerCount - to);
        ledgerCount -= to - from;
        ledgers = Arrays.copyOf(ledgers, ledgerCount);
    }
}
