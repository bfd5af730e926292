package io.millrace.broker.log;

/** What a cursor needs to know about its topic's ledgers. */
public interface LedgerBounds {
    /** The last entry of that ledger so far, or -1 if the topic has no such ledger. */
    long lastEntryOf(long ledgerId);

    /** The smallest ledger above that one, or -1 if there is none. */
    long ledgerAfter(long ledgerId);
}
