package io.millrace.broker.dispatch;

import io.millrace.broker.log.Entry;
import io.millrace.broker.log.Position;
import io.millrace.broker.log.TopicLog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the waiting entries that can be sent now, in one pass over the queue a turn, and fetches their bytes, a bounded
 * number ahead. Entries of one <em>lane</em> keep their order: a key's for Key_Shared, a chunked message's for Shared,
 * all others together. A lane whose first entry must wait is skipped.
 */
final class RedeliveryReader {
    /** The lane of all entries that are not ordered by key. */
    private static final int COMMON = 0;

    /** The lane of a key hash is behind it. */
    private static final int FIRST_OF_KEYS = COMMON + 1;

    /** How many entries a pass looks at while a read is under way: it can find those in memory alone. */
    static final int MAX_LOOKED_AT_MEANWHILE = 1_000;

    private final TopicLog log;
    private final RedeliveryQueue queue;
    private final ReadRetry retry;
    private final LostEntries lost;
    private final DispatcherContext context;
    /** The entries of the last read that were not taken yet. */
    private final Map<Position, Entry> fetched = new HashMap<>();

    private final BitSet passedOver = new BitSet();
    private final BitSet awaited = new BitSet();
    private final List<Position> wanted = new ArrayList<>();
    private long[] wantedBySlot = {};
    private long atLedger;
    private long atEntry;
    private int lookedAt;
    private @Nullable Entry found;
    private boolean reading;
    private int epoch;
    private double bytesPerEntry = 1024;
    /** Half as many as were too many for what memory there was, and after each read that brings something twice as many. */
    private int mostPerRead = ForwardReader.MAX_ENTRIES;

    RedeliveryReader(
            TopicLog log, RedeliveryQueue queue, ReadRetry retry, LostEntries lost, DispatcherContext context) {
        this.log = log;
        this.queue = queue;
        this.retry = retry;
        this.lost = lost;
        this.context = context;
    }

    /** Starts at the first waiting entry again. */
    void startPass() {
        atLedger = Position.BEFORE_ALL.ledgerId();
        atEntry = Position.BEFORE_ALL.entryId();
        lookedAt = 0;
        passedOver.clear();
        awaited.clear();
        wanted.clear();
        Arrays.fill(wantedBySlot, 0);
    }

    /**
     * The next waiting entry of this pass that a consumer takes; the caller removes it from the queue. Null when the
     * pass is over, or waits for bytes.
     *
     * @param newOnesToo whether entries that were never sent may be
     */
    @Nullable
    Entry poll(Selector selector, boolean newOnesToo) {
        if (reading && selector.type() != SubscriptionType.KEY_SHARED && queue.whole() == queue.size()) {
            return null;
        }
        int limit = readLimit(selector);
        queue.scan(
                atLedger,
                atEntry + 1,
                (ledger, entry, value) ->
                        consider(ledger, entry, value, selector, newOnesToo) && wanted.size() < limit && mayLookOn());
        Entry next = found;
        found = null;
        if (next == null) {
            if (!wanted.isEmpty() && !reading) {
                read(List.copyOf(wanted));
            }
            return null;
        }
        bytesPerEntry += (next.data().readableBytes() - bytesPerEntry) / 8;
        return next;
    }

    /** The entry that {@link #poll} returned must wait, and with it what comes behind it in its lane. */
    void passOver(Entry entry, SubscriptionType type) {
        int key = RedeliveryQueue.key(entry.header(), type);
        queue.rekey(entry.position(), key);
        passedOver.set(type.singleActive() ? COMMON : FIRST_OF_KEYS + RedeliveryQueue.keyHash(key));
        entry.release();
    }

    /** Whether the entry that {@link #poll} returned is a chunk behind one of its message that was passed over. */
    boolean isBehindItsChunk(Entry entry, SubscriptionType type) {
        int key = RedeliveryQueue.key(entry.header(), type);
        return type == SubscriptionType.SHARED
                && RedeliveryQueue.isChunk(key)
                && isWaiting(FIRST_OF_KEYS + RedeliveryQueue.keyHash(key));
    }

    /** Whether an entry of that lane was passed over in this pass, or its bytes are awaited. */
    private boolean isWaiting(int lane) {
        return passedOver.get(lane) || awaited.get(lane);
    }

    /** Drops entries that were acknowledged while they were fetched. */
    void dropStale() {
        if (queue.isEmpty()) {
            drop();
        }
    }

    /** Releases the entries it holds; the result of a read under way will be dropped. */
    void reset() {
        epoch++;
        reading = false;
        drop();
    }

    /** The last entry that this pass has looked at, for checks. */
    Position lookedUpTo() {
        return new Position(atLedger, atEntry);
    }

    private boolean mayLookOn() {
        lookedAt++;
        return !reading || lookedAt < MAX_LOOKED_AT_MEANWHILE;
    }

    /** Looks at one entry; false if it can be sent. */
    private boolean consider(long ledger, long entry, long value, Selector selector, boolean newOnesToo) {
        atLedger = ledger;
        atEntry = entry;
        int lane = lane(value, selector);
        if (passedOver.get(lane) || (reading && awaited.get(lane))) {
            return true;
        }
        if (RedeliveryQueue.isHeldBack(value) && !newOnesToo) {
            if (lane != COMMON) {
                passedOver.set(lane);
            }
            return true;
        }
        Consumer taker = selector.likely(RedeliveryQueue.keyHash(value), RedeliveryQueue.isChunk(value));
        if (taker == null) {
            passedOver.set(lane);
            return true;
        }
        Position position = new Position(ledger, entry);
        if (!awaited.get(lane)) {
            Entry known = fetched.remove(position);
            found = known == null ? log.cached(position) : known;
        }
        if (found == null) {
            awaited.set(lane);
            if (!reading) {
                want(position, lane, taker);
            }
        }
        return found == null;
    }

    private void want(Position position, int lane, Consumer taker) {
        if (lane != COMMON) {
            if (taker.slot >= wantedBySlot.length) {
                wantedBySlot = Arrays.copyOf(wantedBySlot, taker.slot * 2 + 2);
            }
            if (++wantedBySlot[taker.slot] > taker.permits()) {
                passedOver.set(lane);
                return;
            }
        }
        wanted.add(position);
    }

    private static int lane(long value, Selector selector) {
        SubscriptionType type = selector.type();
        boolean ordered = type == SubscriptionType.KEY_SHARED
                || (type == SubscriptionType.SHARED && RedeliveryQueue.isChunk(value));
        return ordered ? FIRST_OF_KEYS + RedeliveryQueue.keyHash(value) : COMMON;
    }

    private int readLimit(Selector selector) {
        double affordable = ForwardReader.MAX_BYTES / Math.max(1, bytesPerEntry);
        return (int) Math.max(1, Math.min(mostPerRead, Math.min(affordable, (double) selector.wantedMessages())));
    }

    private void read(List<Position> positions) {
        reading = true;
        int asked = epoch;
        context.whenRead(log.read(positions), (entries, failure) -> {
            if (asked == epoch) {
                arrived(positions, entries, failure);
            } else {
                entries.forEach(Entry::release);
            }
        });
    }

    private void arrived(List<Position> positions, List<Entry> entries, @Nullable Throwable failure) {
        if (failure != null) {
            int asked = epoch;
            mostPerRead = Math.max(1, positions.size() / 2);
            retry.later(failure, "a redelivery", () -> readAgain(asked));
            return;
        }
        reading = false;
        mostPerRead = Math.min(ForwardReader.MAX_ENTRIES, 2 * mostPerRead);
        drop();
        for (Entry entry : entries) {
            fetched.put(entry.position(), entry);
        }
        forgetMissing(positions);
        context.requestTurn();
    }

    /** Entries missing from the read were deleted meanwhile, or cannot be read: they can never be sent again. */
    private void forgetMissing(List<Position> positions) {
        List<Position> gone = new ArrayList<>();
        for (Position position : positions) {
            if (!fetched.containsKey(position)) {
                queue.forget(position.ledgerId(), position.entryId());
                gone.add(position);
            }
        }
        lost.pass(gone);
    }

    private void readAgain(int asked) {
        if (asked == epoch) {
            reading = false;
            context.requestTurn();
        }
    }

    private void drop() {
        fetched.values().forEach(Entry::release);
        fetched.clear();
    }
}
