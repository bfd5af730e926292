package io.millrace.broker.log;

/** The position of an entry in its topic: entries of one ledger count from zero, ledgers ascend. */
public record Position(long ledgerId, long entryId) implements Comparable<Position> {
    /** Before every entry of every topic. */
    public static final Position BEFORE_ALL = new Position(-1, -1);

    @Override
    public int compareTo(Position other) {
        return compare(ledgerId, entryId, other.ledgerId, other.entryId);
    }

    public boolean isBefore(Position other) {
        return compareTo(other) < 0;
    }

    public boolean isAfter(Position other) {
        return compareTo(other) > 0;
    }

    /** The position right before it in its ledger; where nothing is before it, the one before its ledger's first entry. */
    public Position before() {
        return new Position(ledgerId, Math.max(-1, entryId - 1));
    }

    static int compare(long ledgerA, long entryA, long ledgerB, long entryB) {
        int byLedger = Long.compare(ledgerA, ledgerB);
        return byLedger != 0 ? byLedger : Long.compare(entryA, entryB);
    }

    @Override
    public String toString() {
        return ledgerId + ":" + entryId;
    }
}
