package io.millrace.broker.log;

import io.millrace.broker.memory.DirectMemory;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bytes of entries that catch-up reads hold, from the read until the last reference is released. Beyond the bound
 * every read still gets one entry, so that consumers that keep theirs cannot stop others. Then a listener is told, once
 * a second, so that it can look for clients that never take theirs. All together hold at most half of the memory
 * outside the heap: connections need some of it to send anything at all.
 *
 * <p><b>Threads</b>: any; the listener is told on the thread that reads. <b>Shared</b>: {@code heldBytes} and the
 * times, atomic; {@code listener}, volatile, set once before clients come. <b>Proved by</b>: CatchUpTest,
 * ReadMemoryTest.
 */
final class ReadMemory {
    private static final Logger LOG = LoggerFactory.getLogger(ReadMemory.class);
    private static final long TELL_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long WARN_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final int DIRECT_PARTS = 2;

    private final long maxBytes;
    private final long limitBytes;
    private final AtomicLong heldBytes = new AtomicLong();
    private final AtomicLong nextTellNanos = new AtomicLong(System.nanoTime());
    private final AtomicLong nextWarnNanos = new AtomicLong(System.nanoTime());
    private volatile Runnable listener = () -> {};

    ReadMemory(long maxBytes) {
        this(maxBytes, Math.max(maxBytes, DirectMemory.limitBytes() / DIRECT_PARTS));
    }

    /**
     * A bound of this many bytes.
     *
     * @param limitBytes the most bytes in all, with single entries beyond the bound; one entry alone is read whatever
     *     its size
     */
    ReadMemory(long maxBytes, long limitBytes) {
        this.maxBytes = maxBytes;
        this.limitBytes = limitBytes;
    }

    /** Sets the listener that is told, at most once a second, that memory is short. */
    void listener(Runnable value) {
        listener = value;
    }

    /** Whether this many bytes are within the bound; tells the listener if not. */
    boolean hasRoom(int bytes) {
        if (heldBytes.get() + bytes <= maxBytes) {
            return true;
        }
        tellShort();
        return false;
    }

    long heldBytes() {
        return heldBytes.get();
    }

    /** A buffer of that size, which is counted until its last reference is released. */
    ByteBuf allocate(int bytes) throws ReadMemoryException {
        long held = heldBytes.addAndGet(bytes);
        if (held > limitBytes && held > bytes) {
            throw lacking(bytes, null);
        }
        try {
            return new Counted(bytes);
        } catch (OutOfMemoryError e) {
            throw lacking(bytes, e);
        }
    }

    private ReadMemoryException lacking(int bytes, @Nullable OutOfMemoryError cause) {
        heldBytes.addAndGet(-bytes);
        tellShort();
        String text = "no memory for a read of " + bytes + " bytes: clients hold " + heldBytes
                + " bytes that they were sent and have not taken; wait for them, or give the process more by"
                + " -XX:MaxDirectMemorySize";
        if (isTime(nextWarnNanos, WARN_NANOS)) {
            LOG.warn("{}; reads are tried again each second (told once a minute)", text);
        }
        return new ReadMemoryException(text, cause);
    }

    private void tellShort() {
        if (isTime(nextTellNanos, TELL_NANOS)) {
            listener.run();
        }
    }

    private static boolean isTime(AtomicLong next, long intervalNanos) {
        long now = System.nanoTime();
        long due = next.get();
        return now - due >= 0 && next.compareAndSet(due, now + intervalNanos);
    }

    private final class Counted extends UnpooledDirectByteBuf {
        Counted(int bytes) {
            super(UnpooledByteBufAllocator.DEFAULT, bytes, bytes);
        }

        @Override
        protected void freeDirect(ByteBuffer buffer) {
            heldBytes.addAndGet(-buffer.capacity());
            super.freeDirect(buffer);
        }
    }
}
