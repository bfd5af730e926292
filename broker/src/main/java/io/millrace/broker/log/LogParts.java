package io.millrace.broker.log;

/**
 * What the parts of one open log share; each of them says itself how it is shared.
 *
 * @param folder where it lies
 * @param status whether it takes writes
 * @param ids what new topics, cursors and ledgers are numbered by
 */
record LogParts(LogFolder folder, LogStatus status, LogIds ids, Journal journal, Reading reading) {
    private static final int MAX_NAME_CHARS = 16 * 1_024;

    /**
     * What is to be written first, and the files it goes to.
     *
     * @param cursorOrder held while cursors are named, looked up or given up and the records of that are queued, so that
     *     these come in the same order
     */
    record Journal(JournalQueue<JournalItem> queue, JournalFiles files, Object cursorOrder) {}

    /** Where entries are read: recent ones in the cache, others in files. */
    record Reading(TailCache cache, OpenFiles openFiles, EntryReader reader) {}

    static LogParts create(LogConfig config, Disk disk, long salt) {
        LogFolder folder = new LogFolder(config, disk, salt, new Damages());
        OpenFiles openFiles = new OpenFiles(disk);
        return new LogParts(
                folder,
                new LogStatus(),
                LogIds.of(1, 1, 1),
                new Journal(new JournalQueue<>(), new JournalFiles(folder), new Object()),
                new Reading(
                        new TailCache(config.memory().tailCacheBytes()),
                        openFiles,
                        new EntryReader(folder, openFiles)));
    }

    /** The head of a snapshot that holds what is up to that group, with so many topics. */
    SnapshotHead snapshotHead(long epoch, int topics) {
        return new SnapshotHead(folder.salt(), epoch, ids, journal.files().activeNumber(), topics);
    }

    /** Refuses a name that a snapshot could not hold. */
    static void requireName(String name) {
        if (name.length() > MAX_NAME_CHARS) {
            throw new IllegalArgumentException("a name of " + name.length() + " characters is longer than "
                    + MAX_NAME_CHARS + ": " + name.substring(0, 64) + "...");
        }
    }
}
