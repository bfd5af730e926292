package io.millrace.benchmarks.dispatch;

import java.lang.reflect.Constructor;
import java.util.function.Supplier;
import org.apache.pulsar.broker.service.PendingAcksMap;

/**
 * Pulsar's map of one consumer, whose every call takes a lock. Defined again by {@link NewerPulsar}, it is the same over
 * the map of a newer release.
 */
public final class PulsarIndex implements PendingIndex {
    private final PendingAcksMap pending;
    private long fields;

    /** Without handlers, as for a Shared subscription. */
    public PulsarIndex() {
        Supplier<?> none = () -> null;
        try {
            Constructor<?> constructor = PendingAcksMap.class.getDeclaredConstructors()[0];
            constructor.setAccessible(true);
            pending = (PendingAcksMap) constructor.newInstance(null, none, none);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Pulsar's PendingAcksMap cannot be made", e);
        }
    }

    @Override
    public boolean add(long ledgerId, long entryId, int remaining, int keyHash) {
        return pending.addPendingAckIfAllowed(ledgerId, entryId, remaining, keyHash);
    }

    @Override
    public boolean remove(long ledgerId, long entryId) {
        return pending.remove(ledgerId, entryId);
    }

    @Override
    public boolean update(long ledgerId, long entryId, int remaining) {
        return pending.updateRemainingUnacked(ledgerId, entryId, remaining);
    }

    @Override
    public int removeUpTo(long ledgerId, long entryId) {
        long before = pending.size();
        pending.removeAllUpTo(
                ledgerId, entryId, (ledger, entry, remaining, hash) -> fields += ledger + entry + remaining + hash);
        return (int) (before - pending.size());
    }

    @Override
    public int closeConsumer() {
        int before = (int) pending.size();
        pending.forEachAndClose((ledger, entry, remaining, hash) -> fields += ledger + entry + remaining + hash);
        return before;
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
