package io.millrace.broker.dispatch;

import io.millrace.broker.log.EntryHeader;
import io.millrace.broker.log.Position;

/**
 * The entries that were read and wait to be sent, in order, and how often every unacknowledged entry came back. Those
 * that were never sent are <em>held back</em>: because of their key, or because their time has just come. Single owner.
 *
 * <pre>
 * value of a position  | held back 1 | chunk 1 | key hash 16 |
 * </pre>
 */
final class RedeliveryQueue {
    /** How many bits a key takes: the hash, and whether the entry is a chunk. */
    static final int FLAG_BITS = 17;

    private static final int HASH_MASK = 0xFFFF;
    private static final int CHUNK = 1 << 16;
    private static final int HELD_BACK = 1 << FLAG_BITS;

    private final PositionMap waiting = new PositionMap();
    private final PositionMap counts = new PositionMap();
    private final KeyHashCounts byHash = new KeyHashCounts();
    private int heldBack;
    private int chunks;

    /** The key under which an entry with this header waits: on Shared, chunks wait by their message, whatever its key. */
    static int key(EntryHeader header, SubscriptionType type) {
        int own = type == SubscriptionType.SHARED && header.isChunked() ? header.chunkedHash() : 0;
        int hash = own == 0 ? header.stickyKeyHash() : own;
        return (hash & HASH_MASK) | (header.isChunked() ? CHUNK : 0);
    }

    static int keyHash(long value) {
        return (int) value & HASH_MASK;
    }

    static boolean isChunk(long value) {
        return (value & CHUNK) != 0;
    }

    static boolean isHeldBack(long value) {
        return (value & HELD_BACK) != 0;
    }

    /** Takes an entry back from a consumer. */
    void add(long ledgerId, long entryId, int keyHash) {
        put(ledgerId, entryId, keyHash);
        counts.put(ledgerId, entryId, Math.min(Integer.MAX_VALUE, countOf(ledgerId, entryId) + 1L));
    }

    /** Keeps the position of an entry that cannot be sent yet. */
    void holdBack(long ledgerId, long entryId, int key) {
        put(ledgerId, entryId, key | HELD_BACK);
    }

    /** The entry, as is known once it is read, waits under this key. */
    void rekey(Position position, int key) {
        long value = waiting.find(position.ledgerId(), position.entryId());
        if (value != PositionMap.MISSING) {
            put(position.ledgerId(), position.entryId(), (value & HELD_BACK) | key);
        }
    }

    /** How often the entry was sent before. */
    int countOf(long ledgerId, long entryId) {
        return counts.isEmpty() ? 0 : (int) Math.max(0, counts.find(ledgerId, entryId));
    }

    boolean contains(long ledgerId, long entryId) {
        return !waiting.isEmpty() && waiting.find(ledgerId, entryId) != PositionMap.MISSING;
    }

    /** Whether an entry of that hash waits. */
    boolean hasHash(int keyHash) {
        return byHash.of(keyHash) > 0;
    }

    /** The entry is sent again: it no longer waits, its count is kept. */
    void sent(long ledgerId, long entryId) {
        if (!waiting.isEmpty()) {
            removed(waiting.remove(ledgerId, entryId));
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
        waiting.removeUpTo(ledgerId, entryId, (ledger, entry, value) -> removed(value));
        counts.removeUpTo(ledgerId, entryId, (ledger, entry, count) -> {});
    }

    /** No entry waits any more; how often each came back is kept. */
    void stopWaiting() {
        waiting.clear();
        byHash.clear();
        heldBack = 0;
        chunks = 0;
    }

    void clear() {
        stopWaiting();
        counts.clear();
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    int size() {
        return waiting.size();
    }

    /** How many entries were sent before, whether they wait or not. */
    int sentBefore() {
        return counts.size();
    }

    /** What the entries that wait take of the heap. */
    long waitingBytes() {
        return waiting.heapBytes();
    }

    /** What it takes of the heap to know how often entries came back. */
    long countBytes() {
        return counts.heapBytes();
    }

    /** What it takes of the heap to know the hashes of those that wait. */
    long hashBytes() {
        return byHash.heapBytes();
    }

    /** How many of them were never sent. */
    int heldBack() {
        return heldBack;
    }

    /** How many of them are not known to be chunks. */
    int whole() {
        return waiting.size() - chunks;
    }

    /** Visits the waiting entries from that position on, in order, while the visitor wants more. */
    void scan(long ledgerId, long entryId, PositionMap.Scan visitor) {
        waiting.scan(ledgerId, entryId, visitor);
    }

    private void put(long ledgerId, long entryId, long value) {
        removed(waiting.put(ledgerId, entryId, value));
        byHash.add(keyHash(value));
        heldBack += isHeldBack(value) ? 1 : 0;
        chunks += isChunk(value) ? 1 : 0;
    }

    private void removed(long value) {
        if (value != PositionMap.MISSING) {
            byHash.remove(keyHash(value));
            heldBack -= isHeldBack(value) ? 1 : 0;
            chunks -= isChunk(value) ? 1 : 0;
        }
    }
}
