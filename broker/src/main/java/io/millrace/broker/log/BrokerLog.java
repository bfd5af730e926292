package io.millrace.broker.log;

import io.millrace.broker.log.JournalItem.AwaitedRecord;
import io.millrace.broker.log.JournalItem.Barrier;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The log of all topics of a broker in one data folder. Thread-safe.
 *
 * <p><b>Threads</b>: any; futures are completed by the ledger writer. <b>Shared</b>: {@code topics}, a concurrent map
 * of futures, so that each topic is made once; {@code ids}, a concurrent map of all names, changed under {@code order},
 * within which the record of the change is queued; {@code names}, volatile, set by any thread; {@code closed}.
 * <b>States</b> of a topic: absent -> being made -> open -> stored when its user closes it -> open when it is opened
 * again; absent when deleted. <b>Proved by</b>: GroupCommitTest, PowerLossTest, TopicPackingTest, LogChangeTest.
 */
public final class BrokerLog implements AutoCloseable {
    private static final long UNREADABLE = -1;
    private static final long CLOSE_MILLIS = 1_000;
    private static final long CLOSE_LEDGERS_MILLIS = 300;

    private final Closeable lock;
    private final LogParts parts;
    private final Catalog catalog;
    private final LedgerWriter ledgerWriter;
    private final JournalWriter journalWriter;
    private final Thread ledgerThread;
    private final Thread journalThread;
    /** The topics in use. */
    private final Map<String, CompletableFuture<TopicLog>> topics = new ConcurrentHashMap<>();
    /** All topics, also those that are being made. */
    private final Map<String, Long> ids = new ConcurrentHashMap<>();
    /** Held while a name is taken or given up, so that the records of that are queued in the same order. */
    private final Object order = new Object();

    private final LogChanges changes;
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile TopicNames names = TopicNames.IGNORED;
    private volatile @Nullable UnreadableTopic unnamed;

    private BrokerLog(Closeable lock, Recovery.Opened opened) {
        this.lock = lock;
        parts = opened.parts();
        catalog = opened.catalog();
        ledgerWriter = opened.ledgerWriter();
        journalWriter =
                new JournalWriter(parts, opened.start(), ledgerWriter::offer, ledgerWriter::wake, this::notifyFailed);
        opened.catalog().unpackedTopics().forEach(topic -> ids.put(topic.name(), topic.id()));
        opened.catalog().packedTopics().forEach(topic -> ids.put(topic.name(), topic.id()));
        opened.catalog().unreadable().forEach(this::refuse);
        changes = new LogChanges(parts, new LogChanges.Names(topics, ids, order), new ToldNames());
        ledgerThread = new Thread(ledgerWriter, "millrace-ledgers");
        journalThread = new Thread(journalWriter, "millrace-journal");
    }

    private void refuse(UnreadableTopic topic) {
        if (topic.name() == null) {
            unnamed = topic;
        } else {
            ids.put(topic.name(), UNREADABLE);
            topics.put(topic.name(), CompletableFuture.failedFuture(topic.refusal()));
        }
    }

    /** Opens the folder, creating it if it is missing, and recovers its contents; fails if another process holds it. */
    public static BrokerLog open(LogConfig config, Disk disk) throws IOException {
        return open(config, disk, LogRetention.NOTHING);
    }

    /** The same, while it is known what is retained, or until {@link #retainBy} says so. */
    public static BrokerLog open(LogConfig config, Disk disk, LogRetention retention) throws IOException {
        LogFolder.create(config.data(), disk);
        Closeable lock = disk.lock(config.data());
        boolean opened = false;
        try {
            disk.createDirectories(config.data().resolve(LogFolder.JOURNAL));
            disk.createDirectories(config.data().resolve(LogFolder.LEDGERS));
            BrokerLog log = new BrokerLog(lock, Recovery.open(config, disk));
            log.ledgerWriter.retained().by(retention);
            log.ledgerThread.start();
            log.journalThread.start();
            opened = true;
            return log;
        } finally {
            if (!opened) {
                lock.close();
            }
        }
    }

    public Collection<String> topicNames() {
        return List.copyOf(ids.keySet());
    }

    /** The names of the topics that the filter lets through. */
    public List<String> topicNames(Predicate<String> filter) {
        return ids.keySet().stream().filter(filter).toList();
    }

    /** The values that are durable now, by name. */
    public Map<String, byte[]> values() {
        return Map.copyOf(catalog.values().all());
    }

    /** The durable value of that name, to be read only; null if there is none. For any thread. */
    public byte @Nullable [] value(String name) {
        return catalog.values().get(name);
    }

    /**
     * Changes values and topics together; done when that is durable. Fails, and changes nothing, if the log takes no
     * writes or a topic that is to be deleted is in use.
     */
    public CompletionStage<Void> change(LogChange change) {
        return changes.make(change, unnamed);
    }

    /** Changes cursors of open topics together; done when that is durable. */
    public CompletionStage<Void> change(CursorChange change) {
        return changes.make(change);
    }

    /** Ends these topics together, when nobody appends to them; done when that is durable. */
    public CompletionStage<Void> terminate(List<TopicLog> ended) {
        return changes.alter(ended, TopicLog::termination, topic -> {});
    }

    /**
     * Moves every cursor of these topics behind the last entry, all together, when nobody uses them or appends, and deletes
     * what is not retained then; done when that is durable.
     */
    public CompletionStage<Void> truncate(List<TopicLog> emptied) {
        return changes.alter(emptied, TopicLog::truncation, TopicLog::allowTruncation)
                .thenCompose(passed -> reach(() -> emptied.forEach(topic -> ledgerWriter.trim(topic.id()))))
                .thenCompose(trimmed -> reach(() -> {}));
    }

    /** Has the ledger writer do that behind everything that is queued; done when it has. */
    private CompletionStage<Void> reach(Runnable action) {
        CompletableFuture<Void> reached = new CompletableFuture<>();
        parts.journal().queue().offer(new Barrier(reached, () -> {
            action.run();
            reached.complete(null);
        }));
        return reached;
    }

    /** Sets who is told of topics that are made and deleted from now on. */
    public void onTopics(TopicNames listener) {
        names = listener;
    }

    /** How many topics are open. */
    public int usedTopics() {
        return topics.size();
    }

    /** What the topics that nobody uses take of the heap, in bytes. */
    public long storedBytes() {
        return catalog.packedBytes();
    }

    public boolean hasTopic(String name) {
        return ids.containsKey(name);
    }

    /** Whether what is known of that topic, or that value, is damaged. */
    public boolean isUnreadable(String name) {
        Long id = ids.get(name);
        return id != null && id == UNREADABLE;
    }

    /** Whether something is damaged of which not even the name is known. */
    public boolean hasUnreadableNames() {
        return unnamed != null;
    }

    /** Has that say from now on how long ledgers are kept that every subscription has acknowledged, and looks for others. */
    public void retainBy(LogRetention retention) {
        ledgerWriter.retained().by(retention);
        trim();
    }

    /** Deletes the ledgers that every subscription has acknowledged and that need not be kept any longer. */
    public void trim() {
        parts.journal().queue().offer(new Barrier(new CompletableFuture<>(), ledgerWriter::trimAll));
    }

    /** Deletes the topics that nobody uses and that have neither entries nor cursors, and never had an entry. */
    public void deleteEmptyTopics() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        parts.journal().queue().offer(new Barrier(done, () -> ledgerWriter.forEachEmptyTopic(this::deleteUnused)));
    }

    private void deleteUnused(String name, long id) {
        synchronized (order) {
            topics.computeIfAbsent(name, unused -> {
                if (!changes.isKeeping(id) && ids.remove(name, id)) {
                    parts.journal().queue().offer(deletion(name, id, new CompletableFuture<>()));
                }
                return null;
            });
        }
    }

    /** The topic of that name; done when it is durable, made if there was none, failed if the log takes no writes. */
    public CompletionStage<TopicLog> openTopic(String name) {
        CompletableFuture<TopicLog> known = topics.get(name);
        if (known != null) {
            return known.copy();
        }
        if (!ids.containsKey(name)) {
            if (state() != LogState.OPEN) {
                return CompletableFuture.failedFuture(parts.status().unavailable());
            }
            UnreadableTopic candidate = unnamed;
            if (candidate != null) {
                return CompletableFuture.failedFuture(candidate.refusal());
            }
            requireMakeable(name);
        }
        CompletableFuture<TopicLog> opened = new CompletableFuture<>();
        CompletableFuture<TopicLog> raced = topics.putIfAbsent(name, opened);
        if (raced != null) {
            return raced.copy();
        }
        CompletableFuture<TopicLog> unused = opened.whenComplete((topic, failure) -> {
            if (failure != null) {
                topics.remove(name, opened);
            }
        });
        synchronized (order) {
            Long stored = ids.get(name);
            if (stored == null) {
                make(name, opened);
            } else {
                parts.journal().queue().offer(new Barrier(opened, () -> use(stored, opened)));
            }
        }
        return opened.copy();
    }

    /**
     * What there is of these topics, in that order, without those that there are not; topics that nobody uses stay as they
     * are.
     */
    public CompletionStage<List<TopicFacts>> facts(List<String> topicNames) {
        CompletableFuture<List<TopicFacts>> answer = new CompletableFuture<>();
        parts.journal().queue().offer(new Barrier(answer, () -> {
            List<TopicFacts> found = new ArrayList<>(topicNames.size());
            for (String name : topicNames) {
                Long id = ids.get(name);
                TopicFacts facts = id == null || id == UNREADABLE ? null : ledgerWriter.facts(id);
                if (facts != null) {
                    found.add(facts);
                }
            }
            answer.complete(List.copyOf(found));
        }));
        return answer;
    }

    private void requireMakeable(String name) {
        LogParts.requireName(name);
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        parts.folder().config().requireFits("the name of a topic", Frame.recordBytes(bytes));
    }

    private void make(String name, CompletableFuture<TopicLog> made) {
        long id = parts.ids().topic().getAndIncrement();
        ids.put(name, id);
        CompletableFuture<TopicLog> unused = made.whenComplete((topic, failure) -> {
            if (failure != null && ids.remove(name, id)) {
                names.gone(name);
            }
        });
        parts.journal()
                .queue()
                .offer(new AwaitedRecord(CatalogChange.topicCreated(id, name, System.currentTimeMillis()), made, () -> {
                    names.made(name);
                    use(id, made);
                }));
    }

    private void use(long id, CompletableFuture<TopicLog> opened) {
        TopicLog topic = ledgerWriter.use(id);
        if (topic == null) {
            opened.completeExceptionally(new IllegalStateException("topic " + id + " was deleted while it was opened"));
        } else {
            opened.complete(topic);
        }
    }

    /**
     * The only user of that topic has finished with it and will not append or read; opening it again may give another
     * object. A topic that holds nothing is deleted; done when that is durable.
     */
    public CompletionStage<Void> leaveTopic(TopicLog topic) {
        topic.forgetUser();
        return letGo(
                topic,
                left -> !changes.isKeeping(topic.id()) && topic.isEmpty()
                        ? deletion(topic, left)
                        : new Barrier(left, () -> {
                            ledgerWriter.leave(topic);
                            left.complete(null);
                        }));
    }

    /** Deletes the topic with its entries and cursors; done when that is durable. */
    public CompletionStage<Void> deleteTopic(String name) {
        if (!ids.containsKey(name)) {
            return CompletableFuture.completedFuture(null);
        }
        return openTopic(name).thenCompose(this::delete);
    }

    private CompletionStage<Void> delete(TopicLog topic) {
        return letGo(topic, deleted -> deletion(topic, deleted));
    }

    /** Gives up the name, unless the log takes no changes. */
    private JournalItem deletion(TopicLog topic, CompletableFuture<Void> deleted) {
        parts.status().checkDeltas();
        ids.remove(topic.name(), topic.id());
        topic.setDeleted();
        return deletion(topic.name(), topic.id(), deleted);
    }

    private JournalItem deletion(String name, long id, CompletableFuture<Void> deleted) {
        return new AwaitedRecord(CatalogChange.topicDeleted(id), deleted, () -> {
            names.gone(name);
            deleted.complete(null);
        });
    }

    /** Whoever is set now. */
    private final class ToldNames implements TopicNames {
        @Override
        public void made(String topic) {
            names.made(topic);
        }

        @Override
        public void gone(String topic) {
            names.gone(topic);
        }
    }

    /** Queues an item after which nobody uses the topic; a call that opens it meanwhile comes before or after it. */
    private CompletionStage<Void> letGo(TopicLog topic, Function<CompletableFuture<Void>, JournalItem> last) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        CompletableFuture<TopicLog> kept;
        synchronized (order) {
            kept = topics.computeIfPresent(topic.name(), (name, known) -> {
                if (known.getNow(null) != topic) {
                    return known;
                }
                parts.journal().queue().offer(last.apply(done));
                return null;
            });
        }
        if (kept != null) {
            done.complete(null);
        }
        return done;
    }

    /** What whoever watches the broker is told of a full disk; nothing while there is room. */
    public String fullness() {
        return parts.status().state() == LogState.FULL ? LogStatus.FULL_DISK : "";
    }

    /** Throws {@link LogUnavailableException} unless acknowledgements are taken now, as they are on a full disk, too. */
    public void checkDeltas() {
        parts.status().checkDeltas();
    }

    public LogState state() {
        return parts.status().state();
    }

    /** What was found damaged since opening, also torn tails that recovery cut off. */
    public List<Damage> damages() {
        return parts.folder().damages().found();
    }

    /** How many bytes the tail cache holds now. */
    public long tailCacheBytes() {
        return parts.reading().cache().heldBytes();
    }

    /**
     * How many bytes of entries that were read back from files are held now, by readers and by those that got the
     * entries from them.
     */
    public long readMemoryBytes() {
        return parts.reading().reader().memory().heldBytes();
    }

    /**
     * Sets the listener that is told, at most once a second and on a reading thread, that clients hold too many bytes
     * of what was read.
     */
    public void onReadMemoryShort(Runnable listener) {
        parts.reading().reader().memory().listener(listener);
    }

    private void notifyFailed(Throwable cause) {
        for (CompletableFuture<TopicLog> topic : topics.values()) {
            if (topic.isDone() && !topic.isCompletedExceptionally()) {
                topic.join().notifyFailed(cause);
            }
        }
    }

    /** Makes all appended entries durable, tells the listeners, and closes every file; further calls do nothing. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            closeAll();
        } catch (IOException e) {
            throw new UncheckedIOException("A file of the log cannot be closed", e);
        }
    }

    private void closeAll() throws IOException {
        parts.status().setClosed();
        boolean interrupted = stop();
        journalWriter.refuseQueued(parts.status().unavailable());
        parts.reading().cache().close();
        parts.journal().files().close();
        journalWriter.active().file.close();
        parts.reading().openFiles().close();
        lock.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean stop() {
        journalWriter.stop();
        boolean interrupted = join(journalThread, CLOSE_MILLIS);
        parts.journal().files().stop();
        interrupted |= join(journalThread, TimeUnit.SECONDS.toMillis(60));
        ledgerWriter.stop(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CLOSE_LEDGERS_MILLIS));
        interrupted |= join(ledgerThread, TimeUnit.SECONDS.toMillis(60));
        try {
            parts.reading().reader().close();
        } catch (InterruptedException e) {
            interrupted = true;
        }
        return interrupted;
    }

    private static boolean join(Thread thread, long millis) {
        boolean interrupted = false;
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (thread.isAlive() && System.nanoTime() < deadline) {
            try {
                thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        return interrupted;
    }
}
