package io.millrace.broker.dispatch;

import java.util.TreeMap;

/**
 * The entries that were read before their time, by position and by the tick at which they are due: the first one that is
 * not before the time asked for. Ticks are a quarter of a second long. Single owner.
 *
 * <pre>
 * value of a position  | tick 46 | chunk 1 | key hash 16 |
 * </pre>
 */
final class DelayedEntries {
    static final long TICK_MILLIS = 250;

    /** A tick's place in the map. */
    private static final int TICK_BYTES = 64;

    private static final int TICK_SHIFT = RedeliveryQueue.FLAG_BITS;
    private static final int KEY_MASK = (1 << TICK_SHIFT) - 1;

    /** Receives an entry whose time has come. */
    interface Due {
        void entry(long ledgerId, long entryId, int key);
    }

    private final PositionMap values = new PositionMap();
    private final TreeMap<Long, TickEntries> byTick = new TreeMap<>();
    /** What the ticks take of the heap. */
    private long tickBytes;

    /** Keeps an entry until {@code deliverAtMillis}, in milliseconds since the epoch. */
    void add(long ledgerId, long entryId, int key, long deliverAtMillis) {
        long tick = tick(deliverAtMillis);
        values.put(ledgerId, entryId, tick << TICK_SHIFT | key);
        TickEntries same = byTick.computeIfAbsent(tick, first -> new TickEntries());
        tickBytes -= bytes(same);
        same.add(ledgerId, entryId);
        tickBytes += bytes(same);
    }

    /** The first tick that is not before that time. */
    static long tick(long deliverAtMillis) {
        long tick = Math.min(deliverAtMillis / TICK_MILLIS, Long.MAX_VALUE >>> (TICK_SHIFT + 1));
        return tick * TICK_MILLIS < deliverAtMillis ? tick + 1 : tick;
    }

    boolean contains(long ledgerId, long entryId) {
        return !values.isEmpty() && values.find(ledgerId, entryId) != PositionMap.MISSING;
    }

    /** The entry is acknowledged, or gone. */
    void forget(long ledgerId, long entryId) {
        long value = values.isEmpty() ? PositionMap.MISSING : values.remove(ledgerId, entryId);
        if (value != PositionMap.MISSING) {
            forgetTick(ledgerId, entryId, value);
        }
    }

    /** The same of everything up to and with that position. */
    void forgetUpTo(long ledgerId, long entryId) {
        values.removeUpTo(ledgerId, entryId, this::forgetTick);
    }

    private void forgetTick(long ledgerId, long entryId, long value) {
        Long tick = value >>> TICK_SHIFT;
        TickEntries same = byTick.get(tick);
        if (same != null) {
            tickBytes -= bytes(same);
            same.remove(ledgerId, entryId);
            tickBytes += bytes(same);
            if (same.isEmpty()) {
                byTick.remove(tick);
            }
        }
    }

    /** Removes the entries due by then and hands over each, in order of time, then of position. */
    void release(long nowMillis, Due due) {
        while (!byTick.isEmpty() && dueMillis() <= nowMillis) {
            TickEntries first = byTick.pollFirstEntry().getValue();
            tickBytes -= bytes(first);
            first.forEach(
                    (ledger, entry, none) -> due.entry(ledger, entry, (int) values.remove(ledger, entry) & KEY_MASK));
        }
    }

    /** When the first entries are due; {@code Long.MAX_VALUE} if there are none. */
    long dueMillis() {
        return byTick.isEmpty() ? Long.MAX_VALUE : byTick.firstKey() * TICK_MILLIS;
    }

    int size() {
        return values.size();
    }

    /** The number of different ticks at which entries are due. */
    int tickCount() {
        return byTick.size();
    }

    /** What they take of the heap. */
    long heapBytes() {
        return values.heapBytes() + tickBytes;
    }

    private static long bytes(TickEntries same) {
        return same.isEmpty() ? 0 : TICK_BYTES + same.heapBytes();
    }

    void clear() {
        values.clear();
        byTick.clear();
        tickBytes = 0;
    }
}
