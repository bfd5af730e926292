package io.millrace.broker.log;

import io.millrace.broker.log.ExtentCheck.Piece;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sets aside what cannot be read: copies of it go to the folder {@code damaged}, then a new snapshot names only what is
 * sound. Until the new snapshot exists only copies were made, so the repair may be stopped at any point and started
 * again.
 */
public final class FolderRepair {
    private static final String DAMAGED = "damaged";
    private static final int COPY_BYTES = 1 << 20;
    private static final Logger LOG = LoggerFactory.getLogger(FolderRepair.class);

    private final Disk disk;
    private final Path folder;
    private final Path damaged;

    private FolderRepair(Path folder, Disk disk) {
        this.disk = disk;
        this.folder = folder;
        this.damaged = folder.resolve(DAMAGED);
    }

    /** What was found, all of which is set aside now; nothing is changed in a folder that is sound. */
    public static FolderState run(Path folder, Disk disk) throws IOException {
        FolderState state = FolderCheck.run(folder, disk);
        if (!state.isSound()) {
            Closeable lock = disk.lock(folder);
            try {
                new FolderRepair(folder, disk).setAside(state.damages());
            } finally {
                lock.close();
            }
        }
        return state;
    }

    private void setAside(List<Damage> damages) throws IOException {
        disk.createDirectories(damaged);
        Set<Path> files = new HashSet<>();
        damages.stream().filter(damage -> !damage.isTornTail()).forEach(damage -> files.add(damage.file()));
        for (Path file : files) {
            if (file.equals(SnapshotFile.path(folder))) {
                copy(file, new Piece(0, disk.size(file)));
            }
        }
        disk.createDirectories(folder.resolve(LogFolder.LEDGERS));
        Recovery.Opened opened = Recovery.open(LogConfig.defaults(folder), disk);
        LogParts parts = opened.parts();
        try {
            opened.catalog().unpackAll();
            opened.ledgerWriter().checkpoint();
            for (Ledger ledger : opened.catalog().ledgers()) {
                keepSound(parts, ledger);
            }
            dropUnreadable(opened.catalog());
            disk.forceDirectory(damaged, ForcePoint.DATA_FOLDER);
            opened.ledgerWriter().checkpoint();
            JournalFile active = opened.start().active();
            if (files.contains(active.path)) {
                copy(active.path, new Piece(0, active.capacity));
            }
            dropCopied();
        } finally {
            parts.reading().cache().close();
            parts.journal().files().close();
            opened.start().active().file.close();
            parts.reading().openFiles().close();
        }
    }

    private void keepSound(LogParts parts, Ledger ledger) throws IOException {
        Map<Ledger, List<ExtentCheck>> checks = new HashMap<>();
        FolderCheck.check(parts, ledger, checks);
        List<Extent> sound = new ArrayList<>();
        boolean whole = true;
        for (ExtentCheck check : checks.getOrDefault(ledger, List.of())) {
            whole &= check.lost().isEmpty();
            sound.addAll(check.sound());
            for (Piece piece : check.pieces()) {
                copy(LogFolder.ledgerFile(folder, ledger, check.extent()), piece);
            }
        }
        if (!whole) {
            ledger.setExtents(sound.toArray(Extent[]::new));
            acknowledge(ledger, sound);
        }
    }

    /** No subscription waits for what is lost. */
    private static void acknowledge(Ledger ledger, List<Extent> sound) {
        List<Position> lost = new ArrayList<>();
        long expected = 0;
        for (Extent extent : sound) {
            add(lost, ledger, expected, extent.firstEntry());
            expected = extent.lastEntry() + 1;
        }
        add(lost, ledger, expected, ledger.entryCount());
        for (TopicCursors.Image cursor : ledger.topic.cursors().images().values()) {
            cursor.state().apply(new CursorDelta.AckEntries(lost));
        }
    }

    private static void add(List<Position> lost, Ledger ledger, long from, long to) {
        for (long entryId = from; entryId < to; entryId++) {
            lost.add(new Position(ledger.id, entryId));
        }
    }

    /** Removes the unreadable topics from the snapshot; their ledgers are those that no other topic names. */
    private void dropUnreadable(Catalog catalog) throws IOException {
        if (catalog.unreadable().isEmpty()) {
            return;
        }
        Set<Path> named = new HashSet<>();
        for (Ledger ledger : catalog.ledgers()) {
            for (Extent extent : ledger.extents()) {
                named.add(LogFolder.ledgerFile(folder, ledger, extent));
            }
        }
        for (String name : disk.list(folder.resolve(LogFolder.LEDGERS))) {
            Path file = folder.resolve(LogFolder.LEDGERS).resolve(name);
            if (!named.contains(file)) {
                copy(file, new Piece(0, disk.size(file)));
            }
        }
        catalog.unreadable().clear();
    }

    /** Journal files that the checkpoint kept as damaged are now in the folder of damaged files. */
    private void dropCopied() throws IOException {
        Path journal = folder.resolve(LogFolder.JOURNAL);
        for (String name : disk.list(journal)) {
            if (name.endsWith(".damaged")) {
                Path file = journal.resolve(name);
                copy(file, new Piece(0, disk.size(file)));
                disk.delete(file);
            }
        }
    }

    private void copy(Path from, Piece piece) throws IOException {
        Path to = damaged.resolve(from.getFileName() + "-" + piece.start() + "-" + piece.end());
        try (DiskFile opened = disk.openForReading(from);
                DiskFile target = disk.create(to)) {
            SalvageRead source = new SalvageRead(
                    opened, (at, failure) -> LOG.warn("The copy of {} has zeros from byte {} on", from, at, failure));
            ByteBuffer bytes = ByteBuffer.allocate(COPY_BYTES);
            for (long at = piece.start(); at < piece.end(); at += bytes.limit()) {
                bytes.clear().limit((int) Math.min(COPY_BYTES, piece.end() - at));
                int count = source.read(bytes, at);
                bytes.clear().limit(Math.max(count, 1));
                target.write(at - piece.start(), bytes);
            }
            target.force(true, ForcePoint.LEDGER_FILE);
        }
    }
}
