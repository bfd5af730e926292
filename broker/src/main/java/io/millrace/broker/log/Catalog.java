package io.millrace.broker.log;

import io.netty.util.collection.LongObjectHashMap;
import io.netty.util.collection.LongObjectMap;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is durable, apart from the entries themselves: topics, their ledgers and cursors, and values. Owned by recovery, then by the
 * ledger writer; the same records give the same catalog in both. A topic that nobody uses is packed; whatever concerns
 * it unpacks it.
 *
 * <pre>
 *   absent -> packed         when recovery reads it from a snapshot
 *   absent, packed -> left   when a record or an entry concerns it, or it is opened
 *   left   -> in use         when it is opened
 *   in use -> left           when its user closes it
 *   left   -> packed         when all its entries have their places in files, and there are enough such topics
 * </pre>
 */
final class Catalog {
    private final Map<Long, TopicLog> topics = new LinkedHashMap<>();
    private final LongObjectMap<PackedTopic> packed = new LongObjectHashMap<>();
    private final Map<Long, Ledger> ledgers = new HashMap<>();
    /** For recovery, which knows only the ledgers of entries: the ledgers that may grow, and their packed topics. */
    private @Nullable LongObjectMap<PackedTopic> growing = new LongObjectHashMap<>();

    /** What all packed topics take, and the properties of cursors of the others; any thread may read it. */
    private final AtomicLong packedBytes = new AtomicLong();

    private final Set<TopicLog> left = new LinkedHashSet<>();
    private final LogValues values = new LogValues();
    private final List<UnreadableTopic> unreadable = new ArrayList<>();
    private final LogIds ids;
    private final BiFunction<Long, String, TopicLog> topicFactory;
    private final Consumer<Ledger> deletion;

    /** Gets its topics from the factory and reports each ledger that is deleted. */
    Catalog(LogIds ids, BiFunction<Long, String, TopicLog> topicFactory, Consumer<Ledger> deletion) {
        this.ids = ids;
        this.topicFactory = topicFactory;
        this.deletion = deletion;
    }

    /**
     * Visits each topic, of the packed ones those that are wanted; they are unpacked only for the visit, so changes that the
     * visitor makes to them are lost.
     */
    void forEachTopic(Predicate<PackedTopic> wanted, Consumer<TopicLog> visitor) {
        List.copyOf(topics.values()).forEach(visitor);
        packed.values().stream().filter(wanted).forEach(topic -> visitor.accept(copy(topic)));
    }

    /** The topics that are not packed. */
    Collection<TopicLog> unpackedTopics() {
        return topics.values();
    }

    Collection<PackedTopic> packedTopics() {
        return packed.values();
    }

    /** What the packed topics, the properties of cursors and the values take of the heap; for any thread. */
    long packedBytes() {
        return packedBytes.get() + values.heapBytes();
    }

    /** The values that the log keeps beside its topics. */
    LogValues values() {
        return values;
    }

    /** All ledgers that are durable, of all topics that are not packed. */
    Collection<Ledger> ledgers() {
        return ledgers.values();
    }

    /** The topics that the snapshot holds damaged. */
    List<UnreadableTopic> unreadable() {
        return unreadable;
    }

    void addUnreadable(UnreadableTopic topic) {
        unreadable.add(topic);
    }

    /** The number of topics and values, readable or not: each has a section in the snapshot. */
    int sectionCount() {
        return topics.size() + packed.size() + values.count() + unreadable.size();
    }

    /** The topic of that id, unpacked; null if there is none. */
    @Nullable
    TopicLog topic(long id) {
        TopicLog topic = topics.get(id);
        PackedTopic stored = topic == null ? packed.remove(id) : null;
        return stored == null ? topic : unpack(stored);
    }

    /** The topic of that id as it is now; one that is packed is unpacked only for the caller to look at. */
    @Nullable
    TopicLog look(long id) {
        TopicLog topic = topics.get(id);
        PackedTopic stored = topic == null ? packed.get(id) : null;
        return stored == null ? topic : copy(stored);
    }

    private TopicLog copy(PackedTopic stored) {
        TopicLog copy = SnapshotBody.unpack(stored, topicFactory);
        copy.setCopy();
        return copy;
    }

    private TopicLog unpack(PackedTopic stored) {
        TopicLog topic = SnapshotBody.unpack(stored, topicFactory);
        packedBytes.addAndGet(topic.cursors().propertyBytes() - stored.heapBytes());
        topics.put(topic.id(), topic);
        for (Ledger ledger : topic.table().ledgers()) {
            ledgers.put(ledger.id, ledger);
        }
        left.add(topic);
        return topic;
    }

    /** Unpacks every topic, for a caller that changes many. */
    void unpackAll() {
        packed.keySet().stream().sorted().toList().forEach(this::topic);
    }

    /** The ledger of that id, or null; at recovery also one of a packed topic. */
    @Nullable
    Ledger ledger(long id) {
        Ledger ledger = ledgers.get(id);
        PackedTopic owner = ledger == null && growing != null ? growing.get(id) : null;
        if (owner != null) {
            topic(owner.id());
        }
        return owner == null ? ledger : ledgers.get(id);
    }

    /** The ledgers of that topic that are durable, ascending. */
    Iterable<Ledger> ledgersOf(TopicLog topic) {
        return java.util.Arrays.stream(topic.table().ledgers())
                .filter(ledger -> ledgers.get(ledger.id) == ledger)
                .toList();
    }

    /** The topic is in use from now on: it is not packed. */
    void use(TopicLog topic) {
        left.remove(topic);
    }

    /** Nobody uses the topic any more. */
    void leave(TopicLog topic) {
        if (topics.get(topic.id()) == topic) {
            left.add(topic);
        }
    }

    /** Whether somebody has opened that very object and not left it. */
    boolean isInUse(TopicLog topic) {
        return topics.get(topic.id()) == topic && !left.contains(topic);
    }

    boolean isLeft(TopicLog topic) {
        return left.contains(topic);
    }

    int leftCount() {
        return left.size();
    }

    /** Packs the topics that nobody uses, except those with something under way. */
    void packLeft() {
        left.stream().filter(TopicLog::isSettled).forEach(this::pack);
        left.removeIf(TopicLog::isPacked);
    }

    private void pack(TopicLog topic) {
        PackedTopic stored = SnapshotBody.pack(topic);
        for (Ledger ledger : topic.table().ledgers()) {
            ledgers.remove(ledger.id);
        }
        topics.remove(topic.id());
        packed.put(stored.id(), stored);
        packedBytes.addAndGet(stored.heapBytes() - topic.cursors().propertyBytes());
        noteGrowing(stored, topic);
        topic.setPacked();
    }

    private void noteGrowing(PackedTopic stored, TopicLog topic) {
        Ledger last = topic.table().last();
        if (growing != null && last != null) {
            growing.put(last.id, stored);
        }
    }

    /** Reports all ledgers that a snapshot held; before the records after it are applied. */
    void adopt(Consumer<Ledger> visitor) {
        ledgers.values().forEach(visitor);
        for (PackedTopic stored : packed.values()) {
            TopicLog topic = SnapshotBody.unpack(stored, topicFactory);
            List.of(topic.table().ledgers()).forEach(visitor);
            noteGrowing(stored, topic);
        }
    }

    /** Every record of earlier runs was applied: from now on entries come with their ledgers. */
    void recovered() {
        growing = null;
        for (TopicLog topic : topics.values()) {
            topic.cursors().nameRecovered();
            topic.countRecovered();
        }
    }

    void addPacked(PackedTopic topic) {
        raise(ids.topic(), topic.id());
        PackedTopic known = packed.put(topic.id(), topic);
        packedBytes.addAndGet(topic.heapBytes() - (known == null ? 0 : known.heapBytes()));
    }

    TopicLog addTopic(long id, String name) {
        raise(ids.topic(), id);
        TopicLog known = topic(id);
        if (known != null) {
            return known;
        }
        TopicLog added = topicFactory.apply(id, name);
        topics.put(id, added);
        left.add(added);
        return added;
    }

    Ledger addLedger(TopicLog topic, long ledgerId) {
        raise(ids.ledger(), ledgerId);
        return ledgers.computeIfAbsent(ledgerId, unknown -> topic.ledgerOpened(ledgerId));
    }

    void raiseCursorId(long id) {
        raise(ids.cursor(), id);
    }

    private static void raise(AtomicLong next, long taken) {
        next.accumulateAndGet(taken + 1, Math::max);
    }

    /** Applies a durable record; one about a deleted topic or ledger changes nothing. */
    void apply(CatalogChange change) {
        byte type = change.type();
        long id = change.id();
        long index = change.index();
        byte[] body = change.body();
        switch (type) {
            case Frame.TOPIC_CREATED ->
                addTopic(id, new String(body, StandardCharsets.UTF_8)).times().created(index);
            case Frame.TOPIC_DELETED -> deleteTopic(id);
            case Frame.LEDGER_OPENED -> openLedger(id, index, body);
            case Frame.TOPIC_PROPERTY -> setProperty(id, body);
            case Frame.VALUE_SET -> values.set(body);
            case Frame.VALUE_REMOVED -> values.remove(body);
            case Frame.BATCH -> LogBatch.forEach(body, this::applyOfBatch);
            case Frame.LEDGER_DELETED -> deleteLedger(id, index);
            case Frame.CURSOR_CREATED -> createCursor(change);
            case Frame.CURSOR_DELTA -> applyToCursor(type, id, index, body);
            case Frame.CURSOR_DELETED, Frame.CURSOR_PROPERTIES -> {
                long before = propertyBytes(id);
                applyToCursor(type, id, index, body);
                packedBytes.addAndGet(propertyBytes(id) - before);
            }
            default -> throw new IllegalStateException("unknown kind of record: " + type);
        }
    }

    private long propertyBytes(long topicId) {
        TopicLog topic = topic(topicId);
        return topic == null ? 0 : topic.cursors().propertyBytes();
    }

    /** A cursor that is made in a batch is named then, unless it was when the batch was queued. */
    private void applyOfBatch(CatalogChange change) {
        apply(change);
        TopicLog topic = change.type() == Frame.CURSOR_CREATED ? topic(change.id()) : null;
        if (topic != null) {
            topic.cursors().nameNew(change.index());
        }
    }

    /** Whoever queued it may not have known the topic as it is now: a cursor that is there is not made again. */
    private void createCursor(CatalogChange change) {
        TopicLog topic = topic(change.id());
        if (topic != null && topic.cursors().isThere(change.index(), change.body())) {
            raiseCursorId(change.index());
        } else {
            applyToCursor(change.type(), change.id(), change.index(), change.body());
        }
    }

    private void applyToCursor(byte type, long topicId, long cursorId, byte[] body) {
        raiseCursorId(cursorId);
        TopicLog topic = topic(topicId);
        if (topic != null) {
            topic.cursors().apply(type, cursorId, body);
        }
    }

    private void setProperty(long topicId, byte[] body) {
        TopicLog topic = topic(topicId);
        if (topic != null) {
            topic.properties().apply(body);
        }
    }

    private void openLedger(long ledgerId, long topicId, byte[] openedMillis) {
        TopicLog topic = topic(topicId);
        raise(ids.ledger(), ledgerId);
        if (topic != null) {
            long millis =
                    openedMillis.length == 0 ? 0 : ByteBuffer.wrap(openedMillis).getLong();
            addLedger(topic, ledgerId).setOpenedMillis(millis);
            topic.times().ledgerOpened(millis);
        }
    }

    private void deleteTopic(long id) {
        TopicLog topic = topic(id);
        if (topic != null) {
            topics.remove(id);
            left.remove(topic);
            packedBytes.addAndGet(-topic.cursors().propertyBytes());
            topic.setDeleted();
            for (Ledger ledger : topic.table().ledgers()) {
                delete(ledger);
            }
        }
    }

    private void deleteLedger(long ledgerId, long topicId) {
        topic(topicId);
        Ledger ledger = ledger(ledgerId);
        if (ledger != null) {
            delete(ledger);
        }
    }

    private void delete(Ledger ledger) {
        ledgers.remove(ledger.id);
        ledger.deleted = true;
        ledger.topic.remove(ledger);
        deletion.accept(ledger);
    }
}
