package io.millrace.broker.dispatch;

import io.millrace.broker.log.CursorState;

/** When a subscription was last asked for messages, and when its mark last moved. Owned by the island. */
final class SubscriptionTimes {
    private final RoundClock clock;
    private final CursorState cursor;
    private long flowMillis;
    private long markMillis;
    private long expiryMillis;

    SubscriptionTimes(RoundClock clock, CursorState cursor) {
        this.clock = clock;
        this.cursor = cursor;
    }

    /** The consumer asks for messages. */
    void flow(Consumer consumer) {
        flowMillis = clock.millis();
        consumer.activity.flow(flowMillis);
    }

    /** The consumer has acknowledged, while the mark was there before. */
    void acked(Consumer consumer, long markLedger, long markEntry) {
        consumer.activity.acked(clock.millis());
        marked(markLedger, markEntry);
    }

    /** Messages have expired, while the mark was there before. */
    void expired(long markLedger, long markEntry) {
        expiryMillis = clock.millis();
        marked(markLedger, markEntry);
    }

    private void marked(long ledgerBefore, long entryBefore) {
        if (cursor.markEntry() != entryBefore || cursor.markLedger() != ledgerBefore) {
            markMillis = clock.millis();
        }
    }

    DispatcherStats.Times times() {
        return new DispatcherStats.Times(flowMillis, markMillis, expiryMillis);
    }
}
