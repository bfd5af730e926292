package io.millrace.broker.log;

import io.millrace.broker.log.JournalItem.Barrier;
import io.millrace.broker.log.JournalItem.DeltaRecord;
import io.millrace.broker.log.JournalItem.EntryItem;
import io.millrace.broker.log.JournalItem.RecordItem;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the journal writer gathers for one write and one force: records in their own buffer, entries in slabs of the
 * tail cache, a commit frame last. For the journal writer; what {@link #done} hands over is for the ledger writer.
 */
final class JournalGroup {
    /** What became durable together, for the ledger writer. */
    record Done(long epoch, List<Slab> newSlabs, List<CacheRun> newRuns, List<JournalItem> records) {
        /** Whether it holds only entries that extend known runs. */
        boolean isMoreOfTheSame() {
            return newSlabs.isEmpty() && newRuns.isEmpty() && records.isEmpty();
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(JournalGroup.class);
    private static final int FIRST_RECORDS_BYTES = 16 * 1024;
    private static final byte[] NO_BODY = {};

    private final Frame frame;
    private final TailCache cache;
    private final List<TopicLog> topics = new ArrayList<>();
    private final List<CacheRun> runs = new ArrayList<>();
    private final List<CursorLog> cursors = new ArrayList<>();
    private final List<ByteBuffer> segments = new ArrayList<>();
    private List<JournalItem> records = new ArrayList<>();
    private List<Slab> newSlabs = new ArrayList<>();
    private List<CacheRun> newRuns = new ArrayList<>();
    private ByteBuffer recordBytes = ByteBuffer.allocateDirect(FIRST_RECORDS_BYTES);
    private long epoch;
    private long bytes;
    private int frames;
    private int segmentStart;

    JournalGroup(Frame frame, TailCache cache) {
        this.frame = frame;
        this.cache = cache;
    }

    void begin(long groupEpoch) {
        epoch = groupEpoch;
        bytes = 0;
        frames = 0;
        topics.clear();
        runs.clear();
        cursors.clear();
        segments.clear();
        recordBytes.clear();
        segmentStart = cache.filled();
    }

    /**
     * A group without frames is not written, so its number goes to the next one: a snapshot taken in between must not
     * claim to hold it.
     */
    void takeNoEpoch() {
        epoch--;
    }

    boolean isEmpty() {
        return frames == 0 && records.isEmpty();
    }

    boolean hasFrames() {
        return frames > 0;
    }

    long bytes() {
        return bytes;
    }

    static long bytesOf(JournalItem item) {
        if (item instanceof EntryItem entry) {
            return Frame.entryBytes(entry.data().readableBytes());
        }
        return item instanceof RecordItem changing
                ? Frame.recordBytes(changing.change().body().length)
                : 0;
    }

    void add(JournalItem item) {
        if (item instanceof EntryItem entry) {
            add(entry);
        } else if (item instanceof RecordItem changing) {
            write(changing.change());
            if (changing instanceof DeltaRecord delta && delta.cursor().touch(epoch, delta.number())) {
                cursors.add(delta.cursor());
            }
            records.add(changing);
        } else if (item instanceof Barrier) {
            records.add(item);
        }
    }

    /** Makes room in the tail cache for this entry, which is added next; false if there is no memory. */
    boolean makeRoom(EntryItem entry) {
        int frameBytes = Frame.entryBytes(entry.data().readableBytes());
        if (cache.room() >= frameBytes) {
            return true;
        }
        try {
            Slab slab = cache.newSlab(frameBytes);
            closeSegment();
            cache.fill(slab);
            newSlabs.add(slab);
            segmentStart = 0;
            return true;
        } catch (OutOfMemoryError e) {
            LOG.debug("No memory for {} bytes", frameBytes, e);
            return false;
        }
    }

    private void add(EntryItem entry) {
        int frameBytes = Frame.entryBytes(entry.data().readableBytes());
        int offset = cache.filled();
        TopicLog topic = entry.ledger().topic;
        frame.writeEntry(cache.filling(), epoch, entry.ledger().id, entry.entryId(), entry.header(), entry.data());
        entry.data().release();
        CacheRun run = topic.runFor(entry.ledger(), entry.entryId(), cache.current());
        run.add(offset);
        if (run.firstEntry == entry.entryId()) {
            newRuns.add(run);
        }
        if (run.touch(epoch)) {
            runs.add(run);
        }
        if (topic.touch(epoch, entry.ledger().id, entry.entryId())) {
            topics.add(topic);
        }
        bytes += frameBytes;
        frames++;
    }

    private void write(CatalogChange change) {
        int frameBytes = Frame.recordBytes(change.body().length);
        if (recordBytes.remaining() < frameBytes) {
            int capacity = Math.max(recordBytes.capacity() * 2, recordBytes.position() + frameBytes);
            recordBytes = ByteBuffer.allocateDirect(capacity).put(recordBytes.flip());
        }
        frame.writeRecord(recordBytes, change.type(), epoch, change.id(), change.index(), change.body());
        bytes += frameBytes;
        frames++;
    }

    private void closeSegment() {
        int filled = cache.filled();
        if (filled > segmentStart) {
            segments.add(cache.current().view(segmentStart, filled));
            segmentStart = filled;
        }
    }

    /** Adds the commit frame; returns the group's bytes in the order in which they are written. */
    ByteBuffer[] seal() {
        closeSegment();
        ByteBuffer commit = ByteBuffer.allocate(Frame.HEAD_BYTES);
        frame.writeRecord(commit, Frame.COMMIT, epoch, frames, bytes, NO_BODY);
        bytes += Frame.HEAD_BYTES;
        ByteBuffer[] all = new ByteBuffer[segments.size() + 2];
        all[0] = recordBytes.flip();
        for (int i = 0; i < segments.size(); i++) {
            all[i + 1] = segments.get(i);
        }
        all[all.length - 1] = commit.flip();
        return all;
    }

    /** Makes the group's entries visible to readers and gives the ledger writer its part. */
    Done done() {
        runs.forEach(CacheRun::publish);
        if (!topics.isEmpty()) {
            long nowMillis = System.currentTimeMillis();
            topics.forEach(topic -> topic.publish(nowMillis));
        }
        Done done = new Done(epoch, newSlabs, newRuns, records);
        newSlabs = new ArrayList<>();
        newRuns = new ArrayList<>();
        records = new ArrayList<>();
        return done;
    }

    /** Tells the listeners of every topic and cursor of the group. */
    void notifyListeners() {
        for (TopicLog topic : topics) {
            tell(topic.name(), topic::notifyDurable);
        }
        for (CursorLog cursor : cursors) {
            tell(cursor.name(), cursor::notifyDurable);
        }
    }

    /** A failure of one listener must not reach another. */
    private static void tell(String name, Runnable listener) {
        try {
            listener.run();
        } catch (RuntimeException e) {
            LOG.error("A listener of {} failed", name, e);
        }
    }

    /** Releases what was gathered and can no longer be made durable: no reader ever saw its slabs. */
    List<JournalItem> abandon() {
        newSlabs.forEach(cache::discard);
        newSlabs = new ArrayList<>();
        return records;
    }
}
