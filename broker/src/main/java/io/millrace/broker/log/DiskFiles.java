package io.millrace.broker.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The real file system. */
public final class DiskFiles implements Disk {
    private static final String LOCK_FILE = "lock";
    private static final long LOCKED_BYTE = Long.MAX_VALUE - 1;
    /** What a directory may grow by for one more name. */
    private static final long BLOCK_BYTES = 4_096;

    @Override
    public DiskFile open(Path file) throws IOException {
        try {
            FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
            return new ChannelFile(file, channel, false);
        } catch (IOException e) {
            throw named(file, e);
        }
    }

    @Override
    public DiskFile openForReading(Path file) throws IOException {
        try {
            return new ChannelFile(file, FileChannel.open(file, StandardOpenOption.READ), true);
        } catch (IOException e) {
            throw named(file, e);
        }
    }

    @Override
    public DiskFile create(Path file) throws IOException {
        try {
            FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
            return new ChannelFile(file, channel, false);
        } catch (IOException e) {
            throw named(file, e, BLOCK_BYTES);
        }
    }

    @Override
    public boolean createDirectories(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            return false;
        }
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw named(directory, e, BLOCK_BYTES);
        }
        return true;
    }

    @Override
    public List<String> list(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> String.valueOf(file.getFileName())).collect(Collectors.toList());
        }
    }

    @Override
    public boolean exists(Path file) {
        return Files.exists(file);
    }

    @Override
    public long size(Path file) throws IOException {
        try {
            return Files.size(file);
        } catch (NoSuchFileException e) {
            return -1;
        }
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw named(to, e, BLOCK_BYTES);
        }
    }

    @Override
    public void delete(Path file) throws IOException {
        Files.deleteIfExists(file);
    }

    @Override
    public void forceDirectory(Path directory, ForcePoint point) throws IOException {
        if (point == ForcePoint.DATA_FOLDER && !Files.isWritable(directory)) {
            // Then the data folder was created from outside, and its parent may refuse to be opened or forced.
            return;
        }
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            throw unforced(directory, e);
        }
    }

    @Override
    public Closeable lock(Path folder) throws IOException {
        Path file = folder.resolve(LOCK_FILE);
        FileChannel channel;
        try {
            channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
        } catch (IOException e) {
            throw new IOException("The data folder " + folder + " cannot be written: " + e.getMessage(), e);
        }
        FileLock lock = null;
        try {
            lock = tryLock(channel, false);
        } finally {
            if (lock == null) {
                channel.close();
            }
        }
        if (lock == null) {
            throw new IOException("The data folder " + folder
                    + " is in use by another broker: stop that one, or give this one a folder of its own.");
        }
        return channel;
    }

    /** Locks a byte behind the end of any file: where locks keep readers out, the file can still be copied. */
    private static @Nullable FileLock tryLock(FileChannel channel, boolean shared) throws IOException {
        try {
            return channel.tryLock(LOCKED_BYTE, 1, shared);
        } catch (OverlappingFileLockException heldByThisProcess) {
            return null;
        }
    }

    private static IOException named(Path file, IOException e) {
        return named(file, e, 0);
    }

    /**
     * Names the file, and tells a full disk from other failures: by what the operating system says, which is in the language
     * of the user, or by the room there is.
     *
     * @param neededBytes by how much the file was to grow
     */
    static IOException named(Path file, IOException e, long neededBytes) {
        if (e instanceof NoSuchFileException) {
            return e;
        }
        String message = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
        boolean full = message.contains("no space left")
                || message.contains("quota exceeded")
                || (neededBytes > 0 && usableBytes(file, e) < neededBytes);
        return full ? new DiskFullException("No space left for " + file, e) : new IOException(file + ": " + e, e);
    }

    private static long usableBytes(Path file, IOException failure) {
        try {
            Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent());
            return Files.getFileStore(folder).getUsableSpace();
        } catch (IOException e) {
            failure.addSuppressed(e);
            return Long.MAX_VALUE;
        }
    }

    /**
     * Never that the disk is full, even if that is why: the operating system says once what it could not write, and takes it
     * for written, so that forcing again would succeed and prove nothing.
     */
    static IOException unforced(Path file, IOException e) {
        return new IOException("What was written to " + file + " may not be on the disk: " + e, e);
    }

    private record ChannelFile(Path path, FileChannel channel, boolean isForReading) implements DiskFile {
        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public void lock() throws IOException {
            if (tryLock(channel, isForReading) == null) {
                throw new IOException(path + " is in use by another broker: stop that one, or give this one a folder"
                        + " of its own.");
            }
        }

        @Override
        public int read(ByteBuffer target, long offset) throws IOException {
            int total = 0;
            try {
                while (target.hasRemaining()) {
                    int count = channel.read(target, offset + total);
                    if (count < 0) {
                        break;
                    }
                    total += count;
                }
            } catch (IOException e) {
                throw named(path, e);
            }
            return total;
        }

        @Override
        public void write(long offset, ByteBuffer... sources) throws IOException {
            long total = 0;
            for (ByteBuffer source : sources) {
                total += source.remaining();
            }
            try {
                channel.position(offset);
                for (long written = 0; written < total; ) {
                    written += channel.write(sources);
                }
            } catch (IOException e) {
                throw named(path, e, growthTo(offset + total, e));
            }
        }

        /** By how much the file was still to grow when a write up to there failed. */
        private long growthTo(long end, IOException failure) {
            try {
                return end - channel.size();
            } catch (IOException e) {
                failure.addSuppressed(e);
                return 0;
            }
        }

        @Override
        public void force(boolean withLength, ForcePoint point) throws IOException {
            try {
                channel.force(withLength);
            } catch (IOException e) {
                throw unforced(path, e);
            }
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
