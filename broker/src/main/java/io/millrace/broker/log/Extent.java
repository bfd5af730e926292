package io.millrace.broker.log;

/**
 * Where a run of a ledger's entries lies: bytes {@code [start, end)} of the ledger's own file ({@code fileNumber} 0) or
 * of a shared file.
 */
record Extent(long fileNumber, long start, long end, long firstEntry, long lastEntry) {
    static final long OWN_FILE = 0;

    boolean isOwn() {
        return fileNumber == OWN_FILE;
    }

    boolean isContinuedBy(Extent next) {
        return fileNumber == next.fileNumber && end == next.start;
    }

    Extent with(Extent next) {
        return new Extent(fileNumber, start, next.end, firstEntry, next.lastEntry);
    }

    long bytes() {
        return end - start;
    }
}
