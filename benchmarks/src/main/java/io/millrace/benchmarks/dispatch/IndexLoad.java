package io.millrace.benchmarks.dispatch;

import java.util.Random;

/** A window of pending entries that moves on: in the order of ids, at random, or over ids that are far apart. */
final class IndexLoad {
    private static final int SPARSE_STEP = 1_000;
    private static final int HASH_MASK = 0xFFFF;

    private final PendingIndex index;
    private final int pending;
    private final int entriesPerLedger;
    private final int step;
    /** In random order: which entry of the window is the n-th to go, over and over. */
    private final int[] turns;
    /** The entry at each place of the window: its ledger above, its id in the lower half. */
    private final long[] window;

    private long nextLedger;
    private int nextEntry;
    private int turn;

    /** Fills the index with that many entries over that many ledgers. */
    IndexLoad(PendingIndex index, int pending, int ledgers, AckOrder order) {
        this.index = index;
        this.pending = pending;
        entriesPerLedger = pending / ledgers;
        step = order == AckOrder.SPARSE ? SPARSE_STEP : 1;
        turns = new int[pending];
        window = new long[pending];
        for (int i = 0; i < pending; i++) {
            turns[i] = i;
        }
        if (order == AckOrder.RANDOM) {
            shuffle(turns, new Random(1));
        }
        for (int place = 0; place < pending; place++) {
            dispatch(place);
        }
        requirePending();
    }

    /** Acknowledges one entry and dispatches the next, which takes its place. */
    void cycle() {
        int place = turns[turn];
        turn = turn + 1 == pending ? 0 : turn + 1;
        if (!index.remove(ledger(window[place]), entry(window[place]))) {
            throw new IllegalStateException("the entry at " + place + " was not pending");
        }
        dispatch(place);
    }

    /** Acknowledges a part of the entry that is the next to go. */
    void partialAck() {
        int place = turns[turn];
        if (!index.update(ledger(window[place]), entry(window[place]), 2)) {
            throw new IllegalStateException("the entry at " + place + " was not pending");
        }
    }

    /** Removes the first entries of the window, which are in order. */
    long removeFirst(int count) {
        int removed = index.removeUpTo(ledger(window[count - 1]), entry(window[count - 1]));
        if (removed != count) {
            throw new IllegalStateException(removed + " entries were removed, expected are " + count);
        }
        return index.handedOver();
    }

    /** Fails if the index does not hold as many entries as the window has. */
    void requirePending() {
        if (index.size() != pending) {
            throw new IllegalStateException(index.size() + " entries are pending, expected are " + pending);
        }
    }

    private void dispatch(int place) {
        long entry = (long) nextEntry * step;
        window[place] = nextLedger << Integer.SIZE | entry;
        if (!index.add(nextLedger, entry, 3, nextEntry & HASH_MASK)) {
            throw new IllegalStateException(nextLedger + ":" + entry + " was pending already");
        }
        if (++nextEntry == entriesPerLedger) {
            nextEntry = 0;
            nextLedger++;
        }
    }

    private static long ledger(long place) {
        return place >>> Integer.SIZE;
    }

    private static long entry(long place) {
        return place & 0xFFFF_FFFFL;
    }

    private static void shuffle(int[] values, Random random) {
        for (int i = values.length - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int swapped = values[i];
            values[i] = values[other];
            values[other] = swapped;
        }
    }
}
