package io.millrace.broker.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files behind the journal: a ledger's own file takes its larger runs, shared files take the small ones of many
 * ledgers, so that ten thousand small topics need only a few files and forces. Owned by the ledger writer.
 */
final class LedgerFiles {
    private static final int STAGING_BYTES = 256 * 1024;
    private static final Pattern SHARED_NAME = Pattern.compile("([0-9]{1,18})\\.shared");
    private static final Pattern OWN_NAME = Pattern.compile("[0-9]{1,19}-[0-9]{1,19}\\.ledger");

    /** A file of many ledgers: the bytes written, and those of them that belong to existing ledgers. */
    private static final class Shared {
        final long number;
        long end;
        long liveBytes;
        /**
         * Whether a force since this start made its name durable; a file of that name from before may have been deleted
         * since.
         */
        boolean named;

        Shared(long number) {
            this.number = number;
        }
    }

    private final LogParts parts;
    private final Map<Long, Shared> shared = new HashMap<>();
    private final Set<Path> dirty = new HashSet<>();
    private final ByteBuffer staging;
    private boolean namesDirty;
    /** Whether the files may hold ledgers that the catalog does not know: then no file is deleted. */
    private boolean keepsAll;

    /** The shared file that is being filled; none of an earlier run, which a backup may have in common. */
    private @Nullable Shared current;

    private long lastShared;

    LedgerFiles(LogParts parts) {
        this.parts = parts;
        this.staging = ByteBuffer.allocateDirect(
                (int) Math.min(STAGING_BYTES, parts.folder().config().journal().fileBytes()));
    }

    /** Counts the extents of a recovered ledger. */
    void adopt(Ledger ledger) {
        for (Extent extent : ledger.extents()) {
            if (!extent.isOwn()) {
                Shared file = shared.computeIfAbsent(extent.fileNumber(), Shared::new);
                file.end = Math.max(file.end, extent.end());
                file.liveBytes += extent.bytes();
                lastShared = Math.max(lastShared, file.number);
            }
        }
    }

    /** The shared files that exist are not written any more, whether ledgers are known in them or not. */
    void beginAnew() throws IOException {
        for (String name : parts.folder().disk().list(directory())) {
            Matcher shared = SHARED_NAME.matcher(name);
            if (shared.matches()) {
                lastShared = Math.max(lastShared, Long.parseLong(shared.group(1)));
            }
        }
    }

    /** Writes the entries of these runs that have no place yet, all of one ledger, and places them there. */
    void append(Ledger ledger, List<CacheRun> runs, boolean own) throws IOException {
        Shared target = own ? null : sharedTarget();
        long start = target == null ? ownEnd(ledger) : target.end;
        long fileNumber = target == null ? Extent.OWN_FILE : target.number;
        Path path = own ? ownPath(ledger) : sharedPath(fileNumber);
        int[] visible = runs.stream().mapToInt(CacheRun::visible).toArray();
        long end;
        try (OpenFiles.Lease lease = parts.reading().openFiles().create(path)) {
            end = write(lease.file(), start, runs, visible);
        }
        dirty.add(path);
        namesDirty |= target == null ? start == 0 : !target.named;
        if (target != null) {
            target.end = end;
            target.liveBytes += end - start;
        }
        CacheRun last = runs.get(runs.size() - 1);
        long firstEntry = runs.get(0).firstEntry + runs.get(0).placed;
        long lastEntry = last.firstEntry + visible[runs.size() - 1] - 1;
        ledger.place(new Extent(fileNumber, start, end, firstEntry, lastEntry));
        for (int i = 0; i < visible.length; i++) {
            runs.get(i).placed = visible[i];
        }
    }

    private long write(DiskFile file, long start, List<CacheRun> runs, int[] visible) throws IOException {
        long end = start;
        staging.clear();
        for (int i = 0; i < visible.length; i++) {
            CacheRun run = runs.get(i);
            for (int n = run.placed; n < visible[i]; n++) {
                int offset = run.offset(n);
                int frameBytes = Frame.frameBytes(run.slab.reading(), offset);
                if (staging.remaining() < frameBytes) {
                    end += flush(file, end);
                }
                ByteBuffer frame = run.slab.view(offset, offset + frameBytes);
                if (frameBytes > staging.capacity()) {
                    file.write(end, frame);
                    end += frameBytes;
                } else {
                    staging.put(frame);
                }
            }
        }
        return end + flush(file, end);
    }

    private long flush(DiskFile file, long offset) throws IOException {
        staging.flip();
        int bytes = staging.remaining();
        if (bytes > 0) {
            file.write(offset, staging);
        }
        staging.clear();
        return bytes;
    }

    private static long ownEnd(Ledger ledger) {
        long end = 0;
        for (Extent extent : ledger.extents()) {
            end = extent.isOwn() ? extent.end() : end;
        }
        return end;
    }

    private Shared sharedTarget() {
        Shared target = current;
        if (target == null || target.end >= parts.folder().config().ledgers().bytes()) {
            target = new Shared(++lastShared);
            shared.put(target.number, target);
            current = target;
        }
        return target;
    }

    /** Makes everything that was written durable; false if it was stopped before the end. */
    boolean force(BooleanSupplier givesUp) throws IOException {
        for (Iterator<Path> paths = dirty.iterator(); paths.hasNext() && !givesUp.getAsBoolean(); ) {
            try (OpenFiles.Lease lease = parts.reading().openFiles().open(paths.next())) {
                lease.file().force(true, ForcePoint.LEDGER_FILE);
            }
            paths.remove();
        }
        if (namesDirty && dirty.isEmpty()) {
            parts.folder().disk().forceDirectory(directory(), ForcePoint.LEDGER_DIRECTORY);
            namesDirty = false;
            shared.values().forEach(file -> file.named = true);
        }
        return dirty.isEmpty();
    }

    /** Frees the space of a deleted ledger; {@code unlink} if its deletion is known to be durable. */
    void delete(Ledger ledger, boolean unlink) throws IOException {
        for (Extent extent : ledger.extents()) {
            Shared file = shared.get(extent.fileNumber());
            if (file != null) {
                file.liveBytes -= extent.bytes();
            }
        }
        if (unlink) {
            drop(ownPath(ledger));
            dropDeadShared();
        }
    }

    /** Deletes the shared files without any existing ledger, except the one that is being filled. */
    private void dropDeadShared() throws IOException {
        if (keepsAll) {
            return;
        }
        for (Iterator<Shared> files = shared.values().iterator(); files.hasNext(); ) {
            Shared file = files.next();
            if (file.liveBytes == 0 && file != current) {
                files.remove();
                drop(sharedPath(file.number));
            }
        }
    }

    private void drop(Path path) throws IOException {
        dirty.remove(path);
        parts.reading().openFiles().delete(path);
    }

    /** From now on only files of known ledgers are deleted: others may belong to a damaged topic. */
    void keepAll() {
        keepsAll = true;
    }

    /** Adds the files of that topic, and the end of the known part of each. */
    void addEnds(TopicLog topic, Map<Path, Long> ends) {
        for (Ledger ledger : topic.table().ledgers()) {
            for (Extent extent : ledger.extents()) {
                ends.merge(LogFolder.ledgerFile(parts.folder().path(), ledger, extent), extent.end(), Math::max);
            }
        }
    }

    /** Reports files that are missing, or shorter than the entries in them need. */
    void reportShort(Map<Path, Long> ends) throws IOException {
        for (Map.Entry<Path, Long> end : ends.entrySet()) {
            long bytes = parts.folder().disk().size(end.getKey());
            if (bytes < end.getValue()) {
                parts.folder().damages().reportShort(end.getKey(), bytes, end.getValue());
            }
        }
    }

    /** Deletes ledger files that no ledger names: a crash between a record and its effect left them. */
    void dropStrays(Set<Path> used) throws IOException {
        if (keepsAll) {
            return;
        }
        Set<Path> named = new HashSet<>(used);
        dropDeadShared();
        shared.keySet().forEach(number -> named.add(sharedPath(number)));
        List<String> names = new ArrayList<>(parts.folder().disk().list(directory()));
        for (String name : names) {
            Path path = directory().resolve(name);
            boolean isOurs = SHARED_NAME.matcher(name).matches()
                    || OWN_NAME.matcher(name).matches();
            if (isOurs && !named.contains(path)) {
                drop(path);
            }
        }
    }

    private Path directory() {
        return parts.folder().ledgers();
    }

    private Path ownPath(Ledger ledger) {
        return LogFolder.ownFile(parts.folder().path(), ledger);
    }

    private Path sharedPath(long number) {
        return LogFolder.sharedFile(parts.folder().path(), number);
    }
}
