package io.millrace.broker.log;

import io.millrace.broker.memory.OutOfMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads entries: from the tail cache at once, from files on a few blocking workers.
 *
 * <p><b>Threads</b>: anyone asks, the workers read. <b>Shared</b>: {@code ends}, where recent reads ended, under its own
 * monitor; a wrong one costs a search, nothing else. <b>Proved by</b>: CatchUpTest,
 * FailedReadTest.
 */
final class EntryReader {
    private static final int WORKERS = 4;
    private static final int MAX_ENDS = 1_024;

    /** What reading a file needs besides the file. */
    record Context(long salt, Damages damages) {}

    private record ReadEnd(long fileNumber, long offset) {}

    private final Path data;
    private final OpenFiles openFiles;
    private final Context context;
    private final ReadMemory memory;
    private final ThreadPoolExecutor workers;
    private final Map<Position, ReadEnd> ends = new LinkedHashMap<>();

    EntryReader(LogFolder folder, OpenFiles openFiles) {
        this.data = folder.path();
        this.openFiles = openFiles;
        this.context = new Context(folder.salt(), folder.damages());
        this.memory = new ReadMemory(folder.config().memory().readAheadBytes());
        AtomicInteger number = new AtomicInteger();
        this.workers =
                new ThreadPoolExecutor(WORKERS, WORKERS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "millrace-log-read-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        workers.allowCoreThreadTimeOut(true);
    }

    ReadMemory memory() {
        return memory;
    }

    CompletionStage<List<Entry>> read(TopicLog topic, Position from, int maxEntries, int maxBytes) {
        ReadLimits limits = new ReadLimits(maxEntries, maxBytes);
        Position start = firstDurable(topic, from);
        if (start == null) {
            return CompletableFuture.completedFuture(List.of());
        }
        List<Entry> cached = new ArrayList<>();
        readCache(topic, start, limits, cached);
        if (!cached.isEmpty()) {
            return CompletableFuture.completedFuture(cached);
        }
        return onWorker(() -> readAnywhere(topic, from, limits));
    }

    CompletionStage<List<Entry>> read(TopicLog topic, List<Position> positions) {
        List<Entry> found = new ArrayList<>(positions.size());
        for (Position position : positions) {
            Entry entry = topic.cached(position);
            if (entry == null) {
                break;
            }
            found.add(entry);
        }
        if (found.size() == positions.size()) {
            return CompletableFuture.completedFuture(found);
        }
        return onWorker(found, () -> {
            for (Position position : positions.subList(found.size(), positions.size())) {
                for (Entry entry : readAnywhere(topic, position, new ReadLimits(1, 1))) {
                    if (entry.position().equals(position)) {
                        found.add(entry);
                    } else {
                        entry.release();
                    }
                }
            }
            return found;
        });
    }

    CompletionStage<Position> findByTime(TopicLog topic, long timeMillis) {
        return onWorker(() -> {
            Position found = search(topic, timeMillis);
            topic.requireUnpacked(); // else what it found nothing in may have been there before
            return found;
        });
    }

    private Position search(TopicLog topic, long timeMillis) {
        Ledger[] ledgers = topic.table().ledgers();
        int low = 0;
        int high = ledgers.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (isBefore(topic, ledgers[middle].last(), timeMillis)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == ledgers.length ? topic.next(topic.lastDurable()) : findIn(topic, ledgers[low], timeMillis);
    }

    private Position findIn(TopicLog topic, Ledger ledger, long timeMillis) {
        long low = 0;
        long high = ledger.lastEntry();
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (isBefore(topic, new Position(ledger.id, middle), timeMillis)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return new Position(ledger.id, low);
    }

    /** Whether the first entry at or after that position was published before that time. */
    private boolean isBefore(TopicLog topic, Position position, long timeMillis) {
        boolean before = false;
        for (Entry entry : readAnywhere(topic, position, new ReadLimits(1, 1))) {
            before = entry.header().publishTimeMillis() < timeMillis;
            entry.release();
        }
        return before;
    }

    private <T> CompletionStage<T> onWorker(Supplier<T> task) {
        return onWorker(List.of(), task);
    }

    /** Runs the task on a worker; if it fails or never runs, releases the entries found so far. */
    private <T> CompletionStage<T> onWorker(List<Entry> found, Supplier<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        try {
            workers.execute(() -> {
                try {
                    result.complete(task.get());
                } catch (UncheckedIOException e) {
                    fail(result, found, Objects.requireNonNull(e.getCause()));
                } catch (RuntimeException | Error e) {
                    OutOfMemory.tell(e);
                    fail(result, found, e);
                }
            });
        } catch (RejectedExecutionException e) {
            fail(result, found, new LogUnavailableException("The log is closed.", e));
        }
        return result;
    }

    private static void fail(CompletableFuture<?> result, List<Entry> found, Throwable cause) {
        found.forEach(Entry::release);
        result.completeExceptionally(cause);
    }

    /** The first position at or after {@code from} that has an entry, or null if none is durable. */
    private static @Nullable Position firstDurable(TopicLog topic, Position from) {
        LedgerTable table = topic.table();
        Ledger ledger = table.atOrAfter(from.ledgerId());
        if (ledger != null && ledger.id == from.ledgerId() && from.entryId() > ledger.lastEntry()) {
            ledger = table.atOrAfter(from.ledgerId() + 1);
        }
        if (ledger == null) {
            return null;
        }
        Position start = new Position(ledger.id, ledger.id == from.ledgerId() ? Math.max(0, from.entryId()) : 0);
        return start.isAfter(topic.lastDurable()) ? null : start;
    }

    private static void readCache(TopicLog topic, Position start, ReadLimits limits, List<Entry> target) {
        Position at = start;
        int bytes = 0;
        while (at != null) {
            int before = target.size();
            topic.cache().collect(at.ledgerId(), at.entryId(), limits.maxEntries(), limits.maxBytes() - bytes, target);
            if (target.size() == before) {
                return;
            }
            for (Entry entry : target.subList(before, target.size())) {
                bytes += entry.data().readableBytes();
            }
            Position last = target.get(target.size() - 1).position();
            at = firstDurable(topic, new Position(last.ledgerId(), last.entryId() + 1));
        }
    }

    private List<Entry> readAnywhere(TopicLog topic, Position from, ReadLimits limits) {
        List<Entry> target = new ArrayList<>();
        boolean done = false;
        try {
            Position at = firstDurable(topic, from);
            while (at != null && target.isEmpty()) {
                readCache(topic, at, limits, target);
                if (target.isEmpty()) {
                    at = firstDurable(topic, readFile(topic, at, limits, target));
                }
            }
            done = true;
            return target;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            if (!done) {
                target.forEach(Entry::release);
            }
        }
    }

    /** Reads from one extent; returns the position to go on from if nothing was readable there. */
    private Position readFile(TopicLog topic, Position at, ReadLimits limits, List<Entry> target) throws IOException {
        Ledger ledger = topic.table().get(at.ledgerId());
        if (ledger == null) {
            return at;
        }
        Extent extent = ledger.extentOf(at.entryId());
        if (extent == null) {
            return new Position(ledger.id, topic.cache().firstAtOrAfter(ledger.id, at.entryId()));
        }
        Path path = LogFolder.ledgerFile(data, ledger, extent);
        try (OpenFiles.Lease lease = openFiles.open(path)) {
            ExtentReader reader = new ExtentReader(context, lease.file(), path, ledger, extent);
            long entryId = Math.max(at.entryId(), extent.firstEntry());
            ReadEnd end = takeEnd(new Position(ledger.id, entryId));
            boolean known = end != null && end.fileNumber() == extent.fileNumber() && end.offset() >= extent.start();
            long offset = known && end != null ? end.offset() : reader.locate(entryId);
            reader.read(offset, entryId, limits, memory, target);
            if (!target.isEmpty()) {
                Position last = target.get(target.size() - 1).position();
                putEnd(new Position(ledger.id, last.entryId() + 1), new ReadEnd(extent.fileNumber(), reader.next()));
            }
        } catch (NoSuchFileException e) {
            boolean moved = topic.table().get(ledger.id) != ledger || !extent.equals(ledger.extentOf(at.entryId()));
            if (moved) {
                return at;
            }
            ledger.setUnreadable();
            if (!topic.isCopy()) {
                context.damages().report(path, 0, "the file is missing");
            }
        }
        return new Position(ledger.id, extent.lastEntry() + 1);
    }

    private @Nullable ReadEnd takeEnd(Position next) {
        synchronized (ends) {
            return ends.remove(next);
        }
    }

    private void putEnd(Position next, ReadEnd end) {
        synchronized (ends) {
            ends.put(next, end);
            if (ends.size() > MAX_ENDS) {
                ends.remove(ends.keySet().iterator().next());
            }
        }
    }

    /** Lets running reads end; later ones are refused. */
    void close() throws InterruptedException {
        workers.shutdown();
        workers.awaitTermination(1, TimeUnit.SECONDS);
    }
}
