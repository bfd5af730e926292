package io.millrace.broker.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Copies a data folder, also while a broker of another process writes it. A snapshot and the journal files belong
 * together as long as there is no newer snapshot, because only a newer one allows groups to be overwritten; so both are
 * copied again until no newer one appeared. The parts of ledger files that they name never change, the files only grow:
 * a file that no longer grows is linked, of another the needed part is copied. If one has disappeared meanwhile, its
 * deletion is in the journal, which is then copied again.
 */
public final class FolderBackup {
    private static final long COPY_BYTES = 8 << 20;
    private static final int SAME_DAMAGE_LIMIT = 5;
    private static final List<String> FOLDERS = List.of(LogFolder.JOURNAL, LogFolder.LEDGERS);
    private static final String REPLACED = "its snapshot was replaced again and again";
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** The source changed while it was read, or looks damaged, which may be the same: it must be read again. */
    private static final class Moved extends Exception {
        private static final long serialVersionUID = 1L;

        Moved(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    private final Path from;
    private final Path to;

    private FolderBackup(Path from, Path to) {
        this.from = from;
        this.to = to;
    }

    /** Copies the folder to one that is missing or empty, and is empty again if that fails. A broker in this process would lose its locks. */
    public static void run(Path from, Path to) throws IOException {
        run(from, to, new DiskFiles());
    }

    /** The same, where that disk makes the folder. */
    static void run(Path from, Path to, Disk disk) throws IOException {
        FolderBackup backup = new FolderBackup(from, to);
        backup.snapshot(); // or there is nothing to copy
        LogFolder.create(to, disk);
        try (Stream<Path> files = Files.list(to)) {
            if (files.findAny().isPresent()) {
                throw new DirectoryNotEmptyException(to + " is not empty: name a folder that is, or none yet");
            }
        }
        try {
            for (String name : FOLDERS) {
                Files.createDirectory(to.resolve(name));
            }
            backup.copy();
        } catch (IOException | RuntimeException | Error failed) {
            backup.takeBack(failed);
            throw failed;
        }
    }

    /** Deletes what was made, so that the next attempt finds the folder empty. */
    private void takeBack(Throwable failed) {
        try {
            for (String name : FOLDERS) {
                deleteAll(to.resolve(name));
            }
            Files.deleteIfExists(SnapshotFile.path(to));
        } catch (IOException | UncheckedIOException notDeleted) {
            failed.addSuppressed(notDeleted);
        }
    }

    private static void deleteAll(Path made) throws IOException {
        if (!Files.exists(made)) {
            return;
        }
        try (Stream<Path> files = Files.walk(made)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    private void copy() throws IOException {
        long deadlineNanos = System.nanoTime() + LIMIT.toNanos();
        String damage = "";
        int sameDamage = 0;
        while (true) {
            try {
                attempt();
                break;
            } catch (Moved e) {
                String message = String.valueOf(e.getMessage());
                sameDamage = message.equals(damage) ? sameDamage + 1 : 0;
                damage = message.equals(REPLACED) ? "" : message;
                if (sameDamage >= SAME_DAMAGE_LIMIT || System.nanoTime() - deadlineNanos >= 0) {
                    throw new IOException(from + " cannot be copied: " + message, e);
                }
            }
        }
        try (Stream<Path> files = Files.walk(to)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                    channel.force(true);
                }
            }
        }
    }

    private void attempt() throws IOException, Moved {
        byte[] snapshot = snapshot();
        copyJournal();
        if (!Arrays.equals(snapshot, snapshot())) {
            throw new Moved(REPLACED, null);
        }
        Files.write(SnapshotFile.path(to), snapshot);
        Set<Path> kept = new HashSet<>();
        try (FolderImage image = FolderImage.read(to, new DiskFiles())) {
            for (Damage damage : image.parts().folder().damages().found()) {
                if (!damage.isTornTail()) {
                    Path file = from.resolve(to.relativize(damage.file()));
                    throw new Moved(file + " at byte " + damage.offset() + ": " + damage.what(), null);
                }
            }
            image.cutTornTail();
            kept.addAll(image.neededJournal());
            kept.addAll(copyLedgers(image));
        }
        dropOthers(kept);
    }

    private byte[] snapshot() throws IOException {
        Path path = SnapshotFile.path(from);
        try {
            return Files.readAllBytes(path);
        } catch (NoSuchFileException e) {
            throw new IOException(from + " is no data folder: " + path + " is missing", e);
        }
    }

    private void copyJournal() throws IOException, Moved {
        for (Path path : JournalFolder.paths(new DiskFiles(), from.resolve(LogFolder.JOURNAL))) {
            try {
                Files.copy(path, to.resolve(from.relativize(path)), StandardCopyOption.REPLACE_EXISTING);
            } catch (NoSuchFileException e) {
                throw new Moved(path + " was deleted", e);
            }
        }
    }

    /** Returns the files that the copy needs. */
    private Set<Path> copyLedgers(FolderImage image) throws IOException, Moved {
        Map<Path, Long> ends = new TreeMap<>();
        Set<Path> growing = new HashSet<>();
        long lastShared = -1;
        for (Ledger ledger : image.catalog().ledgers()) {
            for (Extent extent : ledger.extents()) {
                Path path = LogFolder.ledgerFile(to, ledger, extent);
                ends.merge(path, extent.end(), Math::max);
                lastShared = extent.isOwn() ? lastShared : Math.max(lastShared, extent.fileNumber());
                if (extent.isOwn() && !image.inJournal(ledger).isEmpty()) {
                    growing.add(path);
                }
            }
        }
        growing.add(LogFolder.sharedFile(to, lastShared));
        for (Map.Entry<Path, Long> file : ends.entrySet()) {
            bring(file.getKey(), file.getValue(), !growing.contains(file.getKey()));
        }
        return ends.keySet();
    }

    /** Makes sure that the copy has this many bytes of that file; an earlier attempt may have copied them already. */
    private void bring(Path target, long bytes, boolean mayLink) throws IOException, Moved {
        Path source = from.resolve(to.relativize(target));
        try {
            if (mayLink && !Files.exists(target) && link(source, target)) {
                requireLength(source, Files.size(target), bytes);
                return;
            }
            if (Files.exists(target) && !mayLink && Files.isSameFile(source, target)) {
                Files.delete(target);
            }
            append(source, target, bytes);
        } catch (NoSuchFileException e) {
            throw new Moved(source + " was deleted", e);
        }
    }

    private static boolean link(Path source, Path target) throws IOException {
        try {
            Files.createLink(target, source);
            return true;
        } catch (NoSuchFileException e) {
            throw e;
        } catch (IOException | UnsupportedOperationException notOnThisFileSystem) {
            return false;
        }
    }

    private static void append(Path source, Path target, long bytes) throws IOException {
        long known = Files.exists(target) ? Files.size(target) : 0;
        if (known >= bytes) {
            return;
        }
        try (FileChannel in = FileChannel.open(source, StandardOpenOption.READ);
                FileChannel out = FileChannel.open(target, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            requireLength(source, in.size(), bytes);
            for (long at = known; at < bytes; ) {
                at += out.position(at).transferFrom(in.position(at), at, Math.min(COPY_BYTES, bytes - at));
            }
        }
    }

    private static void requireLength(Path source, long bytes, long expected) throws IOException {
        if (bytes < expected) {
            throw new IOException(source + " ends at byte " + bytes + ", but " + expected
                    + " bytes are expected: see `millrace check`");
        }
    }

    private void dropOthers(Set<Path> kept) throws IOException {
        for (String name : List.of(LogFolder.JOURNAL, LogFolder.LEDGERS)) {
            try (Stream<Path> files = Files.list(to.resolve(name))) {
                for (Path file : files.filter(file -> !kept.contains(file)).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
