package io.millrace.broker.dispatch;

import io.millrace.broker.log.Position;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The entries that wait to be sent again, in order, and how often every unacknowledged entry came back. */
final class RedeliveryQueue {
    private final PositionMap waiting = new PositionMap();
    private final PositionMap counts = new PositionMap();

    /** Takes an entry back from a consumer. */
    void add(long ledgerId, long entryId, int keyHash) {
        waiting.put(ledgerId, entryId, keyHash);
        counts.put(ledgerId, entryId, Math.min(Integer.MAX_VALUE, countOf(ledgerId, entryId) + 1L));
    }

    /** How often the entry was sent before. */
    int countOf(long ledgerId, long entryId) {
        return counts.isEmpty() ? 0 : (int) Math.max(0, counts.find(ledgerId, entryId));
    }

    boolean contains(long ledgerId, long entryId) {
        return !waiting.isEmpty() && waiting.find(ledgerId, entryId) != PositionMap.MISSING;
    }

    /** The entry is on its way again: no longer waiting, its count kept. */
    void sent(long ledgerId, long entryId) {
        if (!waiting.isEmpty()) {
            waiting.remove(ledgerId, entryId);
        }
    }

    /** The entry is acknowledged, or gone. */
    void forget(long ledgerId, long entryId) {
        sent(ledgerId, entryId);
        if (!counts.isEmpty()) {
            counts.remove(ledgerId, entryId);
        }
    }

    void forgetUpTo(long ledgerId, long entryId) {
        waiting.removeUpTo(ledgerId, entryId, (ledger, entry, hash) -> {});
        counts.removeUpTo(ledgerId, entryId, (ledger, entry, count) -> {});
    }

    void clear() {
        waiting.clear();
        counts.clear();
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    int size() {
        return waiting.size();
    }

    @Nullable
    Position first() {
        List<Position> first = first(1);
        return first.isEmpty() ? null : first.get(0);
    }

    /** The first positions that wait, at most that many. */
    List<Position> first(int limit) {
        List<Position> found = new ArrayList<>(Math.min(limit, waiting.size()));
        Position from = Position.BEFORE_ALL;
        while (found.size() < limit
                && waiting.ceiling(
                        from.ledgerId(),
                        from.entryId() + 1,
                        (ledger, entry, hash) -> found.add(new Position(ledger, entry)))) {
            from = found.get(found.size() - 1);
        }
        return found;
    }
}
