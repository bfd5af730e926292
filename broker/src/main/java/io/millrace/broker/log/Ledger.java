package io.millrace.broker.log;

import org.jspecify.annotations.Nullable;

/**
 * A run of a topic's entries, numbered from 0, and the places of those that left the tail cache.
 *
 * <p><b>Threads</b>: the topic's appender grows it under the topic's lock; the ledger writer places it; all read.
 * <b>Owned</b>: {@code bytes}, of the entries that were not
 * refused, under the topic's lock; {@code refused}, whether an entry of it was, by the journal writer; {@code deleting} and {@code deleted} by the ledger writer. <b>Shared</b>: {@code
 * firstOrdinal}, written by recovery and under the topic's lock (volatile); {@code lastEntry}, written by the appender (volatile); {@code openedMillis}, when it was opened, by the appender, recovery and the ledger writer (volatile); {@code unreadable}, set by any reader (volatile); {@code extents}, replaced by the ledger writer (volatile) before the
 * entries leave the cache, so a reader that misses there finds them here. <b>States</b>: open -> closed when full or
 * recovered, under the topic's lock; closed -> deleting when every cursor is past it; deleting -> deleted when that is
 * durable. <b>Proved by</b>: PowerLossTest, CatchUpTest.
 */
final class Ledger {
    private static final Extent[] NOWHERE = {};

    final long id;
    final TopicLog topic;
    /** How many entries of the topic came before this ledger's first, as far as known. */
    volatile long firstOrdinal;

    long bytes;
    boolean refused;
    boolean deleting;
    boolean deleted;
    private volatile long lastEntry;
    private volatile Extent[] extents = NOWHERE;
    private volatile boolean unreadable;
    private volatile long openedMillis;

    Ledger(long id, TopicLog topic, long firstOrdinal, long lastEntry) {
        this.id = id;
        this.topic = topic;
        this.firstOrdinal = firstOrdinal;
        this.lastEntry = lastEntry;
    }

    long lastEntry() {
        return lastEntry;
    }

    void setLastEntry(long entryId) {
        lastEntry = entryId;
    }

    long entryCount() {
        return lastEntry + 1;
    }

    Extent[] extents() {
        return extents;
    }

    void setExtents(Extent[] placed) {
        extents = placed;
    }

    /** When the broker opened it, in milliseconds since the epoch; 0 if an earlier version did and did not say so. */
    long openedMillis() {
        return openedMillis;
    }

    void setOpenedMillis(long millis) {
        openedMillis = millis;
    }

    /** Whether a file of it was missing, or the disk could not read some place, since the log was opened; it may be there later. */
    boolean isUnreadable() {
        return unreadable;
    }

    void setUnreadable() {
        unreadable = true;
    }

    /** Adds the extent placed last, joined with the one before it if both touch. */
    void place(Extent placed) {
        Extent[] before = extents;
        int count = before.length;
        if (count > 0 && before[count - 1].isContinuedBy(placed)) {
            Extent[] after = before.clone();
            after[count - 1] = before[count - 1].with(placed);
            extents = after;
        } else {
            Extent[] after = java.util.Arrays.copyOf(before, count + 1);
            after[count] = placed;
            extents = after;
        }
    }

    /** The last entry that has its place in a file, or -1. */
    long lastPlacedEntry() {
        Extent[] placed = extents;
        return placed.length == 0 ? -1 : placed[placed.length - 1].lastEntry();
    }

    /** The extent that holds this entry or, if there is none, the first one after it. */
    @Nullable
    Extent extentOf(long entryId) {
        for (Extent extent : extents) {
            if (extent.lastEntry() >= entryId) {
                return extent;
            }
        }
        return null;
    }

    Position last() {
        return new Position(id, lastEntry);
    }
}
