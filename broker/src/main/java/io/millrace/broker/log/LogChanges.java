package io.millrace.broker.log;

import io.millrace.broker.log.JournalItem.AwaitedRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link LogChange} of a log.
 *
 * <p><b>Threads</b>: any; the ledger writer completes. <b>Shared</b>: the log's names: one is taken into {@code ids}
 * while {@code order} is held, or out of it if {@code topics} does not hold it, and put back if the change fails;
 * {@code keeping}, under {@code order}.
 * <b>Proved by</b>: LogChangeTest, PowerLossTest.
 */
final class LogChanges {
    private final LogParts parts;
    private final Map<String, CompletableFuture<TopicLog>> topics;
    private final Map<String, Long> ids;
    private final Object order;
    private final TopicNames told;
    /** The topics that are kept once changes that are under way are durable, and how many of these there are. */
    private final Map<Long, Integer> keeping = new HashMap<>(0);

    LogChanges(LogParts parts, Names names, TopicNames told) {
        this.parts = parts;
        this.topics = names.topics();
        this.ids = names.ids();
        this.order = names.order();
        this.told = told;
    }

    /** The topics in use and all that there are, by name, and what is held while a name is taken or given up. */
    record Names(Map<String, CompletableFuture<TopicLog>> topics, Map<String, Long> ids, Object order) {}

    /** What became of names, to be told or taken back, and the topics that are kept. */
    private record Moved(Map<String, Long> made, Map<String, Long> gone, List<Long> kept) {}

    CompletionStage<Void> make(LogChange change, @Nullable UnreadableTopic unnamed) {
        boolean isTaken = change.adds()
                ? parts.status().state() == LogState.OPEN
                : parts.status().takesDeltas();
        if (!isTaken) {
            return CompletableFuture.failedFuture(parts.status().unavailable());
        }
        if (unnamed != null && change.makesTopics()) {
            return CompletableFuture.failedFuture(unnamed.refusal());
        }
        parts.folder().config().requireFits("a change of many topics", Frame.recordBytes(change.bytes()));
        synchronized (order) {
            return makeInOrder(change);
        }
    }

    private CompletionStage<Void> makeInOrder(LogChange change) {
        Moved moved = new Moved(new LinkedHashMap<>(), new LinkedHashMap<>(), new ArrayList<>());
        CatalogChange batch;
        try {
            batch = LogBatch.of(steps(change, moved));
        } catch (LogUnavailableException inUse) {
            takeBack(moved);
            return CompletableFuture.failedFuture(inUse);
        } catch (RuntimeException | Error failure) {
            takeBack(moved);
            throw failure;
        }
        return queue(batch, moved);
    }

    private List<CatalogChange> steps(LogChange change, Moved moved) {
        List<CatalogChange> steps = new ArrayList<>();
        for (LogChange.Step step : change.steps()) {
            if (!add(step, steps, moved)) {
                throw new LogUnavailableException(
                        "The topic " + step.name() + " is in use or cannot be read: nothing was changed.", null);
            }
        }
        return steps;
    }

    private CompletionStage<Void> queue(CatalogChange batch, Moved moved) {
        moved.kept().forEach(id -> keeping.merge(id, 1, Integer::sum));
        CompletableFuture<Void> done = new CompletableFuture<>();
        CompletableFuture<Void> unused = done.whenComplete((applied, failure) -> {
            forget(moved.kept());
            if (failure != null) {
                takeBack(moved);
            }
        });
        parts.journal().queue().offer(new AwaitedRecord(batch, done, () -> {
            moved.gone().keySet().forEach(told::gone);
            moved.made().keySet().forEach(told::made);
            done.complete(null);
        }));
        return done;
    }

    /** Whether a change that is under way keeps that topic, which may hold nothing; for a caller that holds the order. */
    boolean isKeeping(long id) {
        return keeping.containsKey(id);
    }

    private void forget(List<Long> kept) {
        synchronized (order) {
            kept.forEach(id -> keeping.computeIfPresent(id, (same, count) -> count == 1 ? null : count - 1));
        }
    }

    /**
     * Changes topics that are in use by the caller alone, together.
     *
     * @param taken is told of each topic once the change fits, before it is queued
     */
    CompletionStage<Void> alter(
            List<TopicLog> altered, Function<TopicLog, List<CatalogChange>> change, Consumer<TopicLog> taken) {
        if (!parts.status().takesDeltas()) {
            return CompletableFuture.failedFuture(parts.status().unavailable());
        }
        CatalogChange batch = LogBatch.of(
                altered.stream().flatMap(topic -> change.apply(topic).stream()).toList());
        parts.folder().config().requireFits("a change of many topics", Frame.recordBytes(batch.body().length));
        altered.forEach(taken);
        CompletableFuture<Void> done = new CompletableFuture<>();
        parts.journal().queue().offer(new AwaitedRecord(batch, done, () -> done.complete(null)));
        return done;
    }

    /** Changes cursors together; those that are not there as a step wants them stay as they are. */
    CompletionStage<Void> make(CursorChange change) {
        if (!parts.status().takesDeltas()) {
            return CompletableFuture.failedFuture(parts.status().unavailable());
        }
        parts.folder().config().requireFits("a change of many subscriptions", Frame.recordBytes(change.bytes()));
        CompletableFuture<Void> done = new CompletableFuture<>();
        synchronized (parts.journal().cursorOrder()) {
            List<CatalogChange> steps = new ArrayList<>();
            for (CursorChange.Step step : change.steps()) {
                steps.addAll(step.topic().cursors().take(step));
            }
            parts.journal().queue().offer(new AwaitedRecord(LogBatch.of(steps), done, () -> done.complete(null)));
        }
        return done;
    }

    /** Adds what the step changes; false if its topic cannot be changed now. */
    private boolean add(LogChange.Step step, List<CatalogChange> steps, Moved moved) {
        if (step instanceof LogChange.SetValue set) {
            steps.add(CatalogChange.valueSet(set.name(), set.value()));
            return true;
        }
        if (step instanceof LogChange.RemoveValue remove) {
            steps.add(CatalogChange.valueRemoved(remove.name()));
            return true;
        }
        if (step instanceof LogChange.KeepTopic kept) {
            keep(kept, steps, moved);
            return true;
        }
        return delete(step.name(), steps, moved);
    }

    private void keep(LogChange.KeepTopic kept, List<CatalogChange> steps, Moved moved) {
        String name = kept.name();
        long next = parts.ids().topic().getAndIncrement();
        Long known = ids.putIfAbsent(name, next);
        if (known == null) {
            moved.made().put(name, next);
            steps.add(CatalogChange.topicCreated(next, name, System.currentTimeMillis()));
            for (LogChange.NewCursor cursor : kept.cursors()) {
                long cursorId = parts.ids().cursor().getAndIncrement();
                steps.add(CatalogChange.cursorCreated(next, cursorId, cursor.creation()));
                if (cursor.properties().length > 0) {
                    steps.add(CatalogChange.cursorProperties(next, cursorId, cursor.properties()));
                }
            }
        }
        long id = known == null ? next : known;
        moved.kept().add(id);
        steps.add(CatalogChange.topicProperty(id, LogBatch.KEPT));
    }

    private boolean delete(String name, List<CatalogChange> steps, Moved moved) {
        CompletableFuture<TopicLog> user = topics.computeIfAbsent(name, unused -> {
            Long id = ids.remove(name);
            if (id != null) {
                moved.gone().put(name, id);
                steps.add(CatalogChange.topicDeleted(id));
            }
            return null;
        });
        return user == null;
    }

    private void takeBack(Moved moved) {
        moved.made().forEach((name, id) -> {
            if (ids.remove(name, id)) {
                told.gone(name);
            }
        });
        moved.gone().forEach(ids::putIfAbsent);
    }
}
