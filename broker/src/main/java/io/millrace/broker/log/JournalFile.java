package io.millrace.broker.log;

import java.nio.file.Path;

/** One preallocated file of the journal, owned by one part at a time: pool, journal writer, or checkpoint. */
final class JournalFile {
    final Path path;
    final DiskFile file;
    final long capacity;
    long end;
    long lastEpoch;
    boolean damaged;
    /**
     * Whether the run that created it may have been killed before it forced its length; then the first group forces it.
     */
    boolean lengthInDoubt;

    JournalFile(Path path, DiskFile file, long capacity) {
        this.path = path;
        this.file = file;
        this.capacity = capacity;
    }

    /** The number in its name, by which a snapshot names it. */
    long number() {
        return JournalFiles.number(path);
    }

    long room() {
        return capacity - end;
    }
}
