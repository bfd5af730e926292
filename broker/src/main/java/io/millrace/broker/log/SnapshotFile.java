package io.millrace.broker.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** The file with the newest snapshot: magic, length, CRC-32C, bytes. Replaced as a whole, never changed. */
final class SnapshotFile {
    private static final String NAME = "snapshot";
    private static final String NEXT_NAME = "snapshot.next";
    private static final int MAGIC = 0x4D525301;
    private static final int HEAD_BYTES = 12;

    private SnapshotFile() {}

    /** Replaces the snapshot: write, force, rename, force the directory. */
    static void write(Disk disk, Path folder, byte[] snapshot) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(HEAD_BYTES + snapshot.length);
        bytes.putInt(MAGIC).putInt(snapshot.length).putInt(checksum(snapshot));
        bytes.put(snapshot).flip();
        Path next = folder.resolve(NEXT_NAME);
        disk.delete(next);
        try (DiskFile file = disk.create(next)) {
            file.write(0, bytes);
            file.force(true, ForcePoint.SNAPSHOT_FILE);
        }
        disk.rename(next, folder.resolve(NAME));
        disk.forceDirectory(folder, ForcePoint.SNAPSHOT_DIRECTORY);
    }

    static boolean exists(Disk disk, Path folder) {
        return disk.exists(folder.resolve(NAME));
    }

    /** The newest snapshot, or null in a new folder; one that is damaged is an error that names it. */
    static byte @Nullable [] read(Disk disk, Path folder) throws IOException {
        if (!exists(disk, folder)) {
            return null;
        }
        Path path = folder.resolve(NAME);
        try (DiskFile file = disk.open(path)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) file.size());
            int count = file.read(bytes, 0);
            bytes.flip();
            if (count < HEAD_BYTES || bytes.getInt() != MAGIC || bytes.getInt() != count - HEAD_BYTES) {
                throw new IOException(path + " is not a snapshot of this version, or damaged at its start");
            }
            int expected = bytes.getInt();
            byte[] snapshot = new byte[bytes.remaining()];
            bytes.get(snapshot);
            if (checksum(snapshot) != expected) {
                throw new IOException(path + " is damaged: its checksum does not match");
            }
            return snapshot;
        }
    }

    private static int checksum(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, bytes.length);
        return (int) crc.getValue();
    }
}
