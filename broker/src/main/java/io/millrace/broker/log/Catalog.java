package io.millrace.broker.log;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is durable, apart from the entries themselves: topics, their ledgers and cursors. Owned by recovery, then by the
 * ledger writer; the same records give the same catalog in both.
 */
final class Catalog {
    private final Map<Long, TopicLog> topics = new LinkedHashMap<>();
    private final Map<Long, Ledger> ledgers = new HashMap<>();
    private final List<UnreadableTopic> unreadable = new ArrayList<>();
    private final LogParts.Ids ids;
    private final BiFunction<Long, String, TopicLog> topicFactory;
    private final Consumer<Ledger> deletion;

    /** Gets its topics from the factory and reports each ledger that is no more. */
    Catalog(LogParts.Ids ids, BiFunction<Long, String, TopicLog> topicFactory, Consumer<Ledger> deletion) {
        this.ids = ids;
        this.topicFactory = topicFactory;
        this.deletion = deletion;
    }

    Iterable<TopicLog> topics() {
        return topics.values();
    }

    /** All ledgers that are durable, of all topics. */
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

    /** How many there are, readable or not. */
    int topicCount() {
        return topics.size() + unreadable.size();
    }

    @Nullable
    TopicLog topic(long id) {
        return topics.get(id);
    }

    @Nullable
    Ledger ledger(long id) {
        return ledgers.get(id);
    }

    /** The ledgers of that topic that are durable, ascending. */
    Iterable<Ledger> ledgersOf(TopicLog topic) {
        return java.util.Arrays.stream(topic.table().ledgers())
                .filter(ledger -> ledgers.get(ledger.id) == ledger)
                .toList();
    }

    TopicLog addTopic(long id, String name) {
        raise(ids.topic(), id);
        return topics.computeIfAbsent(id, unknown -> topicFactory.apply(id, name));
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

    /** Applies a durable record; one about a topic or ledger that is no more changes nothing. */
    void apply(byte type, long id, long index, byte[] body) {
        switch (type) {
            case Frame.TOPIC_CREATED -> addTopic(id, new String(body, StandardCharsets.UTF_8));
            case Frame.TOPIC_DELETED -> deleteTopic(id);
            case Frame.LEDGER_OPENED -> openLedger(id, index);
            case Frame.LEDGER_DELETED -> deleteLedger(ledgers.get(id));
            case Frame.CURSOR_CREATED, Frame.CURSOR_DELETED, Frame.CURSOR_DELTA -> applyToCursor(type, id, index, body);
            default -> throw new IllegalStateException("unknown kind of record: " + type);
        }
    }

    private void applyToCursor(byte type, long topicId, long cursorId, byte[] body) {
        raiseCursorId(cursorId);
        TopicLog topic = topics.get(topicId);
        if (topic != null) {
            topic.cursors().apply(type, cursorId, body);
        }
    }

    private void openLedger(long ledgerId, long topicId) {
        TopicLog topic = topics.get(topicId);
        raise(ids.ledger(), ledgerId);
        if (topic != null) {
            addLedger(topic, ledgerId);
        }
    }

    private void deleteTopic(long id) {
        TopicLog topic = topics.remove(id);
        if (topic != null) {
            topic.setDeleted();
            for (Ledger ledger : topic.table().ledgers()) {
                deleteLedger(ledger);
            }
        }
    }

    private void deleteLedger(@Nullable Ledger ledger) {
        if (ledger != null) {
            ledgers.remove(ledger.id);
            ledger.deleted = true;
            ledger.topic.remove(ledger);
            deletion.accept(ledger);
        }
    }
}
