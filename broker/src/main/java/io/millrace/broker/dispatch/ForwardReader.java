package io.millrace.broker.dispatch;

import io.millrace.broker.log.CursorState;
import io.millrace.broker.log.Entry;
import io.millrace.broker.log.Position;
import io.millrace.broker.log.TopicLog;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Reads a subscription's entries forward: each that is not acknowledged, once, in order, up to the last position it
 * knows to be durable. Bytes come from the tail cache, else from a log read; one read is under way at a time.
 */
final class ForwardReader {
    static final int MAX_ENTRIES = 100;
    static final int MAX_BYTES = 5 * 1024 * 1024;
    /** Acknowledged positions skipped at a time, so that a turn stays short. */
    private static final int MAX_SKIPS = 4096;

    /** Why {@link #poll} returned no entry. */
    enum IdleReason {
        AT_END,
        READING,
        MORE
    }

    /** What a read was for: everything that was durable up to that position. */
    private record Asked(int epoch, Position end) {}

    private final TopicLog log;
    private final CursorState cursor;
    private final ReadRetry retry;
    private final DispatcherContext context;
    private final LostEntries lost;
    /** Entries read and not yet polled, at most one read; their positions are at or before {@code lastRead}. */
    private final Queue<Entry> ready = new ArrayDeque<>();

    private Position lastRead;
    private Position durableEnd;
    private IdleReason idleReason = IdleReason.AT_END;
    private boolean reading;
    private int epoch;
    private double messagesPerEntry = 1;

    ForwardReader(TopicLog log, CursorState cursor, ReadRetry retry, LostEntries lost, DispatcherContext context) {
        this.log = log;
        this.cursor = cursor;
        this.retry = retry;
        this.lost = lost;
        this.context = context;
        lastRead = cursor.markDelete();
        durableEnd = lastRead;
    }

    /** The entries up to this position are durable. */
    void announce(Position durable) {
        if (durable.compareTo(durableEnd) > 0) {
            durableEnd = durable;
        }
    }

    /** The next entry that is not acknowledged, or null, and then {@link #idleReason} says why. */
    @Nullable
    Entry poll(Selector selector) {
        for (Entry entry = ready.poll(); entry != null; entry = ready.poll()) {
            if (!cursor.isAcked(entry.position())) {
                count(entry);
                return entry;
            }
            entry.release();
        }
        if (reading) {
            idleReason = IdleReason.READING;
            return null;
        }
        return advance(selector);
    }

    IdleReason idleReason() {
        return idleReason;
    }

    Position lastRead() {
        return lastRead;
    }

    /** Entries known to be durable that were not read yet. */
    long unread() {
        Position next = log.next(lastRead);
        return next.compareTo(durableEnd) > 0 ? 0 : log.entriesBetween(next, log.next(durableEnd));
    }

    /** Goes on right after that position; entries read before, or being read, are dropped. */
    void moveTo(Position position) {
        close();
        lastRead = position;
        reading = false;
    }

    /** Skips everything up to a position that was acknowledged before it was read. */
    void skipTo(Position position) {
        if (position.compareTo(lastRead) > 0) {
            lastRead = position;
        }
    }

    /** Nobody takes entries for now: lets go of those that were read and not polled, which are read again. */
    void rest() {
        Entry first = ready.peek();
        moveTo(first == null ? lastRead : first.position().before());
    }

    /** Releases the entries it holds; the results of reads under way will be dropped. */
    void close() {
        epoch++;
        ready.forEach(Entry::release);
        ready.clear();
    }

    private @Nullable Entry advance(Selector selector) {
        skipTo(cursor.markDelete());
        for (int skipped = 0; skipped < MAX_SKIPS; skipped++) {
            Position next = log.next(lastRead);
            if (next.compareTo(durableEnd) > 0) {
                idleReason = IdleReason.AT_END;
                return null;
            }
            if (!cursor.isAcked(next)) {
                return fetch(next, selector);
            }
            lastRead = next;
        }
        idleReason = IdleReason.MORE;
        return null;
    }

    private @Nullable Entry fetch(Position next, Selector selector) {
        Entry cached = log.cached(next);
        if (cached != null) {
            lastRead = next;
            count(cached);
            return cached;
        }
        idleReason = IdleReason.READING;
        reading = true;
        int entries = (int) Math.max(1, Math.min(MAX_ENTRIES, Math.ceil(selector.wantedMessages() / messagesPerEntry)));
        Asked asked = new Asked(epoch, durableEnd);
        context.whenRead(log.read(next, entries, MAX_BYTES), (found, failure) -> arrived(asked, found, failure));
        return null;
    }

    private void arrived(Asked asked, List<Entry> found, @Nullable Throwable failure) {
        if (asked.epoch != epoch) {
            found.forEach(Entry::release);
            return;
        }
        if (failure != null || (found.isEmpty() && mayComeBack(asked.end))) {
            retry.later(failure, "the read after " + lastRead, () -> readAgain(asked));
            return;
        }
        reading = false;
        take(found);
        if (found.isEmpty()) {
            passLost(log.next(asked.end));
            skipTo(asked.end);
        }
        context.requestTurn();
    }

    /** Whether what was not found up to that position may be found later: its file may come back, or the log is being closed and knows of nothing there. */
    private boolean mayComeBack(Position end) {
        return log.isUnreadable(end.ledgerId()) || log.entriesBetween(log.next(lastRead), log.next(end)) == 0;
    }

    private void take(List<Entry> found) {
        for (Entry entry : found) {
            if (entry.position().compareTo(lastRead) > 0) {
                passLost(entry.position());
                lastRead = entry.position();
                ready.add(entry);
            } else {
                entry.release();
            }
        }
    }

    /**
     * Passes what was not found before that position. A ledger of which a file is missing may come back as a whole: it is
     * passed in silence.
     */
    private void passLost(Position end) {
        Position at = log.next(lastRead);
        if (at.equals(end)) {
            return;
        }
        List<Position> gone = new ArrayList<>();
        while (at.isBefore(end)) {
            if (log.isUnreadable(at.ledgerId())) {
                boolean isInIt = at.ledgerId() == end.ledgerId();
                at = isInIt ? end : log.next(new Position(at.ledgerId(), Long.MAX_VALUE));
            } else {
                gone.add(at);
                at = log.next(at);
            }
        }
        lost.pass(gone);
    }

    private void readAgain(Asked asked) {
        if (asked.epoch == epoch) {
            reading = false;
            context.requestTurn();
        }
    }

    private void count(Entry entry) {
        messagesPerEntry += (Math.max(1, entry.header().messageCount()) - messagesPerEntry) / 8;
    }

    /** The positions it holds, for checks. */
    Iterator<Position> held() {
        return ready.stream().map(Entry::position).iterator();
    }
}
