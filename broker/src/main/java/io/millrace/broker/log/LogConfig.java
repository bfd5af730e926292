package io.millrace.broker.log;

import io.millrace.broker.memory.DirectMemory;
import io.millrace.broker.setting.MachineSetting;
import io.millrace.broker.setting.NumberSetting;
import io.millrace.broker.setting.SettingValues;
import io.millrace.broker.setting.TextSetting;
import java.nio.file.Path;

/**
 * Where the log lives and how much it may use. A value out of range is an IllegalArgumentException that names key, value
 * and range.
 *
 * @param unpackedTopics how many topics that nobody uses wait to be packed together
 */
public record LogConfig(Path data, Journal journal, Ledgers ledgers, Memory memory, int unpackedTopics) {
    private static final long KIB = 1024;
    private static final long MIB = 1024 * KIB;
    private static final long TIB = MIB * MIB;

    private static final TextSetting DATA_FOLDER = new TextSetting(
            "data-folder",
            "data",
            "a path",
            "Folder of the journal and the ledgers; created when missing. One broker at a time may use it.");

    private static final NumberSetting JOURNAL_FILE_BYTES = new NumberSetting(
            "journal-file-bytes",
            32 * MIB,
            4 * KIB,
            1024 * MIB,
            "The journal is a ring of preallocated files of this size; a file is used again once the ledgers hold what"
                    + " it holds. One without room for the largest message and 64 KiB is refused; left out, it has it. The"
                    + " first file of a new data folder is one of 1 MiB, so that it is there at once.");

    private static final NumberSetting JOURNAL_FILES =
            new NumberSetting("journal-files", 3, 2, 1_000, "How many files the journal may have.");

    private static final NumberSetting LEDGER_BYTES = new NumberSetting(
            "ledger-bytes",
            64 * MIB,
            KIB,
            1024 * MIB,
            "A topic starts a new ledger when the current one has so many bytes. A ledger is deleted as a whole, once"
                    + " every subscription has acknowledged all of it.");

    private static final NumberSetting LEDGER_ENTRIES = new NumberSetting(
            "ledger-entries",
            50_000,
            1,
            1_000_000_000,
            "A topic starts a new ledger also when the current one has so many entries, of which a batch is one.");

    private static final MachineSetting TAIL_CACHE_BYTES = new MachineSetting(
            "tail-cache-bytes",
            32 * MIB,
            0,
            TIB,
            "Memory for entries just published, shared by all topics, so that live consumers need no disk read. Left"
                    + " out, it is 32 MiB, or an eighth of direct memory where that is less.");

    private static final MachineSetting READ_AHEAD_BYTES = new MachineSetting(
            "read-ahead-bytes",
            32 * MIB,
            4 * KIB,
            TIB,
            "Memory for entries read from disk for consumers that catch up, shared by all of them. Left out, it is"
                    + " 32 MiB, or an eighth of direct memory where that is less.");

    private static final int DIRECT_MEMORY_PARTS = 8;
    private static final int UNPACKED_TOPICS = 1_000;

    /** The ring of files that are written first, preallocated and used again. */
    public record Journal(long fileBytes, int files) {
        public Journal {
            JOURNAL_FILE_BYTES.require(fileBytes);
            JOURNAL_FILES.require(files);
        }
    }

    /** Where a ledger ends, whichever comes first. */
    public record Ledgers(long bytes, int entries) {
        public Ledgers {
            LEDGER_BYTES.require(bytes);
            LEDGER_ENTRIES.require(entries);
        }
    }

    /** Memory outside the heap for entries just published, and for those that are read back. */
    public record Memory(long tailCacheBytes, long readAheadBytes) {
        public Memory {
            TAIL_CACHE_BYTES.require(tailCacheBytes);
            READ_AHEAD_BYTES.require(readAheadBytes);
        }
    }

    public LogConfig {
        if (unpackedTopics < 1) {
            throw new IllegalArgumentException("unpackedTopics is " + unpackedTopics + ", but must be 1 at least");
        }
    }

    /** The log of a broker whose file sets nothing, in that folder. */
    public static LogConfig defaults(Path data) {
        return of(SettingValues.none(), 0).withData(data);
    }

    /** The log that a configuration file sets, of a broker whose largest message has so many bytes. */
    public static LogConfig of(SettingValues values, long messageBytes) {
        long fileBytes = Math.max(JOURNAL_FILE_BYTES.defaultValue(), minJournalFileBytes(messageBytes));
        return new LogConfig(
                Path.of(values.text(DATA_FOLDER)),
                new Journal(values.number(JOURNAL_FILE_BYTES, fileBytes), values.integer(JOURNAL_FILES)),
                new Ledgers(values.number(LEDGER_BYTES), values.integer(LEDGER_ENTRIES)),
                new Memory(pool(values, TAIL_CACHE_BYTES), pool(values, READ_AHEAD_BYTES)),
                UNPACKED_TOPICS);
    }

    private static long pool(SettingValues values, MachineSetting setting) {
        return values.number(
                setting,
                DirectMemory.part(DIRECT_MEMORY_PARTS, MIB, setting.number().defaultValue()));
    }

    /** What a journal file must have, to hold a message of so many bytes with its metadata and the frames around it. */
    private static long minJournalFileBytes(long messageBytes) {
        return messageBytes + 64 * KIB;
    }

    /** Refuses, naming both keys, files that cannot hold the largest message. */
    public void requireRoomFor(long messageBytes, String messageKey) {
        long minBytes = minJournalFileBytes(messageBytes);
        if (journal.fileBytes < minBytes) {
            throw new IllegalArgumentException(JOURNAL_FILE_BYTES.key() + " is " + journal.fileBytes
                    + ", but must be at least " + minBytes + ", as " + messageKey + " is " + messageBytes
                    + ": raise the one or lower the other");
        }
    }

    /** The largest frame that fits a journal file beside its commit frame. */
    int maxFrameBytes() {
        return (int) (journal.fileBytes - Frame.HEAD_BYTES);
    }

    /** Refuses what no journal file can hold; whatever passes is written to one as a whole, and read back. */
    void requireFits(String what, long frameBytes) {
        if (frameBytes > maxFrameBytes()) {
            throw new IllegalArgumentException(what + " of " + frameBytes + " bytes does not fit journal files of "
                    + journal.fileBytes + " bytes");
        }
    }

    /** The same in another folder. */
    public LogConfig withData(Path folder) {
        return new LogConfig(folder, journal, ledgers, memory, unpackedTopics);
    }

    public LogConfig withJournal(long fileBytes, int files) {
        return new LogConfig(data, new Journal(fileBytes, files), ledgers, memory, unpackedTopics);
    }

    public LogConfig withLedgers(long bytes, int entries) {
        return new LogConfig(data, journal, new Ledgers(bytes, entries), memory, unpackedTopics);
    }

    public LogConfig withMemory(long tailCacheBytes, long readAheadBytes) {
        return new LogConfig(data, journal, ledgers, new Memory(tailCacheBytes, readAheadBytes), unpackedTopics);
    }

    /** The same with another number of topics that nobody uses at which these are packed. */
    public LogConfig withUnpackedTopics(int count) {
        return new LogConfig(data, journal, ledgers, memory, count);
    }
}
