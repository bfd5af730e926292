package io.millrace.broker.log;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A topic as the log has it at one moment, whether anybody uses it or not.
 *
 * @param lastDurable {@link Position#BEFORE_ALL} if it never had an entry
 */
public record TopicFacts(
        String name, List<LedgerFacts> ledgers, List<CursorFacts> cursors, Position lastDurable, Use use) {
    private static final int MAX_RANGES = 1_000;

    /** A run of its entries; the last one may grow. */
    public record LedgerFacts(long id, long entries, long bytes) {}

    /**
     * A durable subscription.
     *
     * @param ackedRanges what is acknowledged behind the mark, as Pulsar writes it, the first thousand ranges
     * @param properties what users say of it
     */
    public record CursorFacts(
            String name,
            Position markDelete,
            Backlog backlog,
            List<String> ackedRanges,
            Map<String, String> properties) {
        public long backlogEntries() {
            return backlog.entries();
        }

        public long backlogBytes() {
            return backlog.bytes();
        }
    }

    /** Entries that are not acknowledged as a whole, and what they take by the means of their ledgers, in bytes. */
    public record Backlog(long entries, long bytes) {}

    /**
     * What was published since it was opened.
     *
     * @param isTerminated whether it takes no more entries, for ever
     * @param times when it was made, and what happened last; also before it was opened
     */
    public record Use(boolean isOpen, boolean isTerminated, long messagesIn, long bytesIn, Times times) {}

    /**
     * In milliseconds since the epoch; 0 for what never happened, and for what an earlier version did and did not date.
     *
     * @param createdMillis when it was made
     * @param ledgerMillis when its last ledger was opened
     * @param publishedMillis when its last entry became durable; of one that recovery found in the journal, when its client
     *     published it
     */
    public record Times(long createdMillis, long ledgerMillis, long publishedMillis) {}

    /** The entries that are stored. */
    public long entries() {
        return ledgers.stream().mapToLong(LedgerFacts::entries).sum();
    }

    /** What they take on disk, in bytes. */
    public long bytes() {
        return ledgers.stream().mapToLong(LedgerFacts::bytes).sum();
    }

    /** For the ledger writer, which owns the cursors that are read. */
    static TopicFacts of(TopicLog topic, boolean isOpen) {
        List<LedgerFacts> ledgers = new ArrayList<>();
        synchronized (topic) {
            for (Ledger ledger : topic.table().ledgers()) {
                ledgers.add(new LedgerFacts(ledger.id, ledger.entryCount(), ledger.bytes));
            }
        }
        List<CursorFacts> cursors = new ArrayList<>();
        for (TopicCursors.Image image : topic.cursors().images().values()) {
            CursorState state = image.state();
            long backlog = topic.backlogOf(state);
            cursors.add(new CursorFacts(
                    image.name(),
                    state.markDelete(),
                    new Backlog(backlog, backlog == 0 ? 0 : backlogBytes(ledgers, state)),
                    ranges(state),
                    CursorProperties.decode(image.properties())));
        }
        return new TopicFacts(topic.name(), ledgers, cursors, topic.lastDurable(), topic.use(isOpen));
    }

    private static long backlogBytes(List<LedgerFacts> ledgers, CursorState state) {
        Position mark = state.markDelete();
        double bytes = 0;
        for (int i = ledgers.size() - 1; i >= 0 && ledgers.get(i).id() >= mark.ledgerId(); i--) {
            LedgerFacts ledger = ledgers.get(i);
            EntryBits acked = state.ackedBits().get(ledger.id());
            long behind = ledger.id() == mark.ledgerId() ? ledger.entries() - mark.entryId() - 1 : ledger.entries();
            long left = behind - (acked == null ? 0 : acked.count());
            bytes += left <= 0 ? 0 : (double) ledger.bytes() / ledger.entries() * left;
        }
        return (long) bytes;
    }

    private static List<String> ranges(CursorState state) {
        List<String> ranges = new ArrayList<>();
        for (Map.Entry<Long, EntryBits> ledger : state.ackedBits().entrySet()) {
            EntryBits bits = ledger.getValue();
            for (int from = bits.next(0); from >= 0 && ranges.size() < MAX_RANGES; ) {
                int end = bits.nextAbsent(from);
                ranges.add("(" + ledger.getKey() + ":" + (from - 1) + ".." + ledger.getKey() + ":" + (end - 1) + "]");
                from = bits.next(end);
            }
        }
        return ranges;
    }
}
