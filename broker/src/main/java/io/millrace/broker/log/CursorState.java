package io.millrace.broker.log;

import io.millrace.broker.log.CursorDelta.AckBatch;
import io.millrace.broker.log.CursorDelta.AckEntries;
import io.millrace.broker.log.CursorDelta.AckUpTo;
import io.millrace.broker.log.CursorDelta.Reset;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What one subscription has acknowledged: everything up to the mark-delete position, plus entries above it (a bitmap
 * per ledger), plus batches acknowledged in part. Acknowledgements of entries that the ledger bounds do not know are
 * ignored, so an invalid position costs nothing. For one owner at a time; not thread-safe.
 */
public final class CursorState {
    /** A position, an array without its words, and their place in the map. */
    private static final int PARTIAL_BYTES = 104;

    /** The place of a ledger's bits in the map. */
    private static final int LEDGER_BYTES = 64;

    private final LedgerBounds bounds;
    private final TreeMap<Long, EntryBits> acked = new TreeMap<>();
    private final TreeMap<Position, long[]> ackSets = new TreeMap<>();
    private long ackSetWords;
    private long ackedBytes;
    private long markLedger;
    private long markEntry;

    public CursorState(LedgerBounds bounds, Position markDelete) {
        this.bounds = bounds;
        this.markLedger = markDelete.ledgerId();
        this.markEntry = markDelete.entryId();
    }

    /** Everything up to and including this position is acknowledged; it need not be an existing entry. */
    public Position markDelete() {
        return new Position(markLedger, markEntry);
    }

    /** The ledger of {@link #markDelete}. */
    public long markLedger() {
        return markLedger;
    }

    /** The entry of {@link #markDelete}. */
    public long markEntry() {
        return markEntry;
    }

    public boolean isAcked(Position position) {
        return isAcked(position.ledgerId(), position.entryId());
    }

    private boolean isAcked(long ledgerId, long entryId) {
        if (Position.compare(ledgerId, entryId, markLedger, markEntry) <= 0) {
            return true;
        }
        EntryBits bits = acked.get(ledgerId);
        return bits != null && entryId >= 0 && entryId < Integer.MAX_VALUE && bits.has((int) entryId);
    }

    /** The messages of this batch that are not acknowledged, as set bits, or null if none of it was acknowledged. */
    public long @Nullable [] ackSet(Position position) {
        long[] set = ackSets.get(position);
        return set == null ? null : set.clone();
    }

    /** How many batches are acknowledged in part. */
    public int partialCount() {
        return ackSets.size();
    }

    /** The words of all ack sets of such batches. */
    public long ackSetWords() {
        return ackSetWords;
    }

    /** What it takes of the heap, in bytes. */
    public long heapBytes() {
        return (long) ackSets.size() * PARTIAL_BYTES + ackSetWords * Long.BYTES + ackedBytes;
    }

    /** What it takes of the heap to know the entries that are acknowledged behind the mark-delete position, in bytes. */
    public long ackedBytes() {
        return ackedBytes;
    }

    /** Whether an acknowledgement of that entry as a whole makes {@link #ackedBytes} more. */
    public boolean grows(Position position) {
        if (position.ledgerId() == markLedger && position.entryId() == markEntry + 1) {
            return false;
        }
        EntryBits bits = acked.get(position.ledgerId());
        return isAckable(position.ledgerId(), position.entryId())
                && (bits == null || bits.grows((int) position.entryId()));
    }

    /** How many entries after the mark-delete position are acknowledged as a whole, of the ledgers that there are. */
    public long ackedBehindMark() {
        long count = 0;
        for (Map.Entry<Long, EntryBits> ledger : acked.entrySet()) {
            if (bounds.lastEntryOf(ledger.getKey()) >= 0) {
                count += ledger.getValue().count();
            }
        }
        return count;
    }

    /**
     * The position of the last of so many entries that are not acknowledged, counted from the mark; that of the last there
     * is, if there are fewer.
     *
     * @param last of the topic
     */
    public Position unacked(long count, Position last) {
        long left = count;
        long ledger = markLedger;
        long from = markEntry + 1;
        Position found = markDelete();
        while (left > 0 && ledger <= last.ledgerId()) {
            long end =
                    Math.min(bounds.lastEntryOf(ledger), ledger == last.ledgerId() ? last.entryId() : Long.MAX_VALUE);
            EntryBits bits = acked.get(ledger);
            while (left > 0 && from <= end) {
                long open = bits == null ? from : bits.nextAbsent((int) from);
                long next = bits == null ? -1 : bits.next((int) Math.min(open, Integer.MAX_VALUE - 1));
                long runEnd = Math.min(next < 0 ? end : next - 1, end);
                long taken = Math.min(left, runEnd - open + 1);
                if (taken > 0) {
                    found = new Position(ledger, open + taken - 1);
                    left -= taken;
                }
                from = Math.max(runEnd, open) + 1;
            }
            ledger = bounds.ledgerAfter(ledger);
            from = 0;
            if (ledger < 0) {
                break;
            }
        }
        return found;
    }

    /** Whether some of the messages of this batch are acknowledged, and some are not. */
    public boolean isPartlyAcked(Position position) {
        return ackSets.containsKey(position);
    }

    public void apply(CursorDelta delta) {
        if (delta instanceof AckEntries entries) {
            entries.positions().forEach(p -> ack(p.ledgerId(), p.entryId()));
            advance();
        } else if (delta instanceof AckUpTo upTo) {
            ackUpTo(upTo.inclusive());
        } else if (delta instanceof AckBatch batch) {
            ackBatch(batch.position(), batch.ackSet());
        } else if (delta instanceof Reset reset) {
            acked.clear();
            ackSets.clear();
            ackSetWords = 0;
            ackedBytes = 0;
            markLedger = reset.markDelete().ledgerId();
            markEntry = reset.markDelete().entryId();
            advance();
        }
    }

    /** An independent state equal to this one that learns ledger ends from {@code bounds}. */
    public CursorState copy(LedgerBounds bounds) {
        CursorState copy = new CursorState(bounds, markDelete());
        acked.forEach((ledger, bits) -> copy.restore(ledger, bits.copy()));
        ackSets.forEach((position, set) -> copy.remember(position, set.clone()));
        return copy;
    }

    /** An independent state equal to this one. */
    public CursorState copy() {
        return copy(bounds);
    }

    private void ack(long ledgerId, long entryId) {
        if (isAckable(ledgerId, entryId)) {
            EntryBits bits = acked.get(ledgerId);
            if (bits == null) {
                bits = new EntryBits();
                restore(ledgerId, bits);
            }
            long before = bits.heapBytes();
            bits.add((int) entryId);
            ackedBytes += bits.heapBytes() - before;
            if (!ackSets.isEmpty()) {
                forget(ackSets.remove(new Position(ledgerId, entryId)));
            }
        }
    }

    private boolean isAckable(long ledgerId, long entryId) {
        return entryId >= 0
                && entryId <= bounds.lastEntryOf(ledgerId)
                && Position.compare(ledgerId, entryId, markLedger, markEntry) > 0;
    }

    private void ackBatch(Position position, long[] ackSet) {
        if (isAcked(position) || !isAckable(position.ledgerId(), position.entryId())) {
            return;
        }
        long[] merged = merge(ackSets.get(position), ackSet);
        if (isZero(merged)) {
            ack(position.ledgerId(), position.entryId());
            advance();
        } else {
            remember(position, merged);
        }
    }

    /** Sets what is not acknowledged of a batch. */
    void remember(Position position, long[] ackSet) {
        forget(ackSets.put(position, ackSet));
        ackSetWords += ackSet.length;
    }

    private void forget(long @Nullable [] ackSet) {
        ackSetWords -= ackSet == null ? 0 : ackSet.length;
    }

    /** Trailing zero words may be left out of an ack set, so the shorter one decides. */
    private static long[] merge(long @Nullable [] known, long[] given) {
        if (known == null) {
            return given.clone();
        }
        long[] merged = new long[Math.min(known.length, given.length)];
        for (int i = 0; i < merged.length; i++) {
            merged[i] = known[i] & given[i];
        }
        return merged;
    }

    private static boolean isZero(long[] set) {
        for (long word : set) {
            if (word != 0) {
                return false;
            }
        }
        return true;
    }

    private void ackUpTo(Position position) {
        if (Position.compare(position.ledgerId(), position.entryId(), markLedger, markEntry) > 0) {
            long lastEntry = bounds.lastEntryOf(position.ledgerId());
            if (lastEntry < 0 && bounds.ledgerAfter(position.ledgerId()) < 0) {
                return;
            }
            markLedger = position.ledgerId();
            markEntry = lastEntry < 0 ? position.entryId() : Math.min(position.entryId(), lastEntry);
            forgetBelowMark();
        }
        advance();
    }

    /** Moves the mark over acknowledged entries, and over the end of a ledger if the next ledger has begun. */
    private void advance() {
        if (acked.isEmpty()) {
            return;
        }
        boolean moved = advanceWithin(markLedger);
        while (markEntry >= bounds.lastEntryOf(markLedger)) {
            long next = filledLedgerAfter(markLedger);
            EntryBits bits = acked.get(next);
            if (bits == null || !bits.has(0)) {
                break;
            }
            markLedger = next;
            markEntry = -1;
            advanceWithin(next);
            moved = true;
        }
        if (moved) {
            forgetBelowMark();
        }
    }

    /** The next ledger that has entries; an empty one, after which another has begun, will never get any. */
    private long filledLedgerAfter(long ledgerId) {
        long next = bounds.ledgerAfter(ledgerId);
        while (next >= 0 && bounds.lastEntryOf(next) < 0) {
            next = bounds.ledgerAfter(next);
        }
        return next;
    }

    private boolean advanceWithin(long ledgerId) {
        EntryBits bits = acked.get(ledgerId);
        if (bits == null || markEntry >= Integer.MAX_VALUE - 1 || !bits.has((int) markEntry + 1)) {
            return false;
        }
        markEntry = bits.nextAbsent((int) markEntry + 1) - 1L;
        return true;
    }

    private void forgetBelowMark() {
        while (!acked.isEmpty() && acked.firstKey() < markLedger) {
            ackedBytes -= bytes(acked.pollFirstEntry().getValue());
        }
        EntryBits bits = acked.get(markLedger);
        if (bits != null) {
            ackedBytes -= bytes(bits);
            bits.removeBelow((int) Math.min(markEntry + 1, Integer.MAX_VALUE));
            if (bits.isEmpty()) {
                acked.remove(markLedger);
            } else {
                ackedBytes += bytes(bits);
            }
        }
        Position mark = markDelete();
        while (!ackSets.isEmpty() && !ackSets.firstKey().isAfter(mark)) {
            forget(ackSets.pollFirstEntry().getValue());
        }
    }

    private static long bytes(EntryBits bits) {
        return LEDGER_BYTES + bits.heapBytes();
    }

    /** Sets what is acknowledged of a ledger of which nothing was. */
    void restore(long ledgerId, EntryBits bits) {
        acked.put(ledgerId, bits);
        ackedBytes += bytes(bits);
    }

    /** What is acknowledged behind the mark-delete position, by ledger; not to be changed. */
    NavigableMap<Long, EntryBits> ackedBits() {
        return acked;
    }

    /** What is not acknowledged of batches that are acknowledged in part; not to be changed. */
    Map<Position, long[]> partialBatches() {
        return ackSets;
    }
}
