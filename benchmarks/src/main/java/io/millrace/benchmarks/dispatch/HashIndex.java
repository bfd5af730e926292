package io.millrace.benchmarks.dispatch;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;

/**
 * The published "after": by ledger, an open-addressing map from entry id to both fields in one long, and a bit set of
 * ids, dropped when one is too large for it; without its lock.
 */
final class HashIndex implements PendingIndex {
    private final TreeMap<Long, Table> ledgers = new TreeMap<>();
    private int size;
    private long fields;

    @Override
    public boolean add(long ledgerId, long entryId, int remaining, int keyHash) {
        Table table = ledgers.computeIfAbsent(ledgerId, id -> new Table());
        boolean added = table.put(entryId, ((long) remaining << 32) | (keyHash & 0xFFFF_FFFFL), false);
        size += added ? 1 : 0;
        return added;
    }

    @Override
    public boolean remove(long ledgerId, long entryId) {
        Table table = ledgers.get(ledgerId);
        if (table == null || !table.remove(entryId)) {
            return false;
        }
        size--;
        if (table.size == 0) {
            ledgers.remove(ledgerId);
        }
        return true;
    }

    @Override
    public boolean update(long ledgerId, long entryId, int remaining) {
        Table table = ledgers.get(ledgerId);
        int at = table == null ? -1 : table.find(entryId);
        if (table == null || at < 0) {
            return false;
        }
        table.values[at] = ((long) remaining << 32) | (table.values[at] & 0xFFFF_FFFFL);
        return true;
    }

    @Override
    public int removeUpTo(long ledgerId, long entryId) {
        int removed = 0;
        Map<Long, Table> before = ledgers.headMap(ledgerId, false);
        for (Map.Entry<Long, Table> ledger : before.entrySet()) {
            removed += ledger.getValue().visit(ledger.getKey());
        }
        before.clear();
        Table last = ledgers.get(ledgerId);
        if (last != null) {
            removed += last.removeUpTo(ledgerId, entryId);
            if (last.size == 0) {
                ledgers.remove(ledgerId);
            }
        }
        size -= removed;
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
        return size;
    }

    @Override
    public Object heapRoot() {
        return ledgers;
    }

    /** One ledger: linear probing, at most three quarters full, never smaller again. */
    private final class Table {
        private static final int MAX_BIT = 1 << 20;
        private static final long FREE = -1;

        private BitSet ids = new BitSet();
        private boolean hasIds = true;
        private long[] keys = new long[16];
        long[] values = new long[16];
        int size;

        Table() {
            Arrays.fill(keys, FREE);
        }

        boolean put(long key, long value, boolean moved) {
            if (size * 4 >= keys.length * 3) {
                grow();
            }
            int at = slot(key);
            while (keys[at] != FREE) {
                if (keys[at] == key) {
                    return false;
                }
                at = (at + 1) & (keys.length - 1);
            }
            keys[at] = key;
            values[at] = value;
            size++;
            if (hasIds && !moved) {
                note(key);
            }
            return true;
        }

        int find(long key) {
            int at = slot(key);
            while (keys[at] != FREE) {
                if (keys[at] == key) {
                    return at;
                }
                at = (at + 1) & (keys.length - 1);
            }
            return -1;
        }

        boolean remove(long key) {
            int at = find(key);
            if (at < 0) {
                return false;
            }
            size--;
            if (hasIds) {
                ids.clear((int) key);
            }
            closeGap(at);
            return true;
        }

        int removeUpTo(long ledgerId, long last) {
            int before = size;
            if (hasIds) {
                int limit = (int) Math.min(last, MAX_BIT);
                for (int id = ids.nextSetBit(0); id >= 0 && id <= limit; id = ids.nextSetBit(id + 1)) {
                    take(ledgerId, id);
                }
            } else {
                for (long key : keys.clone()) {
                    if (key != FREE && key <= last) {
                        take(ledgerId, key);
                    }
                }
            }
            return before - size;
        }

        int visit(long ledgerId) {
            for (int at = 0; at < keys.length; at++) {
                if (keys[at] != FREE) {
                    fields += ledgerId + keys[at] + values[at];
                }
            }
            return size;
        }

        private void take(long ledgerId, long key) {
            fields += ledgerId + key + values[find(key)];
            remove(key);
        }

        private void note(long key) {
            if (key > MAX_BIT) {
                hasIds = false;
                ids = new BitSet();
            } else {
                ids.set((int) key);
            }
        }

        /** Moves later entries of the run back, so that no mark of the removed one is needed. */
        private void closeGap(int removedAt) {
            int mask = keys.length - 1;
            int gap = removedAt;
            for (int at = (gap + 1) & mask; keys[at] != FREE; at = (at + 1) & mask) {
                int home = slot(keys[at]);
                if (((at - home) & mask) >= ((at - gap) & mask)) {
                    keys[gap] = keys[at];
                    values[gap] = values[at];
                    gap = at;
                }
            }
            keys[gap] = FREE;
        }

        private void grow() {
            long[] oldKeys = keys;
            long[] oldValues = values;
            keys = new long[oldKeys.length * 2];
            values = new long[oldKeys.length * 2];
            Arrays.fill(keys, FREE);
            size = 0;
            for (int at = 0; at < oldKeys.length; at++) {
                if (oldKeys[at] != FREE) {
                    put(oldKeys[at], oldValues[at], true);
                }
            }
        }

        private int slot(long key) {
            return (int) ((key * 0x9E3779B97F4A7C15L) >>> 40) & (keys.length - 1);
        }
    }
}
