package io.millrace.broker.log;

import java.nio.file.Path;

/**
 * Where the log lives and how much it may use: sizes of files on disk (journal files are preallocated and recycled, a
 * ledger ends at {@code ledgerBytes} or {@code ledgerEntries}), bytes of memory for recent entries and for
 * entries read back for slow readers, and how many topics that nobody uses wait to be packed together.
 */
public record LogConfig(
        Path data,
        long journalFileBytes,
        int journalFiles,
        long ledgerBytes,
        int ledgerEntries,
        long tailCacheBytes,
        long readAheadBytes,
        int unpackedTopics) {
    private static final long KIB = 1024;
    private static final long MIB = 1024 * KIB;

    public LogConfig {
        require(journalFileBytes >= 4 * KIB && journalFileBytes <= 1024 * MIB, "journalFileBytes", journalFileBytes);
        require(journalFiles >= 2, "journalFiles", journalFiles);
        require(ledgerBytes >= KIB, "ledgerBytes", ledgerBytes);
        require(ledgerEntries >= 1, "ledgerEntries", ledgerEntries);
        require(tailCacheBytes >= 0, "tailCacheBytes", tailCacheBytes);
        require(readAheadBytes >= 4 * KIB, "readAheadBytes", readAheadBytes);
        require(unpackedTopics >= 1, "unpackedTopics", unpackedTopics);
    }

    public static LogConfig defaults(Path data) {
        return new LogConfig(data, 32 * MIB, 3, 64 * MIB, 50_000, 32 * MIB, 32 * MIB, 1_000);
    }

    private static void require(boolean holds, String name, long value) {
        if (!holds) {
            throw new IllegalArgumentException(name + " is out of range: " + value);
        }
    }

    /** The largest frame that fits a journal file beside its commit frame. */
    int maxFrameBytes() {
        return (int) (journalFileBytes - Frame.HEAD_BYTES);
    }

    /** Refuses what no journal file can hold; whatever passes is written to one as a whole, and read back. */
    void requireFits(String what, int frameBytes) {
        if (frameBytes > maxFrameBytes()) {
            throw new IllegalArgumentException(
                    what + " of " + frameBytes + " bytes does not fit journal files of " + journalFileBytes + " bytes");
        }
    }

    public LogConfig withJournal(long fileBytes, int files) {
        return new LogConfig(
                data, fileBytes, files, ledgerBytes, ledgerEntries, tailCacheBytes, readAheadBytes, unpackedTopics);
    }

    public LogConfig withLedgers(long bytes, int entries) {
        return new LogConfig(
                data, journalFileBytes, journalFiles, bytes, entries, tailCacheBytes, readAheadBytes, unpackedTopics);
    }

    public LogConfig withMemory(long tailBytes, long readBytes) {
        return new LogConfig(
                data, journalFileBytes, journalFiles, ledgerBytes, ledgerEntries, tailBytes, readBytes, unpackedTopics);
    }

    /** The same with another number of topics that nobody uses at which these are packed. */
    public LogConfig withUnpackedTopics(int count) {
        return new LogConfig(
                data,
                journalFileBytes,
                journalFiles,
                ledgerBytes,
                ledgerEntries,
                tailCacheBytes,
                readAheadBytes,
                count);
    }
}
