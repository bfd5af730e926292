package io.millrace.broker.protocol;

import io.millrace.broker.log.Entry;
import io.millrace.broker.log.Position;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Entries for one consumer, in order, passed from its dispatcher's island to the connection's event loop; it owns one
 * reference of each. The island fills it, then passes it on as a whole.
 */
final class DeliveryBatch implements Runnable {
    private static final int FIRST_CAPACITY = 16;

    private final SessionConsumer consumer;
    private final long consumerEpoch;
    private @Nullable Entry[] entries = new Entry[FIRST_CAPACITY];
    private int[] redeliveryCounts = new int[FIRST_CAPACITY];
    private long @Nullable [] @Nullable [] ackSets;
    private int count;
    private long bytes;

    DeliveryBatch(SessionConsumer consumer, long consumerEpoch) {
        this.consumer = consumer;
        this.consumerEpoch = consumerEpoch;
    }

    /** Takes over one reference of the entry; returns the entry's size in bytes. */
    int add(Entry entry, int redeliveryCount, long @Nullable [] ackSet) {
        if (count == entries.length) {
            entries = Arrays.copyOf(entries, 2 * count);
            redeliveryCounts = Arrays.copyOf(redeliveryCounts, 2 * count);
        }
        entries[count] = entry;
        redeliveryCounts[count] = redeliveryCount;
        if (ackSet != null) {
            addAckSet(ackSet);
        }
        count++;
        int entryBytes = entry.data().readableBytes();
        bytes += entryBytes;
        return entryBytes;
    }

    int count() {
        return count;
    }

    /** Size of all entries, in bytes. */
    long bytes() {
        return bytes;
    }

    /** The epoch of the consumer that the entries belong to; -1 for none. */
    long consumerEpoch() {
        return consumerEpoch;
    }

    /** Returns the entry at the index and passes its reference to the caller. */
    Entry take(int index) {
        Entry entry = present(index);
        entries[index] = null;
        return entry;
    }

    /** Where the entry at the index is stored; before it is taken. */
    Position position(int index) {
        return present(index).position();
    }

    int redeliveryCount(int index) {
        return redeliveryCounts[index];
    }

    long @Nullable [] ackSet(int index) {
        return ackSets == null || index >= ackSets.length ? null : ackSets[index];
    }

    /** Releases every entry that was not taken. */
    void discard() {
        for (int i = 0; i < count; i++) {
            Entry entry = entries[i];
            if (entry != null) {
                entries[i] = null;
                entry.release();
            }
        }
    }

    @Override
    public void run() {
        consumer.write(this);
    }

    private Entry present(int index) {
        Entry entry = entries[index];
        if (entry == null) {
            throw new IllegalStateException("entry " + index + " of a batch of " + count + " was taken already");
        }
        return entry;
    }

    private void addAckSet(long[] ackSet) {
        long @Nullable [] @Nullable [] all = ackSets;
        if (all == null || all.length <= count) {
            all = all == null ? new long[entries.length][] : Arrays.copyOf(all, entries.length);
            ackSets = all;
        }
        all[count] = ackSet;
    }
}
