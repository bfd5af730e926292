package io.millrace.broker.log;

import io.millrace.broker.log.JournalItem.AwaitedRecord;
import io.millrace.broker.log.JournalItem.Barrier;
import io.millrace.broker.log.JournalItem.EntryItem;
import io.millrace.broker.memory.OutOfMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Group commit: takes everything queued, writes it in one write, forces it once, tells all listeners.
 *
 * <p><b>Threads</b>: its own; anyone offers items and asks it to stop. <b>Owned</b>: the active file, the group, the
 * epoch. <b>Shared</b>: the queue; {@code stopping}, volatile. <b>States</b>: running -> stopped when asked and the
 * queue is empty, or when a write or force failed: nothing is written after that. When the disk is full, entries that
 * would use the reserve are refused, those before it are written. <b>Proved by</b>: GroupCommitTest, FullDiskTest,
 * PowerLossTest.
 */
final class JournalWriter implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(JournalWriter.class);
    private static final long MAX_GROUP_BYTES = 1 << 20;
    private static final long FULL_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    /**
     * The reserve at the end of a journal file, for cursor deltas alone when the disk is full; at most this share of
     * the file.
     */
    private static final long RESERVE_BYTES = 4 << 20;

    private static final long RESERVE_SHARE = 8;

    private final JournalQueue<JournalItem> queue;
    private final JournalFiles files;
    private final JournalGroup group;
    private final TailCache cache;
    private final LogStatus status;
    private final Consumer<JournalGroup.Done> ledgerWriter;
    private final Runnable wakeLedgerWriter;
    private final Consumer<Throwable> failed;
    private final long maxGroupBytes;
    private boolean outOfMemory;
    private JournalFile active;
    private long epoch;
    private volatile boolean stopping;

    /** Where the journal goes on: behind that file's end, with groups after that epoch. */
    record Start(JournalFile active, long epoch) {}

    JournalWriter(
            LogParts parts,
            Start start,
            Consumer<JournalGroup.Done> ledgerWriter,
            Runnable wakeLedgerWriter,
            Consumer<Throwable> failed) {
        this.queue = parts.journal().queue();
        this.files = parts.journal().files();
        this.cache = parts.reading().cache();
        this.status = parts.status();
        this.group = new JournalGroup(
                new Frame(parts.folder().salt()), parts.reading().cache());
        this.ledgerWriter = ledgerWriter;
        this.wakeLedgerWriter = wakeLedgerWriter;
        this.failed = failed;
        this.maxGroupBytes =
                Math.min(MAX_GROUP_BYTES, parts.folder().config().journal().fileBytes() / 4);
        this.active = start.active();
        this.epoch = start.epoch();
    }

    void stop() {
        stopping = true;
        queue.offer(new Barrier(new CompletableFuture<>(), () -> {}));
    }

    @Override
    public void run() {
        try {
            while (!status.isFailed()) {
                if (!queue.isEmpty()) {
                    cache.awaitRoom(status);
                    commit(gather());
                } else if (stopping) {
                    break;
                } else {
                    queue.await(Long.MAX_VALUE);
                }
            }
            if (status.isFailed()) {
                fail(status.unavailable());
                return;
            }
            group.begin(++epoch);
            commit(true);
        } catch (IOException | RuntimeException | Error e) {
            fail(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            fail(e);
        }
    }

    /** A group is at most this long, or a single record, each of which fits a journal file. */
    private boolean gather() throws InterruptedException {
        group.begin(++epoch);
        JournalItem item = queue.peek();
        while (item != null && (group.isEmpty() || group.bytes() + JournalGroup.bytesOf(item) <= maxGroupBytes)) {
            if (item instanceof EntryItem entry && !admits(entry)) {
                refuse(entry);
            } else {
                group.add(item);
            }
            queue.poll();
            item = queue.peek();
        }
        return group.hasFrames();
    }

    private boolean admits(EntryItem entry) throws InterruptedException {
        return !entry.ledger().refused && hasSpace(JournalGroup.bytesOf(entry)) && hasMemory(entry);
    }

    /** Waits while space may become free; false when only the reserve is left and the disk is full. */
    private boolean hasSpace(long entryBytes) throws InterruptedException {
        long left = active.room() - group.bytes() - entryBytes - Frame.HEAD_BYTES;
        if (left >= Math.min(RESERVE_BYTES, active.capacity / RESERVE_SHARE)) {
            return true;
        }
        while (!files.hasFree()) {
            LogState state = status.state();
            if (state != LogState.OPEN) {
                return state != LogState.FULL;
            }
            wakeLedgerWriter.run();
            files.awaitFree();
        }
        return true;
    }

    /** One entry that finds no memory is refused; the log goes on. */
    private boolean hasMemory(EntryItem entry) {
        boolean had = group.makeRoom(entry);
        if (!had && !outOfMemory) {
            LOG.error("There is no memory for the tail cache; publishes are refused until there is");
        }
        outOfMemory = !had;
        return had;
    }

    private boolean refuse(EntryItem entry) {
        entry.ledger().topic.refuse(entry, status.unavailable());
        entry.data().release();
        return true;
    }

    private void commit(boolean hasFrames) throws IOException, InterruptedException {
        if (hasFrames) {
            write(group.seal());
        } else {
            epoch--;
            group.takeNoEpoch();
        }
        ledgerWriter.accept(group.done());
        group.notifyListeners();
    }

    private void write(ByteBuffer[] frames) throws IOException, InterruptedException {
        while (active.room() < group.bytes()) {
            rotate();
        }
        writeWhenThereIsRoom(frames);
        active.file.force(active.lengthInDoubt, ForcePoint.JOURNAL_GROUP);
        active.lengthInDoubt = false;
        active.end += group.bytes();
        active.lastEpoch = epoch;
    }

    private void rotate() throws InterruptedException {
        files.seal(active);
        wakeLedgerWriter.run();
        while (!files.awaitFree()) {
            if (status.state() == LogState.FULL) {
                queue.removeIf(item -> item instanceof EntryItem entry && refuse(entry));
            }
        }
        JournalFile next = files.take();
        if (next == null) {
            throw status.unavailable();
        }
        active = next;
    }

    /** A write that found the device full has broken no promise, so it may be tried again. */
    private void writeWhenThereIsRoom(ByteBuffer[] frames) throws IOException, InterruptedException {
        while (true) {
            try {
                ByteBuffer[] attempt = new ByteBuffer[frames.length];
                for (int i = 0; i < frames.length; i++) {
                    attempt[i] = frames[i].duplicate();
                }
                active.file.write(active.end, attempt);
                return;
            } catch (DiskFullException e) {
                if (stopping || status.isFailed()) {
                    throw e;
                }
                if (status.setFull(e)) {
                    LOG.warn("The disk is full; publishes are refused until there is room", e);
                    wakeLedgerWriter.run();
                }
                TimeUnit.NANOSECONDS.sleep(FULL_RETRY_NANOS);
            }
        }
    }

    /** Nothing after the last force ever gets a receipt; items queued later are refused, too. */
    private void fail(Throwable cause) {
        OutOfMemory.tell(cause);
        if (status.setFailed(cause)) {
            LOG.error("The journal has failed; the log takes no more writes", cause);
        }
        group.abandon().forEach(item -> refuse(item, cause));
        failed.accept(cause);
        refuseQueued(status.unavailable());
    }

    /** Refuses items queued while the log ended, and all later ones; called when nothing is written any more. */
    void refuseQueued(Throwable cause) {
        queue.end(item -> refuse(item, cause));
    }

    static void refuse(JournalItem item, Throwable cause) {
        @Nullable CompletableFuture<?> failure = null;
        if (item instanceof EntryItem entry) {
            entry.data().release();
        } else if (item instanceof AwaitedRecord awaited) {
            failure = awaited.failure();
        } else if (item instanceof Barrier barrier) {
            failure = barrier.failure();
        }
        if (failure != null) {
            failure.completeExceptionally(cause);
        }
    }

    JournalFile active() {
        return active;
    }
}
