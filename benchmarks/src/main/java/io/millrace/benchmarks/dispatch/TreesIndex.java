package io.millrace.benchmarks.dispatch;

import java.util.Map;
import java.util.TreeMap;

/** The published "before": a tree of trees, with a pair object an entry; without its lock. */
final class TreesIndex implements PendingIndex {
    private record Pair(int remaining, int keyHash) {}

    private final TreeMap<Long, TreeMap<Long, Pair>> ledgers = new TreeMap<>();
    private long fields;

    @Override
    public boolean add(long ledgerId, long entryId, int remaining, int keyHash) {
        TreeMap<Long, Pair> ledger = ledgers.computeIfAbsent(ledgerId, id -> new TreeMap<>());
        return ledger.putIfAbsent(entryId, new Pair(remaining, keyHash)) == null;
    }

    @Override
    public boolean remove(long ledgerId, long entryId) {
        TreeMap<Long, Pair> ledger = ledgers.get(ledgerId);
        if (ledger == null || ledger.remove(entryId) == null) {
            return false;
        }
        if (ledger.isEmpty()) {
            ledgers.remove(ledgerId);
        }
        return true;
    }

    @Override
    public boolean update(long ledgerId, long entryId, int remaining) {
        TreeMap<Long, Pair> ledger = ledgers.get(ledgerId);
        Pair known = ledger == null ? null : ledger.get(entryId);
        if (ledger == null || known == null) {
            return false;
        }
        ledger.put(entryId, new Pair(remaining, known.keyHash()));
        return true;
    }

    @Override
    public int removeUpTo(long ledgerId, long entryId) {
        int removed = 0;
        Map<Long, TreeMap<Long, Pair>> before = ledgers.headMap(ledgerId, false);
        for (Map.Entry<Long, TreeMap<Long, Pair>> ledger : before.entrySet()) {
            removed += visit(ledger.getKey(), ledger.getValue());
        }
        before.clear();
        TreeMap<Long, Pair> last = ledgers.get(ledgerId);
        if (last != null) {
            Map<Long, Pair> prefix = last.headMap(entryId, true);
            removed += visit(ledgerId, prefix);
            prefix.clear();
            dropIfEmpty(ledgerId, last);
        }
        return removed;
    }

    @Override
    public int closeConsumer() {
        return ledgers.isEmpty() ? 0 : removeUpTo(ledgers.lastKey(), Long.MAX_VALUE);
    }

    @Override
    public long handedOver() {
        return fields;
    }

    @Override
    public long size() {
        return ledgers.values().stream().mapToLong(Map::size).sum();
    }

    @Override
    public Object heapRoot() {
        return ledgers;
    }

    private int visit(long ledgerId, Map<Long, Pair> entries) {
        int visited = 0;
        for (Map.Entry<Long, Pair> entry : entries.entrySet()) {
            Pair pair = entry.getValue();
            fields += ledgerId + entry.getKey() + pair.remaining() + pair.keyHash();
            visited++;
        }
        return visited;
    }

    private void dropIfEmpty(long ledgerId, Map<Long, Pair> ledger) {
        if (ledger.isEmpty()) {
            ledgers.remove(ledgerId);
        }
    }
}
