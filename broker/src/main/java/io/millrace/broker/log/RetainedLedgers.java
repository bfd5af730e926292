package io.millrace.broker.log;

import io.millrace.broker.log.JournalItem.Barrier;
import io.millrace.broker.log.LogRetention.Kept;
import io.millrace.broker.memory.OutOfMemory;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Which ledgers are kept though every subscription has acknowledged them. A ledger's age counts from when the
 * broker opened the next one, of the last ledger from its last message. An earlier version did not say when: then the publish time
 * of the last message is read once, by another thread, when it matters.
 *
 * <p><b>Threads</b>: the ledger writer, but for {@link #by}. <b>Shared</b>: {@code retention}, volatile. <b>Proved by</b>:
 * LedgerRetentionTest.
 */
final class RetainedLedgers {
    private static final long ASKED = Long.MAX_VALUE;
    private static final int REMEMBERED = 10_000;
    private static final int MAX_ASKED = 64;

    private final LogParts parts;
    /** When the last message was published, of ledgers that were asked for that; never ahead of then. */
    private final Map<Long, Long> lastMillis = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
            return size() > REMEMBERED;
        }
    };

    /** How many ledgers are being asked for that. */
    private int asked;
    /** The topics that have ledgers to be asked for it later. */
    private final Set<Long> waiting = new LinkedHashSet<>();

    /** The topics of which something that is not needed was kept when they were looked at last. */
    private final Set<Long> keeping = new HashSet<>();

    private volatile LogRetention retention = LogRetention.NOTHING;

    RetainedLedgers(LogParts parts) {
        this.parts = parts;
    }

    /** Keeps what that says from now on. */
    void by(LogRetention wanted) {
        retention = wanted;
    }

    /** Whether a topic that did not change has to be looked at again. */
    boolean mayKeep(PackedTopic topic) {
        return keeping.contains(topic.id()) || !retention.of(topic.name()).isNothing();
    }

    /** The topic is looked at, or gone. */
    void forgetKept(long topicId) {
        keeping.remove(topicId);
    }

    /** What is kept of the topic now: to be asked once for all its ledgers, as it may be said anew meanwhile. */
    Kept kept(TopicLog topic) {
        return retention.of(topic.name());
    }

    /** The position up to which ledgers are not needed; null if all are. */
    @Nullable
    Position unneeded(TopicLog topic, Kept kept) {
        Position mark = topic.cursors().slowestMark();
        if (mark != null) {
            return mark;
        }
        if (!kept.isNothing()) {
            return topic.lastDurable();
        }
        Position truncated = topic.truncatedTo();
        return truncated.isAfter(Position.BEFORE_ALL) ? truncated : null;
    }

    /**
     * Whether a ledger that is not needed is kept.
     *
     * @param kept of the topic
     * @param again is told the topic's id when it is to be asked once more, as it is known by then how old the ledger is
     */
    boolean keeps(TopicLog topic, Kept kept, Ledger ledger, LongConsumer again) {
        if (kept.isNothing() || ledger.entryCount() == 0 || !ledger.last().isAfter(topic.truncatedTo())) {
            return false;
        }
        boolean keeps = isWithin(topic, kept, ledger, again);
        if (keeps) {
            keeping.add(topic.id());
        }
        return keeps;
    }

    private boolean isWithin(TopicLog topic, Kept kept, Ledger ledger, LongConsumer again) {
        boolean isTooMuch = kept.bytes() != Kept.NO_LIMIT && bytesWithout(topic, ledger) >= kept.bytes();
        if (isTooMuch || kept.millis() == Kept.NO_LIMIT) {
            return !isTooMuch;
        }
        long nowMillis = System.currentTimeMillis();
        long endedMillis = endedMillis(topic, ledger);
        if (endedMillis > 0 && endedMillis <= nowMillis) {
            return nowMillis - endedMillis <= kept.millis();
        }
        Long published = lastMillis.get(ledger.id);
        if (published == null && asked == MAX_ASKED) {
            waiting.add(topic.id());
        } else if (published == null) {
            ask(topic, ledger, again);
        }
        return published == null || published == ASKED || nowMillis - published <= kept.millis();
    }

    /** When the ledger got its last entry at the latest, by the broker's clock; 0 if that is not known. */
    private static long endedMillis(TopicLog topic, Ledger ledger) {
        Ledger next = topic.table().after(ledger);
        if (next == null) {
            return Math.max(topic.times().facts().publishedMillis(), ledger.openedMillis());
        }
        boolean wasSetBack = next.openedMillis() < ledger.openedMillis();
        return wasSetBack ? 0 : next.openedMillis();
    }

    /** What is kept of the topic if that ledger goes, and those that are going. */
    private static long bytesWithout(TopicLog topic, Ledger gone) {
        long bytes = 0;
        synchronized (topic) {
            for (Ledger ledger : topic.table().ledgers()) {
                bytes += ledger == gone || ledger.deleting ? 0 : ledger.bytes;
            }
        }
        return bytes;
    }

    private void ask(TopicLog topic, Ledger ledger, LongConsumer again) {
        asked++;
        lastMillis.put(ledger.id, ASKED);
        topic.read(ledger.last(), 1, 1).whenComplete((found, failure) -> {
            OutOfMemory.tell(failure);
            long published = found == null || found.isEmpty()
                    ? ASKED
                    : Math.min(found.get(0).header().publishTimeMillis(), System.currentTimeMillis());
            if (found != null) {
                found.forEach(Entry::release);
            }
            long topicId = topic.id();
            parts.journal().queue().offer(new Barrier(new CompletableFuture<>(), () -> {
                asked--;
                if (isKnown(ledger.id, published) || topic.isPacked()) {
                    again.accept(topicId);
                }
                askWaiting(again);
            }));
        });
    }

    private void askWaiting(LongConsumer again) {
        while (asked < MAX_ASKED && !waiting.isEmpty()) {
            Iterator<Long> topics = waiting.iterator();
            long topicId = topics.next();
            topics.remove();
            again.accept(topicId);
        }
    }

    /** One that could not be read is asked for again the next time; at once if its topic was packed meanwhile. */
    private boolean isKnown(long ledgerId, long published) {
        if (published == ASKED) {
            lastMillis.remove(ledgerId);
            return false;
        }
        lastMillis.put(ledgerId, published);
        return true;
    }

    /** That ledger is deleted. */
    void forget(long ledgerId) {
        lastMillis.remove(ledgerId);
    }
}
