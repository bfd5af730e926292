package io.millrace.broker.dispatch;

/** When a consumer asked for messages, was sent some, and acknowledged some, in milliseconds since the epoch. Owned by the island. */
final class Activity {
    private long firstFlowMillis;
    private long lastFlowMillis;
    private long firstSentMillis;
    private long lastSentMillis;
    private long lastAckMillis;

    void flow(long nowMillis) {
        firstFlowMillis = firstFlowMillis == 0 ? nowMillis : firstFlowMillis;
        lastFlowMillis = nowMillis;
    }

    void sent(long nowMillis) {
        firstSentMillis = firstSentMillis == 0 ? nowMillis : firstSentMillis;
        lastSentMillis = nowMillis;
    }

    void acked(long nowMillis) {
        lastAckMillis = nowMillis;
    }

    DispatcherStats.ConsumerTimes times() {
        return new DispatcherStats.ConsumerTimes(
                firstFlowMillis, lastFlowMillis, firstSentMillis, lastSentMillis, lastAckMillis);
    }
}
