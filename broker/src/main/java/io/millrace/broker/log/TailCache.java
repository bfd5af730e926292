package io.millrace.broker.log;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The most recent entries of all topics, in slabs, oldest first. Entries are copied into it once, while they are
 * encoded for the journal: a retained slice of a network buffer would keep the whole buffer in memory, so only a copy
 * gives a true bound.
 *
 * <p><b>Threads</b>: the journal writer fills, the ledger writer evicts whole slabs. <b>Owned</b>: {@code current} by
 * the journal writer, {@code slabs} by the ledger writer. <b>Shared</b>: {@code heldBytes}, atomic; the monitor, on
 * which the journal writer waits for the ledger writer when it is far ahead. <b>Proved by</b>: CatchUpTest,
 * TailCacheTest.
 */
final class TailCache {
    private static final int MAX_SLAB_BYTES = 256 * 1024;
    private static final int MIN_SLAB_BYTES = 4 * 1024;
    private static final int MIN_SLABS = 8;

    private final long targetBytes;
    private final int slabBytes;
    private final Deque<Slab> slabs = new ArrayDeque<>();
    private final AtomicLong heldBytes = new AtomicLong();
    private @Nullable Slab current;

    TailCache(long tailCacheBytes) {
        slabBytes = (int) Math.min(MAX_SLAB_BYTES, Math.max(MIN_SLAB_BYTES, tailCacheBytes / 32));
        targetBytes = Math.max(tailCacheBytes, (long) slabBytes * MIN_SLABS);
    }

    int room() {
        return current == null ? 0 : current.room();
    }

    int filled() {
        return current == null ? 0 : current.filling().position();
    }

    ByteBuffer filling() {
        return current().filling();
    }

    Slab current() {
        Slab slab = current;
        if (slab == null) {
            throw new IllegalStateException("no slab was started");
        }
        return slab;
    }

    /** A slab with room for at least this many bytes; counted when it is filled. */
    Slab newSlab(int neededBytes) {
        return new Slab(Math.max(slabBytes, neededBytes));
    }

    /** From now on that slab is filled. */
    void fill(Slab slab) {
        heldBytes.addAndGet(slab.capacity);
        current = slab;
    }

    /**
     * Makes the journal writer wait while it is half a cache ahead of the ledger writer, unless waiting cannot help.
     */
    void awaitRoom(LogStatus status) throws InterruptedException {
        if (isFarAhead()) {
            synchronized (this) {
                while (isFarAhead() && status.state() == LogState.OPEN) {
                    wait(100);
                }
            }
        }
    }

    /** Leaves out the slab being filled: it cannot be evicted, so waiting would never make it less. */
    private boolean isFarAhead() {
        Slab filled = current;
        long evictableBytes = heldBytes.get() - (filled == null ? 0 : filled.capacity);
        return evictableBytes > targetBytes + targetBytes / 2;
    }

    boolean isOver() {
        return heldBytes.get() > targetBytes;
    }

    /** Whether the oldest slab must be freed but cannot be, because an entry in it has no place in a file yet. */
    boolean needsPlacing() {
        return isOver() && slabs.size() > 1 && !isPlaced(slabs.element());
    }

    /** Whether the journal writer may still be filling that slab. */
    boolean isFilling(Slab slab) {
        return slabs.peekLast() == slab;
    }

    void adopt(Slab slab) {
        slabs.add(slab);
    }

    /** Frees the oldest slabs while there are too many; everything in them has its place in a file. */
    void evict() {
        while (isOver() && slabs.size() > 1 && isPlaced(slabs.element())) {
            release(slabs.remove());
        }
        synchronized (this) {
            notifyAll();
        }
    }

    private static boolean isPlaced(Slab slab) {
        for (CacheRun run : slab.runs) {
            if (run.placed < run.visible()) {
                return false;
            }
        }
        return true;
    }

    /** Drops the runs of packed topics, without waiting until their slabs are evicted. */
    void forgetPacked() {
        for (Slab slab : slabs) {
            slab.runs.removeIf(run -> {
                boolean packed = run.ledger.topic.isPacked();
                if (packed) {
                    run.ledger.topic.cache().removeUpTo(run);
                }
                return packed;
            });
        }
    }

    private void release(Slab slab) {
        for (CacheRun run : slab.runs) {
            run.ledger.topic.cache().removeUpTo(run);
        }
        discard(slab);
    }

    /** Frees a slab that is in no topic's cache, or was removed from all. */
    void discard(Slab slab) {
        heldBytes.addAndGet(-slab.capacity);
        slab.bytes.release();
    }

    long heldBytes() {
        return heldBytes.get();
    }

    /** Frees all; both writers have ended. */
    void close() {
        while (!slabs.isEmpty()) {
            release(slabs.remove());
        }
    }
}
