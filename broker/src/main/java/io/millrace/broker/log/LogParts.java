package io.millrace.broker.log;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/** What the parts of one open log share; each of them says itself how it is shared. */
record LogParts(
        LogConfig config,
        Disk disk,
        long salt,
        LogStatus status,
        JournalQueue<JournalItem> journalQueue,
        JournalFiles journalFiles,
        TailCache cache,
        OpenFiles openFiles,
        Damages damages,
        Ids ids,
        EntryReader reader) {
    static final String JOURNAL = "journal";
    static final String LEDGERS = "ledgers";
    private static final int MAX_NAME_CHARS = 16 * 1_024;

    /** The next numbers to give; never given again, also not after a restart. */
    record Ids(AtomicLong topic, AtomicLong cursor, AtomicLong ledger) {
        static Ids of(long topic, long cursor, long ledger) {
            return new Ids(new AtomicLong(topic), new AtomicLong(cursor), new AtomicLong(ledger));
        }

        void set(Ids others) {
            topic.set(others.topic.get());
            cursor.set(others.cursor.get());
            ledger.set(others.ledger.get());
        }
    }

    static LogParts create(LogConfig config, Disk disk, long salt) {
        Damages damages = new Damages();
        OpenFiles openFiles = new OpenFiles(disk);
        return new LogParts(
                config,
                disk,
                salt,
                new LogStatus(),
                new JournalQueue<>(),
                new JournalFiles(disk, config.data().resolve(JOURNAL), config),
                new TailCache(config.tailCacheBytes()),
                openFiles,
                damages,
                Ids.of(1, 1, 1),
                new EntryReader(config, openFiles, damages, salt));
    }

    /** The head of a snapshot that holds what is up to that group, with so many topics. */
    SnapshotHead snapshotHead(long epoch, int topics) {
        return new SnapshotHead(salt, epoch, ids, journalFiles.activeNumber(), topics);
    }

    /** Refuses a name that a snapshot could not hold. */
    static void requireName(String name) {
        if (name.length() > MAX_NAME_CHARS) {
            throw new IllegalArgumentException("a name of " + name.length() + " characters is longer than "
                    + MAX_NAME_CHARS + ": " + name.substring(0, 64) + "...");
        }
    }

    static Path ledgerFile(Path data, Ledger ledger, Extent extent) {
        return extent.isOwn() ? ownFile(data, ledger) : sharedFile(data, extent.fileNumber());
    }

    static Path ownFile(Path data, Ledger ledger) {
        return data.resolve(LEDGERS).resolve(ledger.topic.id() + "-" + ledger.id + ".ledger");
    }

    static Path sharedFile(Path data, long number) {
        return data.resolve(LEDGERS).resolve(number + ".shared");
    }
}
