package io.millrace.benchmarks.process;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/** What the disk itself takes to make one small write durable: a write and a force of data into a preallocated file. */
final class DeviceSync {
    private static final int BLOCK_BYTES = 1 << 20;

    private DeviceSync() {}

    /** Times in nanoseconds of this many writes of this size, one each interval; an interval of 0 is back to back. */
    static Histogram measure(Path folder, int writes, int bytes, long intervalNanos) throws IOException {
        Path file = folder.resolve("device-sync");
        Histogram nanos = new Histogram(TimeUnit.SECONDS.toNanos(60), 3);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            preallocate(channel, (long) writes * bytes);
            ByteBuffer write = ByteBuffer.allocateDirect(bytes);
            long begin = System.nanoTime();
            for (int i = 0; i < writes; i++) {
                long wait = begin + i * intervalNanos - System.nanoTime();
                if (wait > 0) {
                    LockSupport.parkNanos(wait);
                }
                write.clear();
                long started = System.nanoTime();
                channel.write(write, (long) i * bytes);
                channel.force(false);
                nanos.recordValue(System.nanoTime() - started);
            }
        } finally {
            Files.deleteIfExists(file);
        }
        return nanos;
    }

    private static void preallocate(FileChannel channel, long bytes) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect(BLOCK_BYTES);
        for (long position = 0; position < bytes; position += BLOCK_BYTES) {
            channel.write(zeros.clear(), position);
        }
        channel.force(true);
    }
}
