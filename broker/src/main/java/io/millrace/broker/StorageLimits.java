package io.millrace.broker;

import io.millrace.broker.memory.DirectMemory;

/**
 * How much disk and memory the log uses: the journal's ring of recycled files, the size at which a ledger is rolled,
 * and the two bounded pools of entry bytes. A value out of range is an IllegalArgumentException that names key, value
 * and range. Immutable.
 */
public record StorageLimits(
        long journalFileBytes,
        int journalFiles,
        long ledgerBytes,
        int ledgerEntries,
        long tailCacheBytes,
        long readAheadBytes) {
    private static final long MIB = 1024L * 1024;
    private static final long TIB = MIB * MIB;

    /** Of the memory outside the heap, for each of the pools of entry bytes, but no more than 32 MiB. */
    private static final int POOL_PARTS = 8;

    /** The storage limits of a broker whose file sets none. */
    public static final StorageLimits DEFAULTS = new StorageLimits(
            32 * MIB,
            3,
            64 * MIB,
            50_000,
            DirectMemory.part(POOL_PARTS, MIB, 32 * MIB),
            DirectMemory.part(POOL_PARTS, MIB, 32 * MIB));

    public StorageLimits {
        ConfigRange.require("journal-file-bytes", journalFileBytes, MIB, 1024 * MIB);
        ConfigRange.require("journal-files", journalFiles, 2, 1_000);
        ConfigRange.require("ledger-bytes", ledgerBytes, 64 * 1024, 1024 * MIB);
        ConfigRange.require("ledger-entries", ledgerEntries, 1, 1_000_000_000);
        ConfigRange.require("tail-cache-bytes", tailCacheBytes, 64 * 1024, TIB);
        ConfigRange.require("read-ahead-bytes", readAheadBytes, MIB, TIB);
    }
}
