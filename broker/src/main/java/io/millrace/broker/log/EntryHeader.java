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

    private static final int CHUNKED_HASH_BITS = 16;

    /** The flags of a chunk, of a message of that hash. */
    public static int chunkFlags(int chunk, int chunks, int messageHash) {
        return CHUNKED
                | (chunk == 0 ? FIRST_CHUNK : 0)
                | (chunk == chunks - 1 ? LAST_CHUNK : 0)
                | messageHash << CHUNKED_HASH_BITS;
    }

    /** What tells the chunked message from others of its key, 16 bits; 0 if nothing does. */
    public int chunkedHash() {
        return flags >>> CHUNKED_HASH_BITS;
    }

    /** The index of the last message in its batch; -1 if the entry is no batch. */
    public int lastBatchIndex() {
        return (flags & BATCHED) != 0 || messageCount > 1 ? messageCount - 1 : -1;
    }

    public boolean isChunked() {
        return (flags & CHUNKED) != 0;
    }
}
