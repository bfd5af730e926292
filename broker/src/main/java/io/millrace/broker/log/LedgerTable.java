package io.millrace.broker.log;

import org.jspecify.annotations.Nullable;

/** A topic's ledgers by ascending id; immutable, so that any thread may search it. */
final class LedgerTable {
    static final LedgerTable EMPTY = new LedgerTable(new Ledger[0]);

    private final Ledger[] ledgers;

    private LedgerTable(Ledger[] ledgers) {
        this.ledgers = ledgers;
    }

    LedgerTable with(Ledger ledger) {
        Ledger[] more = java.util.Arrays.copyOf(ledgers, ledgers.length + 1);
        more[ledgers.length] = ledger;
        return new LedgerTable(more);
    }

    LedgerTable without(Ledger gone) {
        return new LedgerTable(java.util.Arrays.stream(ledgers)
                .filter(ledger -> ledger != gone)
                .toArray(Ledger[]::new));
    }

    Ledger[] ledgers() {
        return ledgers;
    }

    boolean isEmpty() {
        return ledgers.length == 0;
    }

    @Nullable
    Ledger first() {
        return isEmpty() ? null : ledgers[0];
    }

    @Nullable
    Ledger last() {
        return isEmpty() ? null : ledgers[ledgers.length - 1];
    }

    @Nullable
    Ledger get(long id) {
        Ledger ledger = atOrAfter(id);
        return ledger != null && ledger.id == id ? ledger : null;
    }

    @Nullable
    Ledger atOrAfter(long id) {
        int low = 0;
        int high = ledgers.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ledgers[middle].id < id) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < ledgers.length ? ledgers[low] : null;
    }

    /** The ledger behind that one; null if it is the last. */
    @Nullable
    Ledger after(Ledger ledger) {
        return atOrAfter(ledger.id + 1);
    }

    /** How many entries come before this position, counted from some fixed start. */
    long ordinal(Position position) {
        Ledger ledger = atOrAfter(position.ledgerId());
        if (ledger == null) {
            Ledger last = last();
            return last == null ? 0 : last.firstOrdinal + last.entryCount();
        }
        if (ledger.id > position.ledgerId()) {
            return ledger.firstOrdinal;
        }
        return ledger.firstOrdinal + Math.max(0, Math.min(position.entryId(), ledger.entryCount()));
    }
}
