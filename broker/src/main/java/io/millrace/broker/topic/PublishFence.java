package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;

/** Has the append stage refuse whatever comes of a producer from now on, also what was published before. */
record PublishFence(Outbox outbox, BrokerException refusal) {
    void close() {
        outbox.fence = refusal;
    }
}
