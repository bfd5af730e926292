package io.millrace.broker.log;

/**
 * A topic that nobody uses: its name, and everything else as the bytes that a snapshot has of it. Immutable.
 *
 * @param isOpen whether its last ledger takes more entries, which after a restart none does
 */
@SuppressWarnings("ArrayRecordComponent")
record PackedTopic(long id, String name, byte[] body, boolean isOpen) {
    private static final long PLACES_BYTES = 200;

    /** What it takes of the heap, with its places in the maps of topics, in bytes. */
    long heapBytes() {
        return PLACES_BYTES + name.length() + body.length;
    }

    /** Whether it has no entries and no cursors, and never had an entry. */
    boolean isEmpty() {
        return SnapshotBody.isEmpty(body);
    }
}
