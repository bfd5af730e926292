package io.millrace.broker.log;

import io.millrace.broker.log.JournalItem.Barrier;
import io.millrace.broker.log.JournalItem.EntryItem;
import io.millrace.broker.log.JournalItem.PlainRecord;
import io.netty.buffer.ByteBuf;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The entries and cursors of one topic: one owner appends, any thread reads.
 *
 * <p><b>Threads</b>: the owner appends; the journal writer publishes what is durable; the ledger writer removes
 * ledgers; any thread reads. <b>Owned</b>: {@code groupEpoch}, {@code groupLast}, {@code currentRun} by the
 * journal writer. <b>Shared</b>: {@code packed}, written by the ledger writer before {@code table} is emptied, so whoever
 * finds that empty sees it; {@code messagesIn} and {@code bytesIn} under the monitor; {@code table}, {@code open}, {@code lastAppended}, {@code truncatedTo}, {@code deleted}: written under the
 * monitor, read as volatiles; {@code lastDurable}, volatile, written by the journal writer after the entries are
 * visible in the cache. <b>States</b>: no open ledger -> open at the first append; open -> no open ledger when
 * full, or when the journal writer refuses an entry of it; any -> deleted; any that nobody uses
 * -> packed, which ends this object. <b>Proved by</b>: GroupCommitTest, TopicPackingTest, CatchUpTest, PowerLossTest.
 */
public final class TopicLog implements LedgerBounds {
    /** Of a ledger that is being filled: it goes once it is acknowledged, which all of them do only together. */
    private static final int MAX_EXTENTS = 64;

    private static final String TERMINATED = "terminated";

    private final LogParts parts;
    private final long id;
    private final String name;
    private final TopicCache cache = new TopicCache();
    private final TopicCursors cursors;
    private final TopicProperties properties;
    private long groupEpoch;
    private Position groupLast = Position.BEFORE_ALL;
    private @Nullable CacheRun currentRun;
    private boolean packed;
    private boolean copy;
    private long messagesIn;
    private long bytesIn;
    private volatile LedgerTable table = LedgerTable.EMPTY;
    private volatile @Nullable Ledger open;
    private volatile Position lastAppended = Position.BEFORE_ALL;
    private volatile Position lastDurable = Position.BEFORE_ALL;
    private volatile Position truncatedTo = Position.BEFORE_ALL;
    private volatile boolean deleted;
    private volatile @Nullable TopicLogListener listener;

    TopicLog(LogParts parts, long id, String name) {
        this.parts = parts;
        this.id = id;
        this.name = name;
        this.cursors = new TopicCursors(parts, id, this);
        this.properties = new TopicProperties(parts, id);
    }

    public String name() {
        return name;
    }

    /**
     * Assigns the next position and queues the entry for the next journal group. Takes over {@code data} in any case;
     * throws {@link LogUnavailableException}, and assigns nothing, when the log is full, failed or closed.
     */
    public Position append(EntryHeader header, ByteBuf data) {
        boolean queued = false;
        try {
            int frameBytes = Frame.entryBytes(data.readableBytes());
            parts.folder().config().requireFits("an entry", frameBytes);
            synchronized (this) {
                checkAppendable();
                Ledger ledger = ledgerFor(frameBytes);
                long entryId = ledger.lastEntry() + 1;
                Position position = new Position(ledger.id, entryId);
                ledger.setLastEntry(entryId);
                ledger.bytes += frameBytes;
                lastAppended = position;
                messagesIn += header.messageCount();
                bytesIn += data.readableBytes();
                parts.journal().queue().offer(new EntryItem(ledger, entryId, header, data));
                queued = true;
                return position;
            }
        } finally {
            if (!queued) {
                data.release();
            }
        }
    }

    /** Throws {@link LogUnavailableException} unless entries are taken now. */
    public void checkAppendable() {
        if (deleted) {
            throw new LogUnavailableException("The topic " + name + " was deleted.", null);
        }
        parts.status().checkOpen();
    }

    private Ledger ledgerFor(int frameBytes) {
        Ledger ledger = open;
        LogConfig config = parts.folder().config();
        boolean fits = ledger != null
                && ledger.entryCount() < config.ledgers().entries()
                && ledger.extents().length < MAX_EXTENTS
                && (ledger.bytes == 0
                        || ledger.bytes + frameBytes <= config.ledgers().bytes());
        if (ledger != null && fits) {
            return ledger;
        }
        Ledger next = addLedger(parts.ids().ledger().getAndIncrement());
        next.setOpenedMillis(System.currentTimeMillis());
        open = next;
        parts.journal().queue().offer(new PlainRecord(CatalogChange.ledgerOpened(next.id, id, next.openedMillis())));
        return next;
    }

    private Ledger addLedger(long ledgerId) {
        LedgerTable before = table;
        Ledger last = before.last();
        Ledger next = new Ledger(ledgerId, this, last == null ? 0 : last.firstOrdinal + last.entryCount(), -1);
        table = before.with(next);
        return next;
    }

    /** Sets the listener for durable entries; before the first append. */
    public void listener(TopicLogListener newListener) {
        listener = newListener;
    }

    /** Drops all references to its user, which has finished with it. */
    void forgetUser() {
        listener = null;
        cursors.forgetOpened();
    }

    /** The last entry that ever became durable, even if it was deleted since; BEFORE_ALL if there was none. */
    public Position lastDurable() {
        return lastDurable;
    }

    /** The last position assigned; BEFORE_ALL if there was none. */
    public Position lastAppended() {
        return lastAppended;
    }

    /**
     * The first position of the oldest ledger kept; the position after the last one if none is kept; BEFORE_ALL if nobody
     * uses it any more, so that it is not known here.
     */
    public Position firstKept() {
        Ledger first = table.first();
        if (first != null) {
            return new Position(first.id, 0);
        }
        return packed ? Position.BEFORE_ALL : next(lastAppended);
    }

    /** Throws {@link LogUnavailableException} if it was packed: what there is of the topic is known elsewhere. */
    void requireUnpacked() {
        if (table.isEmpty() && packed) {
            throw new LogUnavailableException("The topic " + name + " was closed meanwhile: try again.", null);
        }
    }

    /** The entry, retained for the caller, if it is durable and among the recent ones kept in memory. */
    public @Nullable Entry cached(Position position) {
        return cache.find(position.ledgerId(), position.entryId());
    }

    /**
     * Durable entries at or after {@code from}, in order, across ledgers, at least one if there is any, at most
     * {@code maxEntries} and about {@code maxBytes}; fewer than asked for does not mean that there are no more, an empty
     * list does. Each is retained for the caller. Done at once when the entries are in memory.
     */
    public CompletionStage<List<Entry>> read(Position from, int maxEntries, int maxBytes) {
        return parts.reading().reader().read(this, from, maxEntries, maxBytes);
    }

    /** The entries at these positions in the order given, without those that are deleted or were never stored. */
    public CompletionStage<List<Entry>> read(List<Position> positions) {
        return parts.reading().reader().read(this, positions);
    }

    /**
     * The first entry published at or after that time, else the position after the last one. Clients set publish times,
     * so they may run backwards a little: the search assumes that they ascend, and may be wrong by that much. Fails with
     * {@link LogUnavailableException} if nobody uses the topic any more and its ledgers are not known here.
     */
    public CompletionStage<Position> findByTime(long publishTimeMillis) {
        return parts.reading().reader().findByTime(this, publishTimeMillis);
    }

    /** The smallest position after {@code position} that exists or may exist later, as far as known now. */
    public Position next(Position position) {
        LedgerTable now = table;
        Ledger ledger = now.atOrAfter(position.ledgerId());
        if (ledger != null && ledger.id == position.ledgerId()) {
            if (position.entryId() < ledger.lastEntry()) {
                return new Position(ledger.id, Math.max(0, position.entryId() + 1));
            }
            ledger = now.atOrAfter(position.ledgerId() + 1);
        }
        if (ledger != null) {
            return new Position(ledger.id, 0);
        }
        Position last = lastAppended().isAfter(position) ? lastAppended() : position;
        return new Position(Math.max(0, last.ledgerId()), last.entryId() + 1);
    }

    /** How many entries there are from one position up to, not including, another. */
    public long entriesBetween(Position fromInclusive, Position toExclusive) {
        LedgerTable now = table;
        return Math.max(0, now.ordinal(toExclusive) - now.ordinal(fromInclusive));
    }

    /** How many entries that state leaves unacknowledged, of those that are durable. */
    public long backlogOf(CursorState cursor) {
        Position mark = cursor.markDelete();
        Position last = lastDurable;
        if (!last.isAfter(mark)) {
            return 0;
        }
        Position end = new Position(last.ledgerId(), last.entryId() + 1);
        return Math.max(0, entriesBetween(next(mark), end) - cursor.ackedBehindMark());
    }

    /** What there is of it at one moment; for who uses it. */
    public CompletionStage<TopicFacts> facts() {
        CompletableFuture<TopicFacts> answer = new CompletableFuture<>();
        parts.journal().queue().offer(new Barrier(answer, () -> answer.complete(TopicFacts.of(this, true))));
        return answer;
    }

    /** What was published since it is in use. */
    synchronized TopicFacts.Use use(boolean isOpen) {
        return new TopicFacts.Use(isOpen, isTerminated(), messagesIn, bytesIn, properties.times.facts());
    }

    /**
     * The position of the entry that so many others come before, of those that are kept; at most the one after the last.
     * Throws {@link LogUnavailableException} if nobody uses the topic any more and its ledgers are not known here.
     */
    public Position positionAfter(long count) {
        long left = count;
        for (Ledger ledger : table.ledgers()) {
            if (left < ledger.entryCount()) {
                return new Position(ledger.id, left);
            }
            left -= ledger.entryCount();
        }
        requireUnpacked();
        return next(lastAppended);
    }

    /** Whether it has neither entries nor cursors, nor ever had an entry: nothing is lost with it. */
    public boolean isEmpty() {
        return table.isEmpty() && lastAppended.equals(Position.BEFORE_ALL) && cursors.isEmpty() && properties.isEmpty();
    }

    /** A small value that is kept with the topic, as it was set last and durably; null if there is none of that name. */
    public byte @Nullable [] property(String propertyName) {
        return properties.get(propertyName);
    }

    /** Keeps a small value with the topic; done when it is durable. */
    public CompletionStage<Void> setProperty(String propertyName, byte[] value) {
        return properties.set(propertyName, value);
    }

    /** Whether it takes no more entries, for ever. */
    public boolean isTerminated() {
        return properties.get(TERMINATED) != null;
    }

    /** What ends it. */
    List<CatalogChange> termination() {
        return List.of(properties.change(TERMINATED, new byte[0]));
    }

    /** What moves every cursor behind the last entry. */
    List<CatalogChange> truncation() {
        return cursors.passAll(lastDurable);
    }

    /** Lets the log delete all ledgers once every cursor is behind the last entry; the next entry opens another. */
    synchronized void allowTruncation() {
        open = null;
        truncatedTo = lastDurable;
    }

    public Collection<String> cursorNames() {
        return cursors.names();
    }

    public boolean hasCursor(String subscription) {
        return cursors.has(subscription);
    }

    /** How many cursors there are, and of these names that have none. */
    public int cursorCountWith(Collection<String> others) {
        return cursors.countWith(others);
    }

    /** The cursor of that name; done when it is durable, made at {@code initialMarkDelete} if there was none. */
    public CompletionStage<CursorLog> openCursor(String subscription, Position initialMarkDelete) {
        return openCursor(subscription, initialMarkDelete, Map.of());
    }

    /** The same; one that is made has these properties from the beginning. */
    public CompletionStage<CursorLog> openCursor(
            String subscription, Position initialMarkDelete, Map<String, String> properties) {
        return cursors.open(subscription, initialMarkDelete, properties);
    }

    /** The cursor of that name, which is there; fails if it is not. */
    public CompletionStage<CursorLog> reopenCursor(String subscription) {
        return cursors.reopen(subscription);
    }

    /** Replaces the properties of that cursor; done when that is durable, and false if there is no such cursor. */
    public CompletionStage<Boolean> setCursorProperties(String subscription, Map<String, String> properties) {
        return cursors.setProperties(subscription, properties);
    }

    /**
     * Acknowledges everything up to and with a position on each of these cursors, which nobody uses; those that are gone are
     * left out. Done when that is durable.
     */
    public CompletionStage<Void> passCursors(Map<String, Position> last) {
        return cursors.pass(last);
    }

    /** Has a cursor, which nobody uses, start again after that position, if it is there. Done when that is durable. */
    public CompletionStage<Void> resetCursor(String subscription, Position markDelete) {
        return cursors.move(Map.of(subscription, new CursorDelta.Reset(markDelete)));
    }

    /**
     * Where the last of so many entries is that each of these cursors has durably not acknowledged; that of the last there is,
     * if it has fewer. Those that are gone are left out.
     */
    public CompletionStage<Map<String, Position>> unacked(Map<String, Long> counts) {
        return cursors.unacked(counts);
    }

    /** Deletes that cursor; done when that is durable. */
    public CompletionStage<Void> deleteCursor(String subscription) {
        return cursors.delete(subscription);
    }

    @Override
    public long lastEntryOf(long ledgerId) {
        Ledger ledger = table.get(ledgerId);
        return ledger == null ? -1 : ledger.lastEntry();
    }

    /** Whether entries of that ledger were not found because a file is missing or the disk failed to read it, which may be otherwise later. */
    public boolean isUnreadable(long ledgerId) {
        Ledger ledger = table.get(ledgerId);
        return ledger != null && ledger.isUnreadable();
    }

    @Override
    public long ledgerAfter(long ledgerId) {
        Ledger ledger = ledgerId == Long.MAX_VALUE ? null : table.atOrAfter(ledgerId + 1);
        return ledger == null ? -1 : ledger.id;
    }

    /** The last position that was to be deleted, however long it is retained; BEFORE_ALL if there is none. */
    Position truncatedTo() {
        return truncatedTo;
    }

    long id() {
        return id;
    }

    LedgerTable table() {
        return table;
    }

    TopicCache cache() {
        return cache;
    }

    TopicCursors cursors() {
        return cursors;
    }

    /** The run that takes this entry; for the journal writer and recovery. */
    CacheRun runFor(Ledger ledger, long entryId, Slab slab) {
        CacheRun run = currentRun;
        if (run == null || !run.isContinuedBy(ledger, entryId, slab)) {
            run = new CacheRun(ledger, entryId, slab);
            cache.add(run);
            currentRun = run;
        }
        return run;
    }

    /** True the first time in that group; for the journal writer. */
    boolean touch(long epoch, long ledgerId, long entryId) {
        boolean first = groupEpoch != epoch;
        groupEpoch = epoch;
        groupLast = new Position(ledgerId, entryId);
        return first;
    }

    /** What the group has of it is durable, at that time; for the journal writer. */
    void publish(long nowMillis) {
        properties.times.published(nowMillis);
        lastDurable = groupLast;
    }

    void notifyDurable() {
        TopicLogListener told = listener;
        if (told != null) {
            told.durable(lastDurable);
        }
    }

    /**
     * Withdraws this entry and all after it in its ledger, and closes the ledger, so that no position is used twice;
     * for the journal writer, which refuses the others in turn.
     */
    void refuse(EntryItem refused, Throwable cause) {
        Ledger ledger = refused.ledger();
        long fromEntry = refused.entryId();
        synchronized (this) {
            ledger.bytes -= JournalGroup.bytesOf(refused);
            if (ledger.refused) {
                return;
            }
            ledger.refused = true;
            open = open == ledger ? null : open;
            ledger.setLastEntry(fromEntry - 1);
            countAfter(ledger);
            Position from = new Position(ledger.id, fromEntry);
            if (!lastAppended.isBefore(from) && lastAppended.ledgerId() == ledger.id) {
                lastAppended = new Position(ledger.id, fromEntry - 1);
            }
        }
        TopicLogListener told = listener;
        if (told != null) {
            told.refused(new Position(ledger.id, fromEntry), cause);
        }
    }

    void notifyFailed(Throwable cause) {
        TopicLogListener told = listener;
        if (told != null) {
            told.failed(cause);
        }
        cursors.notifyFailed(cause);
    }

    /** The ledger of that id: recovery creates it, an append has created it before. */
    synchronized Ledger ledgerOpened(long ledgerId) {
        Ledger known = table.get(ledgerId);
        return known == null ? addLedger(ledgerId) : known;
    }

    /** When it was made, and what happened last. */
    TopicTimes times() {
        return properties.times;
    }

    /** Adds a recovered entry or ledger end. */
    void recovered(Position last) {
        if (last.isAfter(lastDurable)) {
            lastDurable = last;
            lastAppended = last;
        }
    }

    /** Counts the entries before each recovered ledger, whose opening may have been read before the last of them. */
    void countRecovered() {
        Ledger first = table.first();
        if (first != null) {
            first.firstOrdinal = 0;
            countAfter(first);
        }
    }

    private void countAfter(Ledger first) {
        long count = first.firstOrdinal + first.entryCount();
        for (Ledger ledger : table.ledgers()) {
            if (ledger.id > first.id) {
                ledger.firstOrdinal = count;
                count += ledger.entryCount();
            }
        }
    }

    TopicProperties properties() {
        return properties;
    }

    /** Whether every entry has its place in a file and no ledger is about to be deleted, so that all can be packed. */
    boolean isSettled() {
        for (Ledger ledger : table.ledgers()) {
            if (ledger.deleting || ledger.lastPlacedEntry() != ledger.lastEntry()) {
                return false;
            }
        }
        return true;
    }

    /** Empties this object; a read that is still under way finds nothing. For the ledger writer. */
    synchronized void setPacked() {
        packed = true;
        table = LedgerTable.EMPTY;
        open = null;
    }

    boolean isPacked() {
        return packed;
    }

    /** Says that this is a topic as it was at one moment, made to be looked at; before another thread sees it. */
    void setCopy() {
        copy = true;
    }

    /** Whether the files that it names may be gone since. */
    boolean isCopy() {
        return copy;
    }

    /** The last ledger takes more entries, as it did before the topic was packed. */
    synchronized void reopenLast() {
        open = table.last();
    }

    boolean isOpen(Ledger ledger) {
        return ledger == open;
    }

    boolean isOpen(long ledgerId) {
        Ledger ledger = open;
        return ledger != null && ledger.id == ledgerId;
    }

    synchronized void remove(Ledger ledger) {
        table = table.without(ledger);
    }

    synchronized void setDeleted() {
        deleted = true;
    }

    @Override
    public String toString() {
        return "TopicLog[" + Objects.requireNonNull(name) + "]";
    }
}
