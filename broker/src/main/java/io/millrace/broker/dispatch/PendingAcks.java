package io.millrace.broker.dispatch;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The entries that a subscription's consumers hold: sent, and not yet acknowledged as a whole. It also counts what each
 * consumer holds, by key hash, too, where that is wanted, so that no second count exists. Single owner.
 *
 * <pre>
 * packed  | consumer slot 24 | messages remaining 24 | key hash 16 |
 * </pre>
 */
public final class PendingAcks {
    /** The result of {@link #find} and {@link #remove} for a position that is not pending. */
    public static final long MISSING = PositionMap.MISSING;

    /** The largest number of messages in one entry, and the first slot that is too large. */
    static final int FIELD_LIMIT = (1 << 24) - 1;

    private static final int SLOT_SHIFT = 40;
    private static final int REMAINING_SHIFT = 16;
    private static final int HASH_MASK = 0xFFFF;

    /** Receives all fields of one pending entry. */
    public interface Visitor {
        void entry(long ledgerId, long entryId, int slot, int remaining, int keyHash);
    }

    private final PositionMap index = new PositionMap();
    /** For each slot the entries and then the messages that its consumer holds. */
    private long[] held = new long[8];

    private long unacked;
    /** Null where hashes are not counted. */
    private @Nullable PendingHashes hashes;

    /** Counts from now on, where nothing is pending, also who holds entries of which key hash; or does not. */
    void countHashes(boolean isWanted) {
        hashes = isWanted ? new PendingHashes() : null;
    }

    /** Where hashes are counted: the pending entries of that one which others hold than the consumer of that slot. */
    int heldByOthers(int keyHash, int slot) {
        return hashes == null ? 0 : hashes.ofOthers(keyHash & HASH_MASK, slot);
    }

    static int slot(long packed) {
        return (int) (packed >>> SLOT_SHIFT);
    }

    static int remaining(long packed) {
        return (int) (packed >>> REMAINING_SHIFT) & FIELD_LIMIT;
    }

    static int keyHash(long packed) {
        return (int) packed & HASH_MASK;
    }

    /** Adds an entry that is not pending yet; false, and no change, if it is. */
    public boolean add(long ledgerId, long entryId, int slot, int remaining, int keyHash) {
        if (index.putIfAbsent(ledgerId, entryId, pack(slot, remaining, keyHash)) != MISSING) {
            return false;
        }
        count(slot, 1, remaining);
        PendingHashes counted = hashes;
        if (counted != null) {
            counted.add(keyHash & HASH_MASK, slot);
        }
        return true;
    }

    /** Whether the entry is pending. */
    public boolean contains(long ledgerId, long entryId) {
        return index.find(ledgerId, entryId) != MISSING;
    }

    /** All fields of a pending entry, packed, or {@link #MISSING}. */
    public long find(long ledgerId, long entryId) {
        return index.find(ledgerId, entryId);
    }

    /** Removes an entry, whichever consumer holds it, and returns its fields, packed, or {@link #MISSING}. */
    public long remove(long ledgerId, long entryId) {
        long packed = index.remove(ledgerId, entryId);
        if (packed != MISSING) {
            removed(packed);
        }
        return packed;
    }

    /** Removes an entry if that consumer holds it, and returns its fields, packed, or {@link #MISSING}. */
    public long removeIfMatching(long ledgerId, long entryId, int slot) {
        long packed = index.find(ledgerId, entryId);
        return packed != MISSING && slot(packed) == slot ? remove(ledgerId, entryId) : MISSING;
    }

    /** Lowers the messages that remain of a pending entry; false if it is not pending. */
    public boolean updateRemaining(long ledgerId, long entryId, int remaining) {
        long packed = index.find(ledgerId, entryId);
        if (packed == MISSING) {
            return false;
        }
        int slot = slot(packed);
        index.replace(ledgerId, entryId, pack(slot, remaining, keyHash(packed)));
        count(slot, 0, remaining - remaining(packed));
        return true;
    }

    /** Removes everything at or before the position and hands over the fields of each, in order. */
    public void removeAllUpTo(long ledgerId, long entryId, Visitor removed) {
        index.removeUpTo(ledgerId, entryId, (ledger, entry, packed) -> {
            removed(packed);
            removed.entry(ledger, entry, slot(packed), remaining(packed), keyHash(packed));
        });
    }

    /** Visits every pending entry in order; the visitor must not change them. */
    public void forEach(Visitor visitor) {
        index.forEach((ledger, entry, packed) ->
                visitor.entry(ledger, entry, slot(packed), remaining(packed), keyHash(packed)));
    }

    /** Removes what one consumer holds and hands over the fields of each, in order. */
    public void forEachAndClear(int slot, Visitor removed) {
        if (entries(slot) > 0) {
            index.removeMatching(SLOT_SHIFT, slot, (ledger, entry, packed) -> {
                removed(packed);
                removed.entry(ledger, entry, slot, remaining(packed), keyHash(packed));
            });
        }
    }

    /** Forgets everything. */
    public void clear() {
        index.clear();
        Arrays.fill(held, 0);
        unacked = 0;
        countHashes(hashes != null);
    }

    /** Pending entries of the subscription. */
    public int size() {
        return index.size();
    }

    /** What they take of the heap. */
    long heapBytes() {
        return index.heapBytes() + (long) held.length * Long.BYTES;
    }

    /** What it takes of the heap to know their hashes, where those are counted. */
    long hashBytes() {
        return hashes == null ? 0 : hashes.heapBytes();
    }

    /** Pending entries of one consumer. */
    public int entries(int slot) {
        return 2 * slot < held.length ? (int) held[2 * slot] : 0;
    }

    /** Unacknowledged messages of one consumer. */
    public long unacked(int slot) {
        return 2 * slot < held.length ? held[2 * slot + 1] : 0;
    }

    /** Unacknowledged messages of the subscription. */
    public long unacked() {
        return unacked;
    }

    private void removed(long packed) {
        int slot = slot(packed);
        count(slot, -1, -remaining(packed));
        PendingHashes counted = hashes;
        if (counted != null) {
            counted.remove(keyHash(packed), slot);
        }
    }

    private void count(int slot, int entries, int messages) {
        int at = 2 * slot;
        if (at >= held.length) {
            held = Arrays.copyOf(held, Math.max(at + 2, held.length * 2));
        }
        held[at] += entries;
        held[at + 1] += messages;
        unacked += messages;
    }

    private static long pack(int slot, int remaining, int keyHash) {
        if (slot < 0 || slot >= FIELD_LIMIT || remaining < 0 || remaining > FIELD_LIMIT) {
            throw new IllegalArgumentException("slot " + slot + " or remaining " + remaining + " out of range");
        }
        return (long) slot << SLOT_SHIFT | (long) remaining << REMAINING_SHIFT | (keyHash & HASH_MASK);
    }
}
