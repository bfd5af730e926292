package io.millrace.broker.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The file with the newest {@link Snapshot}. Replaced as a whole, never changed. */
final class SnapshotFile {
    private static final String NAME = "snapshot";
    private static final String NEXT_NAME = "snapshot.next";

    private SnapshotFile() {}

    static Path path(Path folder) {
        return folder.resolve(NAME);
    }

    /** Replaces the snapshot: write, force, rename, force the directory. */
    static void write(Disk disk, Path folder, byte[] snapshot) throws IOException {
        Path next = folder.resolve(NEXT_NAME);
        disk.delete(next);
        try (DiskFile file = disk.create(next)) {
            file.write(0, ByteBuffer.wrap(snapshot));
            file.force(true, ForcePoint.SNAPSHOT_FILE);
        }
        disk.rename(next, path(folder));
        disk.forceDirectory(folder, ForcePoint.SNAPSHOT_DIRECTORY);
    }

    static boolean exists(Disk disk, Path folder) {
        return disk.exists(path(folder));
    }

    /** The bytes of the newest snapshot, or null in a new folder. */
    static byte @Nullable [] read(Disk disk, Path folder) throws IOException {
        if (!exists(disk, folder)) {
            return null;
        }
        try (DiskFile file = disk.open(path(folder))) {
            ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(file.size()));
            file.read(bytes, 0);
            return bytes.array();
        }
    }
}
