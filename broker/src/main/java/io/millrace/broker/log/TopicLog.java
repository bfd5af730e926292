package io.millrace.broker.log;

import io.netty.buffer.ByteBuf;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The entries and cursors of one topic: one owner appends, any thread reads. */
public final class TopicLog implements LedgerBounds {
    private final String name;

    TopicLog(String name) {
        this.name = name;
    }

    public String name() {
        return name;
    }

    /**
     * Assigns the next position and queues the entry for the next journal group. Takes over {@code data} in any case;
     * throws {@link LogUnavailableException}, and assigns nothing, when the log is full, failed or closed.
     */
    public Position append(EntryHeader header, ByteBuf data) {
        return notLanded();
    }

    /** Sets who is told when entries are durable; before the first append. */
    public void listener(TopicLogListener listener) {
        notLanded();
    }

    /** The last durable entry ever, also when it was deleted since; BEFORE_ALL if there was none. */
    public Position lastDurable() {
        return notLanded();
    }

    /** The last position assigned; BEFORE_ALL if there was none. */
    public Position lastAppended() {
        return notLanded();
    }

    /** The first position of the oldest ledger kept; the position after the last one if none is kept. */
    public Position firstKept() {
        return notLanded();
    }

    /** The entry, retained for the caller, if it is durable and among the recent ones kept in memory. */
    public @Nullable Entry cached(Position position) {
        return notLanded();
    }

    /**
     * Durable entries at or after {@code from}, in order, across ledgers, at least one if there is any, at most
     * {@code maxEntries} and about {@code maxBytes}; fewer than asked for does not mean that there are no more, an empty
     * list does. Each is retained for the caller. Done at once when the entries are in memory.
     */
    public CompletionStage<List<Entry>> read(Position from, int maxEntries, int maxBytes) {
        return notLanded();
    }

    /** The entries at these positions in the order given, without those that are deleted or were never stored. */
    public CompletionStage<List<Entry>> read(List<Position> positions) {
        return notLanded();
    }

    /** The first entry published at or after that time, else the position after the last one. */
    public CompletionStage<Position> findByTime(long publishTimeMillis) {
        return notLanded();
    }

    /** True if no entry can be between these two. */
    public boolean isNext(Position previousRead, Position candidate) {
        return next(previousRead).equals(candidate);
    }

    /** The smallest position after {@code position} that exists or may come to exist, as far as is known now. */
    public Position next(Position position) {
        return notLanded();
    }

    /** How many entries there are from one position up to, not including, another. */
    public long entriesBetween(Position fromInclusive, Position toExclusive) {
        return notLanded();
    }

    public Collection<String> cursorNames() {
        return notLanded();
    }

    /** The cursor of that name; done when it is durable, made at {@code initialMarkDelete} if there was none. */
    public CompletionStage<CursorLog> openCursor(String subscription, Position initialMarkDelete) {
        return notLanded();
    }

    /** Forgets that cursor; done when that is durable. */
    public CompletionStage<Void> deleteCursor(String subscription) {
        return notLanded();
    }

    @Override
    public long lastEntryOf(long ledgerId) {
        return notLanded();
    }

    @Override
    public long ledgerAfter(long ledgerId) {
        return notLanded();
    }

    @SuppressWarnings("TypeParameterUnusedInFormals")
    private static <T> T notLanded() {
        throw new UnsupportedOperationException("not landed yet");
    }
}
