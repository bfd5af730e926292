package io.millrace.broker.dispatch;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How many pending entries of each key hash there are, and how many of them each consumer holds. So who owns a hash may
 * change without a look at the entries. Single owner.
 */
final class PendingHashes {
    private final KeyHashCounts all = new KeyHashCounts();
    /** Those of each consumer, by its slot; null for one that never held any. */
    private @Nullable KeyHashCounts[] bySlot = new @Nullable KeyHashCounts[0];

    private long heapBytes;

    /** The consumer of that slot holds one more. */
    void add(int keyHash, int slot) {
        KeyHashCounts own = of(slot);
        long before = tableBytes(own);
        own.add(keyHash);
        all.add(keyHash);
        heapBytes += tableBytes(own) - before;
    }

    /** The consumer of that slot holds one less. */
    void remove(int keyHash, int slot) {
        KeyHashCounts own = of(slot);
        long before = tableBytes(own);
        if (own.remove(keyHash)) {
            all.remove(keyHash);
        }
        heapBytes += tableBytes(own) - before;
    }

    /** Those of that hash which others hold than the consumer of that slot. */
    int ofOthers(int keyHash, int slot) {
        int pending = all.of(keyHash);
        KeyHashCounts own = pending == 0 || slot >= bySlot.length ? null : bySlot[slot];
        return own == null ? pending : pending - own.of(keyHash);
    }

    /** What the tables take of the heap. */
    long heapBytes() {
        return heapBytes;
    }

    private long tableBytes(KeyHashCounts own) {
        return own.heapBytes() + all.heapBytes();
    }

    private KeyHashCounts of(int slot) {
        if (slot >= bySlot.length) {
            bySlot = Arrays.copyOf(bySlot, Math.max(slot + 1, bySlot.length * 2));
        }
        KeyHashCounts own = bySlot[slot];
        if (own == null) {
            own = new KeyHashCounts();
            bySlot[slot] = own;
        }
        return own;
    }
}
