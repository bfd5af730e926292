package io.millrace.benchmarks.dispatch;

import io.millrace.broker.dispatch.PendingAcks;

/** Ours: one index for all consumers of a subscription, without a lock, as it has a single owner. */
final class MillraceIndex implements PendingIndex {
    private final PendingAcks pending = new PendingAcks();
    private final int consumers;
    private int next;
    private long fields;

    /** Entries go to that many consumers in turn; the first is the one to be closed. */
    MillraceIndex(int consumers) {
        this.consumers = consumers;
    }

    @Override
    public boolean add(long ledgerId, long entryId, int remaining, int keyHash) {
        int slot = next;
        next = slot + 1 == consumers ? 0 : slot + 1;
        return pending.add(ledgerId, entryId, slot, remaining, keyHash);
    }

    @Override
    public boolean remove(long ledgerId, long entryId) {
        return pending.remove(ledgerId, entryId) != PendingAcks.MISSING;
    }

    @Override
    public boolean update(long ledgerId, long entryId, int remaining) {
        return pending.updateRemaining(ledgerId, entryId, remaining);
    }

    @Override
    public int removeUpTo(long ledgerId, long entryId) {
        int before = pending.size();
        pending.removeAllUpTo(
                ledgerId,
                entryId,
                (ledger, entry, slot, remaining, hash) -> fields += ledger + entry + remaining + hash);
        return before - pending.size();
    }

    @Override
    public int closeConsumer() {
        int before = pending.size();
        pending.forEachAndClear(
                0, (ledger, entry, slot, remaining, hash) -> fields += ledger + entry + remaining + hash);
        return before - pending.size();
    }

    @Override
    public long handedOver() {
        return fields;
    }

    @Override
    public long size() {
        return pending.size();
    }

    @Override
    public Object heapRoot() {
        return pending;
    }
}
