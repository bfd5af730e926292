package io.millrace.broker.log;

import io.millrace.broker.log.JournalItem.AwaitedRecord;
import io.millrace.broker.log.JournalItem.Barrier;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The cursors of one topic.
 *
 * <p><b>Threads</b>: anyone opens and deletes, the ledger writer applies what is durable. <b>Owned</b>: {@code images},
 * the durable states, {@code durableIds}, {@code propertyBytes}, {@code passedLedger} and {@code lagging}, by the ledger writer. <b>Shared</b>: {@code ids}, {@code leaving} and {@code open}, under this monitor;
 * whoever queues a record of what they say holds the log's order of cursors around both. <b>States</b>
 * of a cursor: named -> durable when its record was forced and applied; named -> gone when deleted. <b>Proved by</b>:
 * ReopenTest, PowerLossTest.
 */
final class TopicCursors {
    /** The durable state of a cursor, with its encoded properties, which nobody changes. */
    @SuppressWarnings("ArrayRecordComponent")
    record Image(String name, CursorState state, byte[] properties) {}

    private static final int POSITION_BYTES = 16;

    /** How many cursors one record moves at most. */
    private static final int MAX_MOVES = 1_000;

    private final LogParts parts;
    private final long topicId;
    private final TopicLog topic;
    private final Map<Long, Image> images = new TreeMap<>();
    /** The ids of {@code images} by name, also of those that {@code ids} does not name. */
    private final Map<String, Long> durableIds = new HashMap<>();

    private long propertyBytes;
    /** What {@link #hasPassedLedger} says. */
    private boolean passedLedger;
    /** The id of a cursor that was behind others when somebody looked, most likely still; for the ledger writer. */
    private long lagging;

    private final Map<String, Long> ids = new HashMap<>();
    /** Those that have no name any more, until that is durable. */
    private final Set<Long> leaving = new HashSet<>(0);

    private final Map<String, CursorLog> open = new HashMap<>();

    TopicCursors(LogParts parts, long topicId, TopicLog topic) {
        this.parts = parts;
        this.topicId = topicId;
        this.topic = topic;
    }

    synchronized Collection<String> names() {
        return List.copyOf(ids.keySet());
    }

    synchronized boolean isEmpty() {
        return ids.isEmpty();
    }

    synchronized boolean has(String name) {
        return ids.containsKey(name);
    }

    /** How many there are, and of these names that are none. */
    synchronized int countWith(Collection<String> others) {
        int count = ids.size();
        for (String name : others) {
            count += ids.containsKey(name) ? 0 : 1;
        }
        return count;
    }

    CompletionStage<CursorLog> open(String name, Position initialMarkDelete, Map<String, String> properties) {
        synchronized (parts.journal().cursorOrder()) {
            return openInOrder(name, initialMarkDelete, properties);
        }
    }

    private synchronized CompletionStage<CursorLog> openInOrder(
            String name, Position initialMarkDelete, Map<String, String> properties) {
        if (!parts.status().takesDeltas()) {
            return CompletableFuture.failedFuture(parts.status().unavailable());
        }
        LogParts.requireName(name);
        byte[] body = creation(name, initialMarkDelete);
        byte[] texts = CursorProperties.encode(properties);
        int bytes = body.length + (texts.length == 0 ? 0 : texts.length + 2 * LogBatch.STEP_HEAD_BYTES);
        parts.folder().config().requireFits("the name of a subscription, or its properties", Frame.recordBytes(bytes));
        CompletableFuture<CursorLog> opened = new CompletableFuture<>();
        Long known = ids.get(name);
        if (known == null) {
            long id = parts.ids().cursor().getAndIncrement();
            ids.put(name, id);
            List<CatalogChange> steps = creation(topicId, id, body, texts);
            CatalogChange created = steps.size() == 1 ? steps.get(0) : LogBatch.of(steps);
            parts.journal().queue().offer(new AwaitedRecord(created, opened, () -> complete(opened, id, name)));
        } else {
            openOnceDurable(opened, known, name);
        }
        return opened;
    }

    private void openOnceDurable(CompletableFuture<CursorLog> opened, long id, String name) {
        parts.journal().queue().offer(new Barrier(opened, () -> complete(opened, id, name)));
    }

    /** Opens one that is there; fails if it is not. */
    CompletionStage<CursorLog> reopen(String name) {
        CompletableFuture<CursorLog> opened = new CompletableFuture<>();
        synchronized (parts.journal().cursorOrder()) {
            Long id = idOf(name);
            if (!parts.status().takesDeltas()) {
                opened.completeExceptionally(parts.status().unavailable());
            } else if (id == null) {
                opened.completeExceptionally(deletedMeanwhile(name));
            } else {
                openOnceDurable(opened, id, name);
            }
        }
        return opened;
    }

    private synchronized @Nullable Long idOf(String name) {
        return ids.get(name);
    }

    private static IllegalStateException deletedMeanwhile(String name) {
        return new IllegalStateException("the cursor " + name + " was deleted meanwhile");
    }

    private static List<CatalogChange> creation(long topicId, long id, byte[] body, byte[] texts) {
        CatalogChange created = CatalogChange.cursorCreated(topicId, id, body);
        return texts.length == 0
                ? List.of(created)
                : List.of(created, CatalogChange.cursorProperties(topicId, id, texts));
    }

    /** Replaces the properties of a cursor; done when that is durable, and false if there is no such cursor. */
    CompletionStage<Boolean> setProperties(String name, Map<String, String> properties) {
        synchronized (parts.journal().cursorOrder()) {
            return setInOrder(name, properties);
        }
    }

    private synchronized CompletionStage<Boolean> setInOrder(String name, Map<String, String> properties) {
        if (!parts.status().takesDeltas()) {
            return CompletableFuture.failedFuture(parts.status().unavailable());
        }
        Long id = ids.get(name);
        if (id == null) {
            return CompletableFuture.completedFuture(false);
        }
        byte[] texts = CursorProperties.encode(properties);
        parts.folder().config().requireFits("the properties of a subscription", Frame.recordBytes(texts.length));
        CompletableFuture<Boolean> set = new CompletableFuture<>();
        CatalogChange change = CatalogChange.cursorProperties(topicId, id, texts);
        parts.journal().queue().offer(new AwaitedRecord(change, set, () -> set.complete(true)));
        return set;
    }

    /** Drops all references to the users of cursors, which have finished with them. */
    synchronized void forgetOpened() {
        open.clear();
    }

    private void complete(CompletableFuture<CursorLog> opened, long namedId, String name) {
        long id = images.containsKey(namedId) ? namedId : idNow(name, namedId);
        Image image = images.get(id);
        if (image == null) {
            opened.completeExceptionally(deletedMeanwhile(name));
            return;
        }
        CursorLog cursor = new CursorLog(parts, topicId, id, name, image.state().copy());
        synchronized (this) {
            open.put(name, cursor);
        }
        opened.complete(cursor);
    }

    private synchronized long idNow(String name, long before) {
        return ids.getOrDefault(name, before);
    }

    CompletionStage<Void> delete(String name) {
        synchronized (parts.journal().cursorOrder()) {
            return deleteInOrder(name);
        }
    }

    private synchronized CompletionStage<Void> deleteInOrder(String name) {
        if (!parts.status().takesDeltas()) {
            return CompletableFuture.failedFuture(parts.status().unavailable());
        }
        CompletableFuture<Void> deleted = new CompletableFuture<>();
        Long id = ids.get(name);
        if (id == null) {
            deleted.complete(null);
        } else {
            CatalogChange change = deletion(name, id);
            parts.journal().queue().offer(new AwaitedRecord(change, deleted, () -> deleted.complete(null)));
        }
        return deleted;
    }

    private CatalogChange deletion(String name, long id) {
        ids.remove(name);
        open.remove(name);
        leaving.add(id);
        return CatalogChange.cursorDeleted(topicId, id);
    }

    /**
     * What the step changes, names being as it wants them from now on; for a caller that holds the log's order of cursors
     * and queues it.
     */
    synchronized List<CatalogChange> take(CursorChange.Step step) {
        Long id = ids.get(step.name());
        if (step instanceof CursorChange.Create create) {
            return id == null ? created(create) : List.of();
        }
        if (id == null) {
            return List.of();
        }
        if (step instanceof CursorChange.Move move) {
            return List.of(CatalogChange.cursorDelta(topicId, id, DeltaCodec.encode(move.delta())));
        }
        if (step instanceof CursorChange.Describe described) {
            byte[] texts = CursorProperties.encode(described.properties());
            return List.of(CatalogChange.cursorProperties(topicId, id, texts));
        }
        return List.of(deletion(step.name(), id));
    }

    /**
     * Acknowledges everything up to and with a position on each of these cursors, of those that are there; done when that is
     * durable.
     */
    CompletionStage<Void> pass(Map<String, Position> last) {
        Map<String, CursorDelta> each = new HashMap<>();
        last.forEach((name, position) -> each.put(name, new CursorDelta.AckUpTo(position)));
        return move(each);
    }

    /** Changes each of these cursors, of those that are there; done when that is durable. */
    CompletionStage<Void> move(Map<String, CursorDelta> deltas) {
        if (!parts.status().takesDeltas()) {
            return CompletableFuture.failedFuture(parts.status().unavailable());
        }
        CompletableFuture<Void> done = new CompletableFuture<>();
        synchronized (parts.journal().cursorOrder()) {
            List<CatalogChange> moves = new ArrayList<>();
            deltas.forEach((name, delta) -> moves.addAll(take(new CursorChange.Move(topic, name, delta))));
            for (int from = 0; from < moves.size(); from += MAX_MOVES) {
                CatalogChange some = LogBatch.of(moves.subList(from, Math.min(moves.size(), from + MAX_MOVES)));
                parts.journal().queue().offer(new AwaitedRecord(some, done, () -> {}));
            }
            parts.journal().queue().offer(new Barrier(done, () -> done.complete(null)));
        }
        return done;
    }

    /** Where the last of so many entries is that a cursor has not acknowledged, for each that is there. */
    CompletionStage<Map<String, Position>> unacked(Map<String, Long> counts) {
        CompletableFuture<Map<String, Position>> answer = new CompletableFuture<>();
        parts.journal().queue().offer(new Barrier(answer, () -> {
            Map<String, Position> last = new HashMap<>();
            for (Image image : images.values()) {
                Long count = counts.get(image.name());
                if (count != null) {
                    last.put(image.name(), image.state().unacked(count, topic.lastDurable()));
                }
            }
            answer.complete(last);
        }));
        return answer;
    }

    private List<CatalogChange> created(CursorChange.Create create) {
        long id = parts.ids().cursor().getAndIncrement();
        ids.put(create.name(), id);
        byte[] body = creation(create.name(), create.markDelete());
        return creation(topicId, id, body, CursorProperties.encode(create.properties()));
    }

    /** What moves every cursor right behind that position. */
    synchronized List<CatalogChange> passAll(Position last) {
        byte[] delta = DeltaCodec.encode(new CursorDelta.Reset(last));
        return ids.values().stream()
                .map(id -> CatalogChange.cursorDelta(topicId, id, delta))
                .toList();
    }

    /** A cursor that was made together with others may have had no user who named it. */
    synchronized void nameNew(long id) {
        Image image = images.get(id);
        if (image != null && !leaving.contains(id)) {
            ids.putIfAbsent(image.name(), id);
        }
    }

    /** Whether there is a cursor of the name that the record of a new one has: the new one is that one then. */
    synchronized boolean isThere(long id, byte[] creation) {
        String name = name(creation);
        Long known = durableIds.get(name);
        if (known != null) {
            ids.replace(name, id, known);
        }
        return known != null;
    }

    /** One that is gone has no name, if it was named while its deletion was under way. */
    private synchronized void forgetName(Image gone, long id) {
        ids.remove(gone.name(), id);
        leaving.remove(id);
    }

    /** The body of the record of a new cursor. */
    static byte[] creation(String name, Position markDelete) {
        byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(POSITION_BYTES + nameBytes.length)
                .putLong(markDelete.ledgerId())
                .putLong(markDelete.entryId())
                .put(nameBytes)
                .array();
    }

    private static String name(byte[] creation) {
        return new String(creation, POSITION_BYTES, creation.length - POSITION_BYTES, StandardCharsets.UTF_8);
    }

    /** Applies a durable record; for the ledger writer and recovery. */
    void apply(byte type, long id, byte[] body) {
        if (type == Frame.CURSOR_CREATED) {
            ByteBuffer bytes = ByteBuffer.wrap(body);
            Position markDelete = new Position(bytes.getLong(), bytes.getLong());
            restore(id, new Image(name(body), new CursorState(topic, markDelete), CursorProperties.NONE));
        } else if (type == Frame.CURSOR_DELETED) {
            Image gone = images.remove(id);
            if (gone != null) {
                durableIds.remove(gone.name(), id);
                forgetName(gone, id);
            }
            propertyBytes -= gone == null ? 0 : gone.properties().length;
        } else if (type == Frame.CURSOR_PROPERTIES) {
            images.computeIfPresent(id, (same, image) -> {
                propertyBytes += body.length - image.properties().length;
                return new Image(image.name(), image.state(), body);
            });
        } else {
            Image image = images.get(id);
            if (image != null) {
                long ledgerBefore = image.state().markLedger();
                image.state().apply(DeltaCodec.decode(body));
                passedLedger |= image.state().markLedger() != ledgerBefore || isAtEnd(image.state());
            }
        }
    }

    private boolean isAtEnd(CursorState state) {
        return state.markEntry() >= topic.lastEntryOf(state.markLedger()) && !topic.isOpen(state.markLedger());
    }

    /**
     * Whether a delta since the last time has moved a mark to the end of a ledger that takes no more entries, or into
     * another ledger; for the ledger writer.
     */
    boolean hasPassedLedger() {
        boolean hasPassed = passedLedger;
        passedLedger = false;
        return hasPassed;
    }

    /** What the properties of all cursors take, in bytes. */
    long propertyBytes() {
        return propertyBytes;
    }

    /** Writes the properties of the cursors that have some; nothing if none has. */
    void writeProperties(DataOutputStream out) throws IOException {
        int count = (int) images.values().stream()
                .filter(image -> image.properties().length > 0)
                .count();
        if (count > 0) {
            out.writeInt(count);
            for (Map.Entry<Long, Image> image : images.entrySet()) {
                byte[] properties = image.getValue().properties();
                if (properties.length > 0) {
                    out.writeLong(image.getKey());
                    out.writeInt(properties.length);
                    out.write(properties);
                }
            }
        }
    }

    /** Reads what {@link #writeProperties} has written, to the end. */
    void readProperties(DataInputStream in) throws IOException {
        for (int left = in.available() == 0 ? 0 : in.readInt(); left > 0; left--) {
            long id = in.readLong();
            byte[] properties = new byte[in.readInt()];
            in.readFully(properties);
            apply(Frame.CURSOR_PROPERTIES, id, properties);
        }
    }

    /** Has a durable cursor. */
    void restore(long id, Image image) {
        images.put(id, image);
        durableIds.put(image.name(), id);
    }

    /** Registers the names of the recovered cursors, and no others; before any other thread sees this topic. */
    synchronized void nameRecovered() {
        ids.clear();
        images.forEach((id, image) -> ids.put(image.name(), id));
    }

    Map<Long, Image> images() {
        return images;
    }

    /** The position that every cursor has passed, or null if there is no cursor; for the ledger writer. */
    @Nullable
    Position slowestMark() {
        Position slowest = null;
        for (Image image : images.values()) {
            Position mark = image.state().markDelete();
            if (slowest == null || mark.isBefore(slowest)) {
                slowest = mark;
            }
        }
        return slowest;
    }

    /** Whether some cursor has not passed that position; for the ledger writer. */
    boolean isAnyBefore(Position position) {
        Image known = images.get(lagging);
        if (known != null && known.state().markDelete().isBefore(position)) {
            return true;
        }
        for (Map.Entry<Long, Image> image : images.entrySet()) {
            if (image.getValue().state().markDelete().isBefore(position)) {
                lagging = image.getKey();
                return true;
            }
        }
        return false;
    }

    synchronized void notifyFailed(Throwable cause) {
        open.values().forEach(cursor -> cursor.notifyFailed(cause));
    }
}
