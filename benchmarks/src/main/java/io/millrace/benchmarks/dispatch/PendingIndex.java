package io.millrace.benchmarks.dispatch;

/** What every index of pending acknowledgements can do. */
public interface PendingIndex {
    /** Adds an entry that is not pending; false if it is. */
    boolean add(long ledgerId, long entryId, int remaining, int keyHash);

    /** False if it is not pending. */
    boolean remove(long ledgerId, long entryId);

    /** Changes the messages that remain of a pending entry; false if it is not pending. */
    boolean update(long ledgerId, long entryId, int remaining);

    /** Removes everything at or before the position, hands all fields of each to a callback, and answers how many. */
    int removeUpTo(long ledgerId, long entryId);

    /** Removes all that the consumer to be closed holds, hands over all fields of each, and answers how many. */
    int closeConsumer();

    /** The sum of what the callbacks were handed, so that no compiler leaves them out. */
    long handedOver();

    /** How many entries are pending. */
    long size();

    /** The object whose memory is to be measured. */
    Object heapRoot();
}
