package io.millrace.broker.log;

/** Entries of one ledger, both ends included. */
public record EntryRange(long ledgerId, long firstEntry, long lastEntry) {
    public long count() {
        return lastEntry - firstEntry + 1;
    }

    @Override
    public String toString() {
        return ledgerId + ":" + firstEntry + (lastEntry > firstEntry ? " to " + ledgerId + ":" + lastEntry : "");
    }
}
