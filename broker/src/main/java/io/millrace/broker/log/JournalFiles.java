package io.millrace.broker.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The pool of journal files: free ones, zeroed or with old groups, and sealed ones that wait for a checkpoint.
 *
 * <p><b>Threads</b>: the journal writer takes and seals, the ledger writer prepares and frees, all under this object's
 * monitor; files are made and zeroed outside it. <b>Shared</b>: {@code free}, {@code sealed}, {@code activeNumber},
 * {@code stopped}. <b>States</b> of a file: prepared -> free when zeroed and forced; free -> active when taken; active
 * -> sealed when the next group does not fit; sealed -> free, or deleted, when a durable snapshot covers its last
 * group. <b>Proved by</b>: PowerLossTest.
 */
final class JournalFiles {
    private static final String SUFFIX = ".journal";
    private static final int ZEROS_BYTES = 1 << 20;
    private static final long POLL_MILLIS = 50;

    private final Disk disk;
    private final Path directory;
    private final long fileBytes;
    private final int maxFiles;
    private final Deque<JournalFile> free = new ArrayDeque<>();
    private final Deque<JournalFile> sealed = new ArrayDeque<>();
    /** Of full size. */
    private int fileCount;

    private long nextNumber;
    private long activeNumber = Snapshot.NO_JOURNAL;
    private boolean stopped;

    JournalFiles(LogFolder folder) {
        this.disk = folder.disk();
        this.directory = folder.journal();
        this.fileBytes = folder.config().journal().fileBytes();
        this.maxFiles = folder.config().journal().files();
    }

    /** Counts a file found at recovery; its number is never given again. */
    synchronized void found(long number) {
        nextNumber = Math.max(nextNumber, number + 1);
    }

    synchronized void addSealed(JournalFile file) {
        count(file, 1);
        sealed.add(file);
    }

    /** Adds an unused file found at recovery. */
    synchronized void addFree(JournalFile file) {
        count(file, 1);
        file.lengthInDoubt = true;
        file.end = 0;
        free.add(file);
    }

    synchronized void addActive(JournalFile file) {
        count(file, 1);
        activeNumber = file.number();
    }

    /** A file of another size is in use for a while, and goes then. */
    private void count(JournalFile file, int more) {
        fileCount += isFull(file) ? more : 0;
    }

    private boolean isFull(JournalFile file) {
        return file.capacity == fileBytes;
    }

    /** The number of the file that is written now or next; NO_JOURNAL while that file does not exist yet. */
    synchronized long activeNumber() {
        return activeNumber;
    }

    /** The number in that file's name, or -1 if it is no file of the journal. */
    static long number(Path path) {
        String name = String.valueOf(path.getFileName());
        boolean isOurs = name.matches("[0-9]{1,18}\\.journal");
        return isOurs ? Long.parseLong(name.substring(0, name.length() - SUFFIX.length())) : -1;
    }

    /** The name of the file of that number: its digits are those of {@link #number} in every language, which those of a format are not. */
    static String name(long number) {
        String digits = Long.toString(number);
        return "0".repeat(Math.max(0, 8 - digits.length())) + digits + SUFFIX;
    }

    /** Creates a free file of full size if there is none and the pool may grow; true if there is a free file now. */
    boolean prepare() throws IOException {
        synchronized (this) {
            if (fileCount >= maxFiles || free.stream().anyMatch(this::isFull)) {
                return !free.isEmpty();
            }
        }
        JournalFile made = make(fileBytes);
        synchronized (this) {
            fileCount++;
            free.add(made);
            notifyAll();
        }
        return true;
    }

    /** Creates a file of zeros and forces its bytes, length and name. */
    JournalFile make(long capacity) throws IOException {
        long number;
        synchronized (this) {
            number = nextNumber++;
        }
        Path path = directory.resolve(name(number));
        DiskFile file = disk.create(path);
        boolean done = false;
        try {
            file.lock();
            ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(capacity, ZEROS_BYTES));
            for (long at = 0; at < capacity; at += zeros.limit()) {
                zeros.clear().limit((int) Math.min(zeros.capacity(), capacity - at));
                file.write(at, zeros);
            }
            file.force(true, ForcePoint.JOURNAL_FILE);
            disk.forceDirectory(directory, ForcePoint.JOURNAL_DIRECTORY);
            done = true;
            return new JournalFile(path, file, capacity);
        } finally {
            if (!done) {
                file.close();
                disk.delete(path);
            }
        }
    }

    synchronized void seal(JournalFile file) {
        sealed.add(file);
        JournalFile next = free.peek();
        activeNumber = next == null ? Snapshot.NO_JOURNAL : next.number();
    }

    synchronized boolean hasFree() {
        return !free.isEmpty();
    }

    /** Waits for a short while; returns whether {@link #take} has an answer. */
    synchronized boolean awaitFree() throws InterruptedException {
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS);
        while (free.isEmpty() && !stopped && System.nanoTime() - deadlineNanos < 0) {
            wait(POLL_MILLIS);
        }
        return !free.isEmpty() || stopped;
    }

    /** A free file; null when there is none and the log is being stopped. */
    synchronized @Nullable JournalFile take() {
        JournalFile taken = free.poll();
        activeNumber = taken == null ? activeNumber : taken.number();
        return taken;
    }

    /** Whether a snapshot up to that group would free a file. */
    synchronized boolean hasSealedUpTo(long epoch) {
        JournalFile oldest = sealed.peek();
        return oldest != null && oldest.lastEpoch <= epoch;
    }

    /**
     * Frees the sealed files that a durable snapshot covers; damaged ones are set aside under another name. The file that the
     * snapshot names stays until the next one, of whatever size, and the newest if it names none: a start that does not find
     * it would take it for lost.
     *
     * @param inUse the number of the file that the snapshot names, or NO_JOURNAL
     */
    void freeUpTo(long epoch, long inUse) throws IOException {
        Deque<JournalFile> freed = new ArrayDeque<>();
        long expected;
        synchronized (this) {
            JournalFile newest = sealed.peekLast();
            expected = inUse == Snapshot.NO_JOURNAL && newest != null ? newest.number() : inUse;
            for (Iterator<JournalFile> files = sealed.iterator(); files.hasNext(); ) {
                JournalFile file = files.next();
                boolean stays = file.damaged && file.number() == expected;
                if (file.lastEpoch <= epoch && !stays) {
                    files.remove();
                    freed.add(file);
                }
            }
        }
        for (JournalFile file : freed) {
            recycle(file, file.number() == expected);
        }
    }

    private void recycle(JournalFile file, boolean isExpected) throws IOException {
        boolean keep = !file.damaged && (isExpected || isFull(file));
        if (!keep) {
            file.file.close();
            if (file.damaged) {
                disk.rename(file.path, file.path.resolveSibling(file.path.getFileName() + ".damaged"));
            } else {
                disk.delete(file.path);
            }
        }
        synchronized (this) {
            if (keep) {
                file.end = 0;
                free.add(file);
            } else {
                count(file, -1);
            }
            notifyAll();
        }
    }

    synchronized void stop() {
        stopped = true;
        notifyAll();
    }

    synchronized void close() throws IOException {
        for (JournalFile file : free) {
            file.file.close();
        }
        for (JournalFile file : sealed) {
            file.file.close();
        }
        free.clear();
        sealed.clear();
    }
}
