package io.millrace.broker.log;

import io.millrace.broker.log.JournalItem.AwaitedRecord;
import io.millrace.broker.log.JournalItem.Barrier;
import io.millrace.broker.log.JournalItem.PlainRecord;
import io.millrace.broker.log.JournalItem.RecordItem;
import io.millrace.broker.log.LogRetention.Kept;
import io.millrace.broker.memory.OutOfMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.ObjLongConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the journal: applies its records to the catalog, moves entries from the tail cache to ledger files, writes
 * snapshots so that journal files can be used again, and deletes ledgers that every cursor has passed.
 *
 * <p><b>Threads</b>: its own, from {@link #run} on; before that recovery uses it. <b>Owned</b>: the catalog, the ledger
 * files, the list of runs without a place; {@code quiet} by the journal writer. <b>Shared</b>: the queue of durable
 * groups; {@code stopping}, volatile, written after {@code deadlineNanos}. <b>States</b>: running -> stopped when asked
 * and the queue is empty, or when a file failed: items queued then are refused. <b>Proved by</b>: PowerLossTest,
 * LedgerDeletionTest.
 */
final class LedgerWriter implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerWriter.class);
    private static final JournalGroup.Done NOTHING = new JournalGroup.Done(-1, List.of(), List.of(), List.of());
    private static final int MAX_QUIET = 256;
    private static final long OWN_FILE_BYTES = 64 * 1024;
    private static final long REPLAY_BYTES = 2 << 20;
    private static final long FULL_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final LogParts parts;
    private final Catalog catalog;
    private final LedgerFiles files;
    private final RetainedLedgers retained;
    private final JournalQueue<JournalGroup.Done> groups = new JournalQueue<>();
    private final long ownFileBytes;
    private final List<CacheRun> unplaced = new ArrayList<>();
    /** How many topics that nobody uses could not be packed when it was tried last. */
    private int unplacedTopics;

    private long epoch;
    private long fullRetriedNanos;
    private long bytesSinceSnapshot;
    private boolean snapshotIsDue;
    private int quiet;
    private boolean recovering = true;
    private long deadlineNanos;
    private volatile boolean stopping;

    LedgerWriter(LogParts parts, Catalog catalog, LedgerFiles files) {
        this.parts = parts;
        this.catalog = catalog;
        this.files = files;
        retained = new RetainedLedgers(parts);
        this.ownFileBytes =
                Math.min(OWN_FILE_BYTES, parts.folder().config().ledgers().bytes() / 4);
    }

    /** The epoch that the snapshot holds; for recovery. */
    void setEpoch(long snapshotEpoch) {
        epoch = snapshotEpoch;
    }

    /** Which ledgers are kept that every cursor has passed. */
    RetainedLedgers retained() {
        return retained;
    }

    /** Looks at every topic that may have ledgers which need not be kept any longer. */
    void trimAll() {
        catalog.forEachTopic(retained::mayKeep, this::trim);
    }

    /** Asks the journal to delete what is not needed of that topic, if there is such a topic. */
    void trim(long topicId) {
        TopicLog topic = catalog.look(topicId);
        if (topic != null) {
            trim(topic);
        }
    }

    /** A topic that this thread has applied, to be used from now on; null if it was deleted meanwhile. */
    @Nullable
    TopicLog use(long id) {
        TopicLog topic = catalog.topic(id);
        if (topic != null) {
            catalog.use(topic);
        }
        return topic;
    }

    /** What there is of that topic; null if there is none. */
    @Nullable
    TopicFacts facts(long id) {
        TopicLog topic = catalog.look(id);
        return topic == null ? null : TopicFacts.of(topic, catalog.isInUse(topic));
    }

    /** Nobody uses the topic any more. */
    void leave(TopicLog topic) {
        catalog.leave(topic);
    }

    /** Calls back with the names and ids of the empty topics. */
    void forEachEmptyTopic(ObjLongConsumer<String> visitor) {
        for (TopicLog topic : catalog.unpackedTopics()) {
            if (topic.isEmpty()) {
                visitor.accept(topic.name(), topic.id());
            }
        }
        for (PackedTopic topic : catalog.packedTopics()) {
            if (topic.isEmpty()) {
                visitor.accept(topic.name(), topic.id());
            }
        }
    }

    /** Takes over a durable group; one that only extends known runs can wait for the next one that does more. */
    void offer(JournalGroup.Done group) {
        if (group.isMoreOfTheSame() && quiet < MAX_QUIET) {
            quiet++;
            groups.offerQuietly(group);
        } else {
            quiet = 0;
            groups.offer(group);
        }
    }

    /** The journal writer needs a free file, or has found the disk full: there is work without a group. */
    void wake() {
        groups.offer(NOTHING);
    }

    /** Ends it when every group is applied; a checkpoint may go on until the deadline, in nanoseconds. */
    void stop(long deadline) {
        deadlineNanos = deadline;
        stopping = true;
        groups.offer(NOTHING);
    }

    private boolean isLate() {
        return stopping && System.nanoTime() - deadlineNanos >= 0;
    }

    @Override
    public void run() {
        JournalGroup.@Nullable Done group = NOTHING;
        try {
            recovering = false;
            catalog.forEachTopic(packed -> true, this::trim);
            maintain();
            while (true) {
                group = groups.poll();
                if (group != null && group.epoch() >= 0) {
                    apply(group);
                } else if (group == null && stopping) {
                    checkpointAtEnd();
                    return;
                } else if (group == null) {
                    groups.await(isFull() ? FULL_RETRY_NANOS : Long.MAX_VALUE);
                }
                if (stopping) {
                    continue;
                }
                if (!isFull()) {
                    maintain();
                } else if (System.nanoTime() - fullRetriedNanos >= FULL_RETRY_NANOS) {
                    leaveFull();
                }
            }
        } catch (IOException | RuntimeException | Error e) {
            OutOfMemory.tell(e);
            parts.status().setFailed(e);
            LOG.error("The ledgers have failed; the log takes no more writes", e);
            parts.journal().files().stop();
            parts.journal().queue().offer(new Barrier(new CompletableFuture<>(), () -> {}));
            refuse(group, e);
            refuseUntilStopped(e);
        }
    }

    /**
     * Refuses the items of that group that were not applied; those that were are completed twice, which has no effect.
     */
    private static void refuse(JournalGroup.@Nullable Done group, Throwable cause) {
        if (group != null) {
            group.records().forEach(item -> JournalWriter.refuse(item, cause));
        }
    }

    private void refuseUntilStopped(Throwable cause) {
        while (true) {
            JournalGroup.Done group = groups.poll();
            if (group != null) {
                group.newSlabs().forEach(parts.reading().cache()::adopt);
                group.newRuns().forEach(run -> run.slab.runs.add(run));
                refuse(group, cause);
            } else if (stopping) {
                return;
            } else {
                groups.await(Long.MAX_VALUE);
            }
        }
    }

    /** Takes over a durable group; also for recovery. */
    void apply(JournalGroup.Done group) {
        for (Slab slab : group.newSlabs()) {
            parts.reading().cache().adopt(slab);
            bytesSinceSnapshot += slab.capacity;
        }
        for (CacheRun run : group.newRuns()) {
            run.slab.runs.add(run);
            unplaced.add(run);
        }
        epoch = group.epoch();
        for (JournalItem item : group.records()) {
            if (item instanceof RecordItem changing) {
                catalog.apply(changing.change());
                trimAfter(changing.change());
                if (changing instanceof AwaitedRecord awaited) {
                    awaited.applied().run();
                }
            } else if (item instanceof Barrier barrier) {
                barrier.reached().run();
            }
        }
    }

    private void trimAfter(CatalogChange change) {
        if (change.type() == Frame.BATCH) {
            LogBatch.forEach(change.body(), this::trimAfter);
            return;
        }
        boolean mayFree = change.type() != Frame.TOPIC_CREATED && change.type() != Frame.LEDGER_DELETED;
        TopicLog topic =
                mayFree ? catalog.topic(change.type() == Frame.LEDGER_OPENED ? change.index() : change.id()) : null;
        boolean isMove = change.type() == Frame.CURSOR_DELTA;
        if (topic != null && (!isMove || topic.cursors().hasPassedLedger())) {
            trim(topic);
        } else if (change.type() == Frame.TOPIC_DELETED) {
            retained.forgetKept(change.id());
        }
    }

    /**
     * Asks the journal to delete the ledgers that every cursor has passed and that are not retained, and those before the last
     * one that never got an entry; without a cursor nothing is deleted, unless it is said for how long it is retained.
     */
    private void trim(TopicLog topic) {
        retained.forgetKept(topic.id());
        Ledger first = topic.table().first();
        if (first == null || (first.entryCount() > 0 && isNeeded(topic, first))) {
            return;
        }
        Kept kept = retained.kept(topic);
        Position mark = retained.unneeded(topic, kept);
        if (mark == null) {
            return;
        }
        LedgerTable table = topic.table();
        for (Ledger ledger : table.ledgers()) {
            boolean isEmpty = ledger.entryCount() == 0;
            boolean done = isEmpty
                    ? ledger != table.last()
                    : !mark.isBefore(ledger.last()) && !topic.lastDurable().isBefore(ledger.last());
            if (!done || topic.isOpen(ledger)) {
                return;
            }
            if (!ledger.deleting && retained.keeps(topic, kept, ledger, this::trim)) {
                return;
            }
            if (!ledger.deleting) {
                retained.forget(ledger.id);
                ledger.deleting = true;
                parts.journal().queue().offer(new PlainRecord(CatalogChange.ledgerDeleted(ledger.id, topic.id())));
            }
        }
    }

    /** Whether that ledger cannot go, retained or not; constant work in most cases. */
    private static boolean isNeeded(TopicLog topic, Ledger ledger) {
        return topic.isOpen(ledger) || topic.cursors().isAnyBefore(ledger.last());
    }

    /** Frees journal files and cache as needed, and keeps a journal file ready. */
    private void maintain() throws IOException {
        try {
            if (snapshotIsDue || parts.journal().files().hasSealedUpTo(epoch)) {
                checkpoint();
            }
            relieveCache();
            packLeft();
            parts.journal().files().prepare();
        } catch (DiskFullException e) {
            if (parts.status().setFull(e)) {
                LOG.warn("The disk is full; publishes are refused until there is room", e);
            }
        }
    }

    /** Writes a snapshot as soon as it runs. */
    void renewSnapshot() {
        snapshotIsDue = true;
    }

    private boolean isFull() {
        return parts.status().state() == LogState.FULL;
    }

    /** Keeps the tail cache within its bound. */
    void relieveCache() throws IOException {
        parts.reading().cache().evict();
        if (parts.reading().cache().needsPlacing()) {
            placeAll();
            parts.reading().cache().evict();
        }
    }

    /** Packs the topics that nobody uses when there are many, after it gave all their entries a place in a file. */
    void packLeft() throws IOException {
        if (catalog.leftCount() >= parts.folder().config().unpackedTopics()) {
            place(run -> catalog.isLeft(run.ledger.topic));
            packPlaced();
        }
    }

    /** Packs those of them whose entries all have a place, when there are many: that needs no room on the disk. */
    void packWhileFull() {
        if (catalog.leftCount() >= Math.max(parts.folder().config().unpackedTopics(), 2 * unplacedTopics)) {
            packPlaced();
        }
    }

    private void packPlaced() {
        catalog.packLeft();
        parts.reading().cache().forgetPacked();
        unplaced.removeIf(run -> run.ledger.topic.isPacked());
        unplacedTopics = catalog.leftCount();
    }

    /** Accepts publishes again when all waiting entries have a place and a journal file is ready. */
    private void leaveFull() throws IOException {
        fullRetriedNanos = System.nanoTime();
        packWhileFull();
        try {
            placeAll();
            if (parts.journal().files().hasSealedUpTo(epoch)) {
                checkpoint();
            }
            parts.reading().cache().evict();
            parts.journal().files().prepare();
            probe();
            if (parts.status().setRoom()) {
                LOG.info("There is room on the disk again; publishes are taken");
            }
        } catch (DiskFullException e) {
            LOG.debug("The disk is still full", e);
        }
    }

    /** Writes and deletes a file of some size: the device has room again only if that works. */
    private void probe() throws IOException {
        java.nio.file.Path path = parts.folder().path().resolve("probe");
        try (DiskFile file = parts.folder().disk().create(path)) {
            file.write(0, java.nio.ByteBuffer.allocate((int)
                    Math.min(1 << 20, parts.folder().config().journal().fileBytes())));
        } finally {
            parts.folder().disk().delete(path);
        }
    }

    /**
     * Moves everything up to the last group out of the journal and frees the journal files that held it. Stopped when
     * the log closes and the time is over: the journal still holds the same entries.
     */
    void checkpoint() throws IOException {
        placeAll();
        if (!files.force(this::isLate)) {
            LOG.info("The log closes before its ledgers are forced; the next start replays the journal");
            return;
        }
        SnapshotHead head = parts.snapshotHead(epoch, catalog.sectionCount());
        SnapshotFile.write(parts.folder().disk(), parts.folder().path(), out -> Snapshot.write(out, catalog, head));
        bytesSinceSnapshot = 0;
        snapshotIsDue = false;
        parts.journal().files().freeUpTo(epoch, head.journal());
    }

    /** Makes the next start's replay short; nothing is lost without it. */
    private void checkpointAtEnd() throws IOException {
        if (bytesSinceSnapshot >= REPLAY_BYTES && !parts.status().isFailed()) {
            try {
                checkpoint();
            } catch (DiskFullException e) {
                LOG.warn("The disk is full; the next start replays the journal", e);
            }
        }
    }

    /** Gives every durable entry its place in a file. */
    void placeAll() throws IOException {
        place(run -> true);
        unplaced.removeIf(run -> !parts.reading().cache().isFilling(run.slab));
    }

    private void place(Predicate<CacheRun> which) throws IOException {
        Map<Ledger, List<CacheRun>> byLedger = new LinkedHashMap<>();
        for (CacheRun run : unplaced) {
            if (run.ledger.deleted) {
                run.placed = run.visible();
            } else if (run.placed < run.visible() && which.test(run)) {
                byLedger.computeIfAbsent(run.ledger, ledger -> new ArrayList<>())
                        .add(run);
            }
        }
        for (Map.Entry<Ledger, List<CacheRun>> ledger : byLedger.entrySet()) {
            files.append(ledger.getKey(), ledger.getValue(), bytesOf(ledger.getValue()) >= ownFileBytes);
        }
    }

    private static long bytesOf(List<CacheRun> runs) {
        long bytes = 0;
        for (CacheRun run : runs) {
            for (int n = run.placed; n < run.visible(); n++) {
                bytes += Frame.frameBytes(run.slab.reading(), run.offset(n));
            }
        }
        return bytes;
    }

    /** Deletes the files of a deleted ledger; for the catalog. */
    void deleteFiles(Ledger ledger) {
        try {
            files.delete(ledger, !recovering);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException("The files of ledger " + ledger.id + " cannot be deleted", e);
        }
    }
}
