package io.millrace.broker.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Another disk, of which everything can be read and nothing be changed. Thread-safe. */
record ReadOnlyDisk(Disk disk) implements Disk {
    @Override
    public DiskFile open(Path file) throws IOException {
        return disk.openForReading(file);
    }

    @Override
    public DiskFile openForReading(Path file) throws IOException {
        return disk.openForReading(file);
    }

    @Override
    public DiskFile create(Path file) {
        throw refused(file);
    }

    @Override
    public boolean createDirectories(Path directory) {
        throw refused(directory);
    }

    @Override
    public List<String> list(Path directory) throws IOException {
        return disk.list(directory);
    }

    @Override
    public boolean exists(Path file) {
        return disk.exists(file);
    }

    @Override
    public long size(Path file) throws IOException {
        return disk.size(file);
    }

    @Override
    public void rename(Path from, Path to) {
        throw refused(to);
    }

    @Override
    public void delete(Path file) {
        throw refused(file);
    }

    @Override
    public void forceDirectory(Path directory, ForcePoint point) {
        throw refused(directory);
    }

    @Override
    public Closeable lock(Path folder) {
        throw refused(folder);
    }

    private static UnsupportedOperationException refused(Path path) {
        return new UnsupportedOperationException(path + " is opened for reading only");
    }
}
