package io.millrace.broker.log;

import io.millrace.broker.log.JournalReplay.Found;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens a data folder: snapshot, then the journal after it. Nobody sees anything of it before it is durable. */
final class Recovery implements JournalReplay.Target {
    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);
    private static final long FIRST_FILE_BYTES = 1 << 20;
    private static final long FIRST_EPOCH = 1L << 40;
    private static final long TORN_LEDGERS = 1 << 16;

    private final LogParts parts;
    private final Catalog catalog;
    private final LedgerFiles ledgerFiles;
    private final LedgerWriter ledgerWriter;
    private List<Slab> newSlabs = new ArrayList<>();
    private List<CacheRun> newRuns = new ArrayList<>();
    /** The journal's files that are open. */
    private final List<JournalFile> journalFiles = new ArrayList<>();

    private Recovery(LogConfig config, Disk disk, long salt) {
        parts = LogParts.create(config, disk, salt);
        ledgerFiles = new LedgerFiles(parts);
        catalog = new Catalog(parts.ids(), this::newTopic, this::deleted);
        ledgerWriter = new LedgerWriter(parts, catalog, ledgerFiles);
    }

    /** An opened log, before its threads run. */
    record Opened(LogParts parts, Catalog catalog, LedgerWriter ledgerWriter, JournalWriter.Start start) {}

    static Opened open(LogConfig config, Disk disk) throws IOException {
        try (SnapshotWindow snapshot = SnapshotFile.open(disk, config.data())) {
            SnapshotHead head = snapshot == null ? null : Snapshot.head(SnapshotFile.path(config.data()), snapshot);
            Recovery recovery = new Recovery(config, disk, head == null ? new SecureRandom().nextLong() : head.salt());
            boolean done = false;
            try {
                recovery.ledgerFiles.beginAnew();
                JournalWriter.Start start =
                        snapshot == null || head == null ? recovery.begin() : recovery.recover(head, snapshot);
                recovery.catalog.recovered();
                done = true;
                return new Opened(recovery.parts, recovery.catalog, recovery.ledgerWriter, start);
            } finally {
                if (!done) {
                    recovery.abandon();
                }
            }
        }
    }

    /** What was opened is closed, so that the next attempt of this process finds no lock. */
    private void abandon() throws IOException {
        for (JournalFile file : journalFiles) {
            file.file.close();
        }
        parts.reading().openFiles().close();
        parts.reading().cache().close();
    }

    private TopicLog newTopic(long id, String name) {
        return new TopicLog(parts, id, name);
    }

    private void deleted(Ledger ledger) {
        ledgerWriter.deleteFiles(ledger);
    }

    /** A new folder: a small journal file at once, full-sized ones in the background. */
    private JournalWriter.Start begin() throws IOException {
        for (Path file :
                JournalFolder.paths(parts.folder().disk(), parts.folder().journal())) {
            parts.journal().files().found(JournalFiles.number(file));
            refuseUsed(file);
            parts.folder().disk().delete(file);
        }
        JournalFile first = makeFirst();
        SnapshotFile.write(
                parts.folder().disk(),
                parts.folder().path(),
                out -> Snapshot.write(out, catalog, parts.snapshotHead(FIRST_EPOCH - 1, 0)));
        ledgerWriter.setEpoch(FIRST_EPOCH - 1);
        return new JournalWriter.Start(first, FIRST_EPOCH - 1);
    }

    /** Without a snapshot the journal was never used, unless the snapshot was removed from outside. */
    private void refuseUsed(Path path) throws IOException {
        try (DiskFile file = parts.folder().disk().open(path)) {
            ByteBuffer start = ByteBuffer.allocate(Long.BYTES);
            file.read(start, 0);
            if (start.getLong(0) != 0) {
                throw new IOException(path + " holds data, but the snapshot beside its folder is missing");
            }
        }
    }

    private JournalWriter.Start recover(SnapshotHead head, SnapshotWindow snapshot) throws IOException {
        long started = System.nanoTime();
        forceNames();
        parts.ids().set(head.next());
        Snapshot.read(
                SnapshotFile.path(parts.folder().path()),
                snapshot,
                catalog,
                parts.folder().damages());
        if (!catalog.unreadable().isEmpty()) {
            ledgerFiles.keepAll();
        }
        long epoch = head.epoch();
        ledgerWriter.setEpoch(epoch);
        if (SnapshotHead.format(snapshot) < SnapshotHead.FORMAT) {
            ledgerWriter.renewSnapshot(); // so that earlier versions, which do not know all records, refuse the folder
        }
        catalog.adopt(ledgerFiles::adopt);
        JournalFolder found = JournalFolder.open(
                parts.folder().disk(),
                parts.folder().journal(),
                new Frame(parts.folder().salt()));
        found.files().forEach(file -> journalFiles.add(file.journal));
        found.reportMissing(head.journal(), parts.folder().damages());
        List<Found> used = splitOffUnused(found, head);
        JournalReplay replay = new JournalReplay(parts.folder().damages(), this, epoch);
        replay.replay(used);
        if (replay.isTorn()) {
            parts.ids().ledger().addAndGet(TORN_LEDGERS);
        }
        JournalFile active = takeOver(used);
        active.file.force(true, ForcePoint.JOURNAL_RECOVERED);
        Map<Path, Long> ends = new LinkedHashMap<>();
        catalog.forEachTopic(packed -> true, topic -> ledgerFiles.addEnds(topic, ends));
        ledgerFiles.reportShort(ends);
        ledgerFiles.dropStrays(ends.keySet());
        LOG.info(
                "Recovered {} topics in {} ms from {}",
                catalog.sectionCount() - catalog.values().count(),
                (System.nanoTime() - started) / 1_000_000,
                parts.folder().path());
        return new JournalWriter.Start(active, replay.nextEpoch());
    }

    /**
     * An earlier run may have been killed before it did so: nothing is freed or written that depends on such a name.
     */
    private void forceNames() throws IOException {
        Path data = parts.folder().path();
        parts.folder().disk().forceDirectory(data, ForcePoint.SNAPSHOT_DIRECTORY);
        parts.folder().disk().forceDirectory(data.resolve(LogFolder.JOURNAL), ForcePoint.JOURNAL_DIRECTORY);
    }

    /**
     * Files that end before the snapshot's epoch are free; one of another size is deleted, unless the snapshot names it and
     * the next start, which may come before the next snapshot, expects it.
     */
    private List<Found> splitOffUnused(JournalFolder found, SnapshotHead head) throws IOException {
        List<Found> used = found.filesBehind(head.epoch());
        for (Found file : found.files()) {
            parts.journal().files().found(file.journal.number());
            if (used.contains(file)) {
                continue;
            }
            boolean isFull =
                    file.journal.capacity == parts.folder().config().journal().fileBytes();
            if (isFull || file.journal.number() == head.journal()) {
                parts.journal().files().addFree(file.journal);
            } else {
                file.journal.file.close();
                parts.folder().disk().delete(file.journal.path);
            }
        }
        return used;
    }

    /** Writing goes on in the last file, behind its last complete group; files before it wait for a checkpoint. */
    private JournalFile takeOver(List<Found> used) throws IOException {
        for (int i = 0; i + 1 < used.size(); i++) {
            parts.journal().files().addSealed(used.get(i).journal);
        }
        if (!catalog.unreadable().isEmpty()) {
            // They may hold more entries of the damaged topics, so a checkpoint does not reuse them.
            used.forEach(file -> file.journal.damaged = true);
        }
        if (!used.isEmpty()) {
            JournalFile last = used.get(used.size() - 1).journal;
            parts.journal().files().addActive(last);
            return last;
        }
        return makeFirst();
    }

    private JournalFile makeFirst() throws IOException {
        long bytes =
                Math.min(FIRST_FILE_BYTES, parts.folder().config().journal().fileBytes());
        JournalFile made = parts.journal().files().make(bytes);
        journalFiles.add(made);
        parts.journal().files().addActive(made);
        return made;
    }

    @Override
    public void entry(ByteBuffer frame, int start) {
        Ledger ledger = catalog.ledger(Frame.id(frame, start));
        long entryId = Frame.index(frame, start);
        if (ledger == null || entryId <= ledger.lastEntry()) {
            return;
        }
        int frameBytes = Frame.frameBytes(frame, start);
        TailCache cache = parts.reading().cache();
        if (cache.room() < frameBytes) {
            Slab slab = cache.newSlab(frameBytes);
            cache.fill(slab);
            newSlabs.add(slab);
        }
        int offset = cache.filled();
        cache.filling().put(frame.duplicate().clear().position(start).limit(start + frameBytes));
        CacheRun run = ledger.topic.runFor(ledger, entryId, cache.current());
        run.add(offset);
        run.publish();
        if (run.firstEntry == entryId) {
            newRuns.add(run);
        }
        ledger.setLastEntry(entryId);
        ledger.bytes += frameBytes;
        ledger.topic.recovered(ledger.last());
        ledger.topic.times().recovered(Frame.publishTimeMillis(frame, start), ledger.openedMillis());
    }

    @Override
    public void record(byte type, long id, long index, byte[] body) {
        catalog.apply(new CatalogChange(type, id, index, body));
    }

    /** Overwrites the torn group with zeros, so that no part of it looks valid behind later groups. */
    @Override
    public void torn(JournalFile file, long start, long end) throws IOException {
        file.file.write(start, ByteBuffer.allocate(Math.toIntExact(end - start)));
    }

    @Override
    public void groupEnd(long epoch) throws IOException {
        ledgerWriter.apply(new JournalGroup.Done(epoch, newSlabs, newRuns, List.of()));
        newSlabs = new ArrayList<>();
        newRuns = new ArrayList<>();
        try {
            ledgerWriter.relieveCache();
            ledgerWriter.packLeft();
        } catch (DiskFullException e) {
            if (parts.status().setFull(e)) {
                LOG.warn("The disk is full; publishes are refused until there is room", e);
            }
            ledgerWriter.packWhileFull();
        }
    }
}
