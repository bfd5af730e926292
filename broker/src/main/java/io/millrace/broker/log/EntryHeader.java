package io.millrace.broker.log;

/**
 * What dispatch needs to know of an entry, stored beside it so that its metadata is parsed only once: times are in
 * milliseconds since the epoch, {@code deliverAtMillis} is 0 for "at once", {@code stickyKeyHash} is 0 for "none".
 */
public record EntryHeader(
        int messageCount, long publishTimeMillis, int stickyKeyHash, long deliverAtMillis, int flags) {
    /** The entry is one chunk of a larger message. */
    public static final int CHUNKED = 1;

    /** The entry is the first chunk of its message. */
    public static final int FIRST_CHUNK = 2;

    /** The entry is the last chunk of its message. */
    public static final int LAST_CHUNK = 4;

    /** The entry is a batch, even if of one message. */
    public static final int BATCHED = 8;

    /** The index of the last message in its batch; -1 if the entry is no batch. */
    public int lastBatchIndex() {
        return (flags & BATCHED) != 0 || messageCount > 1 ? messageCount - 1 : -1;
    }

    public boolean isChunked() {
        return (flags & CHUNKED) != 0;
    }
}
