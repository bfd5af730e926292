package io.millrace.broker.log;

import io.millrace.broker.log.JournalReplay.Found;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The journal's files as found on disk, open, in the order of their first groups. For one thread. */
final class JournalFolder implements Closeable {
    private final Path directory;
    private final List<DiskFile> opened = new ArrayList<>();
    private final List<Found> files = new ArrayList<>();

    private JournalFolder(Path directory) {
        this.directory = directory;
    }

    /** The paths of the journal's files; other files in its folder do not belong to it. */
    static List<Path> paths(Disk disk, Path directory) throws IOException {
        return disk.list(directory).stream()
                .map(directory::resolve)
                .filter(path -> JournalFiles.number(path) >= 0)
                .toList();
    }

    /** Opens the files and locks each: unlike the folder's lock they cannot be taken away unnoticed. */
    static JournalFolder open(Disk disk, Path directory, Frame frame) throws IOException {
        JournalFolder folder = new JournalFolder(directory);
        boolean done = false;
        try {
            for (Path path : paths(disk, directory)) {
                DiskFile file = disk.open(path);
                folder.opened.add(file);
                file.lock();
                requireKnown(path, file);
                folder.files.add(JournalReplay.find(new JournalFile(path, file, file.size()), frame));
            }
            folder.files.sort(Comparator.comparingLong((Found file) -> file.firstEpoch));
            done = true;
            return folder;
        } finally {
            if (!done) {
                folder.close();
            }
        }
    }

    /** A file that begins with a frame of a later format does not count as damaged. */
    private static void requireKnown(Path path, DiskFile file) throws IOException {
        ByteBuffer start = ByteBuffer.allocate(Frame.ENTRY_HEAD_BYTES);
        file.read(start, 0);
        int format = Frame.format(start.clear(), 0);
        if (format > Frame.FORMAT) {
            throw SnapshotHead.later(path, format, Frame.FORMAT);
        }
    }

    List<Found> files() {
        return files;
    }

    /**
     * The files that may hold groups after that one: without those whose next file begins with that group or an earlier
     * one.
     */
    List<Found> filesBehind(long epoch) {
        List<Found> needed = new ArrayList<>();
        for (int i = 0; i < files.size(); i++) {
            Found file = files.get(i);
            if (file.firstEpoch >= 0 && !isFollowedByUpTo(epoch + 1, files.subList(i + 1, files.size()))) {
                needed.add(file);
            }
        }
        return needed;
    }

    /** Whether a later file began with that group or one before it; remains of lost groups prove nothing. */
    private static boolean isFollowedByUpTo(long epoch, List<Found> later) {
        return later.stream().anyMatch(file -> file.beginsWithGroup && file.firstEpoch <= epoch);
    }

    /**
     * Checks that the file in use at the snapshot still exists; if it was removed from outside, its contents are lost.
     */
    void reportMissing(long inUse, Damages damages) {
        boolean isThere = files.stream().anyMatch(file -> file.journal.number() == inUse);
        if (inUse == Snapshot.NO_JOURNAL ? files.isEmpty() : !isThere) {
            Path expected = inUse == Snapshot.NO_JOURNAL ? directory : directory.resolve(JournalFiles.name(inUse));
            damages.report(expected, 0, "the file is missing; what was stored last is expected in it");
        }
    }

    @Override
    public void close() throws IOException {
        for (DiskFile file : opened) {
            file.close();
        }
    }
}
