package io.millrace.broker.log;

import java.util.Arrays;

/**
 * Consecutive entries of one ledger in one slab: where each frame starts.
 *
 * <p><b>Threads</b>: the journal writer adds and publishes, the ledger writer places, any thread reads under the topic
 * cache's lock. <b>Owned</b>: {@code count} and {@code touchedEpoch} by the journal writer, {@code placed} by the ledger writer. <b>Shared</b>:
 * {@code offsets} and {@code visible}: the array is written first, the count of durable entries is a volatile write
 * after the force, and readers read the count first. <b>Proved by</b>: CatchUpTest.
 */
final class CacheRun {
    final Ledger ledger;
    final long firstEntry;
    final Slab slab;
    int placed;
    private long touchedEpoch;
    private int count;
    private int[] offsets = new int[2];
    private volatile int visible;

    CacheRun(Ledger ledger, long firstEntry, Slab slab) {
        this.ledger = ledger;
        this.firstEntry = firstEntry;
        this.slab = slab;
    }

    boolean isContinuedBy(Ledger nextLedger, long entryId, Slab nextSlab) {
        return nextLedger == ledger && nextSlab == slab && entryId == firstEntry + count;
    }

    void add(int offset) {
        if (count == offsets.length) {
            offsets = Arrays.copyOf(offsets, count * 2);
        }
        offsets[count++] = offset;
    }

    /** True the first time in that group; for the journal writer. */
    boolean touch(long epoch) {
        boolean first = touchedEpoch != epoch;
        touchedEpoch = epoch;
        return first;
    }

    void publish() {
        visible = count;
    }

    int visible() {
        return visible;
    }

    /** Where the frame of the n-th entry starts; n is below {@link #visible()}. */
    int offset(int n) {
        return offsets[n];
    }
}
