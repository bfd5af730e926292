package io.millrace.broker.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** The real file system, whose forces and reads first do what a test wants them to. */
public final class SlowDisk implements Disk {
    private final Disk real = new DiskFiles();
    private final Consumer<ForcePoint> beforeForce;
    private final Runnable beforeRead;

    public SlowDisk(Consumer<ForcePoint> beforeForce) {
        this(beforeForce, () -> {});
    }

    public SlowDisk(Consumer<ForcePoint> beforeForce, Runnable beforeRead) {
        this.beforeForce = beforeForce;
        this.beforeRead = beforeRead;
    }

    @Override
    public DiskFile open(Path file) throws IOException {
        return new SlowFile(real.open(file));
    }

    @Override
    public DiskFile openForReading(Path file) throws IOException {
        return new SlowFile(real.openForReading(file));
    }

    @Override
    public DiskFile create(Path file) throws IOException {
        return new SlowFile(real.create(file));
    }

    @Override
    public boolean createDirectories(Path directory) throws IOException {
        return real.createDirectories(directory);
    }

    @Override
    public List<String> list(Path directory) throws IOException {
        return real.list(directory);
    }

    @Override
    public boolean exists(Path file) {
        return real.exists(file);
    }

    @Override
    public long size(Path file) throws IOException {
        return real.size(file);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        real.rename(from, to);
    }

    @Override
    public void delete(Path file) throws IOException {
        real.delete(file);
    }

    @Override
    public void forceDirectory(Path directory, ForcePoint point) throws IOException {
        beforeForce.accept(point);
        real.forceDirectory(directory, point);
    }

    @Override
    public Closeable lock(Path folder) throws IOException {
        return real.lock(folder);
    }

    private final class SlowFile implements DiskFile {
        private final DiskFile file;

        SlowFile(DiskFile file) {
            this.file = file;
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public void lock() throws IOException {
            file.lock();
        }

        @Override
        public int read(ByteBuffer target, long offset) throws IOException {
            beforeRead.run();
            return file.read(target, offset);
        }

        @Override
        public void write(long offset, ByteBuffer... sources) throws IOException {
            file.write(offset, sources);
        }

        @Override
        public void force(boolean withLength, ForcePoint point) throws IOException {
            beforeForce.accept(point);
            file.force(withLength, point);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
