package io.millrace.broker.log;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * When a topic was made, its ledgers were opened and its last entry made durable, in milliseconds since the epoch; 0 for what did
 * not happen or, in a folder of a version that did not say so, is not known. Records say the first two, the snapshot all; of
 * entries that recovery reads from the journal it is when their client published them, if that can be.
 *
 * <p><b>Threads</b>: the journal writer {@link #published}, the ledger writer and recovery all. <b>Shared</b>: its fields,
 * volatile, each written by one thread at a time and read by the ledger writer. <b>Proved by</b>: TopicTimesTest, PowerLossTest.
 */
final class TopicTimes {
    /** The snapshot has them among the topic's properties by that name. */
    static final String PROPERTY = "times";

    static final int BYTES = 3 * Long.BYTES;

    /** By so much clocks may differ that are right. */
    private static final long TOLERANCE_MILLIS = 60_000;

    private static final int LEDGER_BYTES = 2 * Long.BYTES;

    private volatile long createdMillis;
    private volatile long ledgerMillis;
    private volatile long publishedMillis;

    void created(long millis) {
        createdMillis = millis;
    }

    void ledgerOpened(long millis) {
        ledgerMillis = millis;
    }

    void published(long millis) {
        publishedMillis = millis;
    }

    /**
     * An entry was recovered that its client published then, in a ledger that was opened then. The clock of who published before the ledger was there is behind:
     * for all that is known it is now; nor is it ahead of now, or before what is known already.
     */
    void recovered(long clientMillis, long openedMillis) {
        long nowMillis = System.currentTimeMillis();
        boolean isBehind = clientMillis < openedMillis - TOLERANCE_MILLIS;
        publishedMillis = Math.max(publishedMillis, isBehind ? nowMillis : Math.min(clientMillis, nowMillis));
    }

    TopicFacts.Times facts() {
        return new TopicFacts.Times(createdMillis, ledgerMillis, publishedMillis);
    }

    boolean isKnown() {
        return createdMillis != 0 || ledgerMillis != 0 || publishedMillis != 0;
    }

    /** They and, behind them, each ledger and when it was opened, if that is known. */
    byte[] encoded(LedgerTable ledgers) {
        Ledger[] dated = Arrays.stream(ledgers.ledgers())
                .filter(ledger -> ledger.openedMillis() != 0)
                .toArray(Ledger[]::new);
        ByteBuffer out = ByteBuffer.allocate(BYTES + dated.length * LEDGER_BYTES)
                .putLong(createdMillis)
                .putLong(ledgerMillis)
                .putLong(publishedMillis);
        for (Ledger ledger : dated) {
            out.putLong(ledger.id).putLong(ledger.openedMillis());
        }
        return out.array();
    }

    /** Takes over what {@link #encoded} gave; an earlier version's ends before the ledgers. */
    void decode(byte[] bytes, LedgerTable ledgers) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        createdMillis = in.getLong();
        ledgerMillis = in.getLong();
        publishedMillis = in.getLong();
        while (in.hasRemaining()) {
            Ledger ledger = ledgers.get(in.getLong());
            long openedMillis = in.getLong();
            if (ledger != null) {
                ledger.setOpenedMillis(openedMillis);
            }
        }
    }
}
