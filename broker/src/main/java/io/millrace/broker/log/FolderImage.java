package io.millrace.broker.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a data folder holds by its snapshot and its journal, read without changing it. For one thread. */
final class FolderImage implements JournalReplay.Target, Closeable {
    private final LogParts parts;
    private final Catalog catalog;
    private final Map<Ledger, List<EntryRange>> inJournal = new HashMap<>();
    private final Map<Ledger, List<EntryRange>> lost = new HashMap<>();
    private final JournalFolder journal;
    private final SnapshotHead head;
    private @Nullable Torn torn;

    /** The part of a journal file with a group that was never completely written. */
    private record Torn(DiskFile file, long start, long end) {}

    private FolderImage(Path folder, Disk disk, SnapshotHead head) throws IOException {
        this.head = head;
        parts = LogParts.create(LogConfig.defaults(folder), disk, head.salt());
        catalog = new Catalog(parts.ids(), (id, name) -> new TopicLog(parts, id, name), ledger -> {});
        journal = JournalFolder.open(disk, folder.resolve(LogFolder.JOURNAL), new Frame(head.salt()));
    }

    /** Fails with the reason if the folder is in use or holds no readable snapshot. */
    static FolderImage read(Path folder, Disk disk) throws IOException {
        try (SnapshotWindow snapshot = SnapshotFile.open(disk, folder)) {
            if (snapshot == null) {
                throw new IOException(folder + " is no data folder: " + SnapshotFile.path(folder) + " is missing");
            }
            return read(folder, disk, snapshot);
        }
    }

    private static FolderImage read(Path folder, Disk disk, SnapshotWindow snapshot) throws IOException {
        Path path = SnapshotFile.path(folder);
        SnapshotHead head = Snapshot.head(path, snapshot);
        FolderImage image = new FolderImage(folder, disk, head);
        boolean done = false;
        try {
            Snapshot.read(path, snapshot, image.catalog, image.parts.folder().damages());
            image.catalog.unpackAll();
            image.journal.reportMissing(head.journal(), image.parts.folder().damages());
            new JournalReplay(image.parts.folder().damages(), image, head.epoch())
                    .replay(image.journal.filesBehind(head.epoch()));
            image.catalog.recovered();
            done = true;
            return image;
        } finally {
            if (!done) {
                image.close();
            }
        }
    }

    /** Cuts the journal off behind its last complete group; changes the folder. */
    void cutTornTail() throws IOException {
        Torn tail = torn;
        if (tail != null) {
            tail.file().write(tail.start(), ByteBuffer.allocate(Math.toIntExact(tail.end() - tail.start())));
        }
    }

    /** The journal files that the folder needs. */
    List<Path> neededJournal() {
        List<Path> needed = new ArrayList<>();
        journal.filesBehind(head.epoch()).forEach(file -> needed.add(file.journal.path));
        journal.files().stream()
                .map(file -> file.journal)
                .filter(file -> file.number() == head.journal())
                .forEach(file -> needed.add(file.path));
        return needed;
    }

    LogParts parts() {
        return parts;
    }

    Catalog catalog() {
        return catalog;
    }

    /** The entries of that ledger that only the journal has. */
    List<EntryRange> inJournal(Ledger ledger) {
        return inJournal.getOrDefault(ledger, List.of());
    }

    /** The entries of that ledger that are missing between others in the journal. */
    List<EntryRange> lostInJournal(Ledger ledger) {
        return lost.getOrDefault(ledger, List.of());
    }

    @Override
    public void entry(ByteBuffer frame, int start) {
        Ledger ledger = catalog.ledger(Frame.id(frame, start));
        long entryId = Frame.index(frame, start);
        if (ledger == null || entryId <= ledger.lastEntry()) {
            return;
        }
        if (entryId > ledger.lastEntry() + 1) {
            add(lost, ledger, new EntryRange(ledger.id, ledger.lastEntry() + 1, entryId - 1));
        }
        add(inJournal, ledger, new EntryRange(ledger.id, entryId, entryId));
        ledger.setLastEntry(entryId);
        ledger.topic.recovered(ledger.last());
        ledger.topic.times().published(Frame.publishTimeMillis(frame, start));
    }

    /** Adds the range, joined with the last one where both touch. */
    static void add(Map<Ledger, List<EntryRange>> ranges, Ledger ledger, EntryRange range) {
        List<EntryRange> known = ranges.computeIfAbsent(ledger, unknown -> new ArrayList<>());
        int last = known.size() - 1;
        if (last >= 0 && known.get(last).lastEntry() + 1 == range.firstEntry()) {
            known.set(last, new EntryRange(range.ledgerId(), known.get(last).firstEntry(), range.lastEntry()));
        } else {
            known.add(range);
        }
    }

    @Override
    public void record(byte type, long id, long index, byte[] body) {
        catalog.apply(new CatalogChange(type, id, index, body));
    }

    @Override
    public void groupEnd(long epoch) {}

    @Override
    public void torn(JournalFile file, long start, long end) {
        torn = new Torn(file.file, start, end);
    }

    @Override
    public void close() throws IOException {
        journal.close();
        parts.reading().openFiles().close();
    }
}
