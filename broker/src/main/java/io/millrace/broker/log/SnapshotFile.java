package io.millrace.broker.log;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The file with the newest {@link Snapshot}. It is replaced as a whole, never changed. */
final class SnapshotFile {
    private static final String NAME = "snapshot";
    private static final String NEXT_NAME = "snapshot.next";

    private static final int BUFFER_BYTES = 256 * 1024;

    private SnapshotFile() {}

    /** Writes to a new file from its start; closing the stream leaves the file open. */
    private static final class Appending extends OutputStream {
        private final DiskFile file;
        private long end;

        Appending(DiskFile file) {
            this.file = file;
        }

        @Override
        public void write(int single) throws IOException {
            write(new byte[] {(byte) single}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int start, int count) throws IOException {
            file.write(end, ByteBuffer.wrap(bytes, start, count));
            end += count;
        }
    }

    static Path path(Path folder) {
        return folder.resolve(NAME);
    }

    /** Writes a snapshot to that stream. */
    @FunctionalInterface
    interface Content {
        void to(OutputStream out) throws IOException;
    }

    /** Replaces the snapshot: write, force, rename, force the directory. */
    static void write(Disk disk, Path folder, Content content) throws IOException {
        Path next = folder.resolve(NEXT_NAME);
        disk.delete(next);
        try (DiskFile file = disk.create(next)) {
            try (OutputStream out = new BufferedOutputStream(new Appending(file), BUFFER_BYTES)) {
                content.to(out);
            }
            file.force(true, ForcePoint.SNAPSHOT_FILE);
        }
        disk.rename(next, path(folder));
        disk.forceDirectory(folder, ForcePoint.SNAPSHOT_DIRECTORY);
    }

    static boolean exists(Disk disk, Path folder) {
        return disk.exists(path(folder));
    }

    /** The newest snapshot, or null in a new folder. */
    static @Nullable SnapshotWindow open(Disk disk, Path folder) throws IOException {
        return exists(disk, folder) ? new SnapshotWindow(disk.open(path(folder))) : null;
    }
}
