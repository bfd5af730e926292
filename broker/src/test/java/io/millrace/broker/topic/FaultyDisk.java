package io.millrace.broker.topic;

import io.millrace.broker.log.Disk;
import io.millrace.broker.log.DiskFile;
import io.millrace.broker.log.DiskFiles;
import io.millrace.broker.log.DiskFullException;
import io.millrace.broker.log.ForcePoint;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The real file system with faults to switch on: no room for more bytes, journal forces that hang, and that fail. */
public final class FaultyDisk implements Disk {
    private final Disk real = new DiskFiles();
    private volatile boolean full;
    private volatile boolean forcesFail;
    private volatile CountDownLatch held = new CountDownLatch(0);

    /** From now on there is no room for more bytes, or there is. */
    public void full(boolean value) {
        full = value;
    }

    /** Lets the next force of the journal wait until the latch is open. */
    public void holdForces(CountDownLatch until) {
        held = until;
    }

    /** From now on every force of the journal fails. */
    public void failForces() {
        forcesFail = true;
    }

    @Override
    public DiskFile open(Path file) throws IOException {
        return new FaultyFile(real.open(file));
    }

    @Override
    public DiskFile openForReading(Path file) throws IOException {
        return new FaultyFile(real.openForReading(file));
    }

    @Override
    public DiskFile create(Path file) throws IOException {
        return new FaultyFile(real.create(file));
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
        real.forceDirectory(directory, point);
    }

    @Override
    public Closeable lock(Path folder) throws IOException {
        return real.lock(folder);
    }

    private final class FaultyFile implements DiskFile {
        private final DiskFile file;

        FaultyFile(DiskFile file) {
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
            return file.read(target, offset);
        }

        @Override
        public void write(long offset, ByteBuffer... sources) throws IOException {
            long end = offset;
            for (ByteBuffer source : sources) {
                end += source.remaining();
            }
            if (full && end > file.size()) {
                throw new DiskFullException("No space left for the test", null);
            }
            file.write(offset, sources);
        }

        @Override
        public void force(boolean withLength, ForcePoint point) throws IOException {
            if (point == ForcePoint.JOURNAL_GROUP) {
                awaitLetGo();
            }
            if (forcesFail && point == ForcePoint.JOURNAL_GROUP) {
                throw new IOException("the test lets forces fail");
            }
            file.force(withLength, point);
        }

        private void awaitLetGo() throws IOException {
            try {
                if (!held.await(30, TimeUnit.SECONDS)) {
                    throw new IOException("the test held a force for half a minute");
                }
            } catch (InterruptedException e) {
                throw new InterruptedIOException(e.getMessage());
            }
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
