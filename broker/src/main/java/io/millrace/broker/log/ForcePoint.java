package io.millrace.broker.log;

/** Every place that forces something to the device, so that a test can skip any one of them. */
public enum ForcePoint {
    /** The entry of a data folder, or of a copy of one, in its parent, when it was just made or has no snapshot yet. */
    DATA_FOLDER,
    /** A new journal file's zeros and length, before its first group. */
    JOURNAL_FILE,
    /**
     * The journal directory, after a file was created in it, or at a start: the run before may have been killed at that
     * moment.
     */
    JOURNAL_DIRECTORY,
    /** One group of frames. */
    JOURNAL_GROUP,
    /** The journal's contents that recovery read, before anyone sees them. */
    JOURNAL_RECOVERED,
    /** A ledger or shared file, before journal files that hold its bytes are used again. */
    LEDGER_FILE,
    /** The ledgers directory, when such a file is new. */
    LEDGER_DIRECTORY,
    /** A new snapshot, before it replaces the old one. */
    SNAPSHOT_FILE,
    /**
     * The data folder, after a new snapshot replaced the old one, or at a start: the run before may have been killed at
     * that moment.
     */
    SNAPSHOT_DIRECTORY
}
