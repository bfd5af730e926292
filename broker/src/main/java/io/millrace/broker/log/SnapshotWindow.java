package io.millrace.broker.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The bytes of a snapshot file, of which a part is in memory: the window moves to the part that is read. For one
 * thread.
 */
final class SnapshotWindow implements Closeable {
    private static final int WINDOW_BYTES = 1 << 20;

    private final DiskFile file;
    private final long size;
    private ByteBuffer bytes = ByteBuffer.allocate(0);
    private long start;

    /** Takes over the file. */
    SnapshotWindow(DiskFile file) throws IOException {
        this.file = file;
        this.size = file.size();
    }

    long size() {
        return size;
    }

    int intAt(long at) throws IOException {
        int index = index(at, Integer.BYTES);
        return bytes.getInt(index);
    }

    long longAt(long at) throws IOException {
        int index = index(at, Long.BYTES);
        return bytes.getLong(index);
    }

    byte[] copy(long at, int count) throws IOException {
        int index = index(at, count);
        return Arrays.copyOfRange(bytes.array(), index, index + count);
    }

    /** The CRC-32C of those bytes. */
    int checksum(long at, int count) throws IOException {
        int index = index(at, count);
        CRC32C crc = new CRC32C();
        crc.update(bytes.array(), index, count);
        return (int) crc.getValue();
    }

    /** The index of those bytes in the window, which is moved there if needed. */
    private int index(long at, int count) throws IOException {
        if (at < 0 || at + count > size) {
            throw new IllegalArgumentException(count + " bytes from " + at + " on are asked for, of " + size);
        }
        if (at < start || at + count > start + bytes.limit()) {
            int wanted = (int) Math.min(Math.max(count, WINDOW_BYTES), size - at);
            bytes = bytes.capacity() < wanted
                    ? ByteBuffer.allocate(wanted)
                    : bytes.clear().limit(wanted);
            start = at;
            file.read(bytes, at);
            bytes.flip();
        }
        return (int) (at - start);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
