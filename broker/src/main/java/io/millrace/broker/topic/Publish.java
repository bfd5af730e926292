package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import org.jspecify.annotations.Nullable;

/**
 * A publish on its way to the append stage.
 *
 * @param refusal why it must not be stored; it is still passed on, so that its producer's answers keep their order
 */
record Publish(
        Outbox outbox, PublishRequest request, @Nullable BrokerException refusal) {
    /** Refused if its producer is fenced by now. */
    Publish unlessFenced() {
        BrokerException fence = outbox.fence;
        return fence == null || refusal != null ? this : refused(fence);
    }

    /** Refused before the log had it: releases the data. */
    Publish refused(BrokerException failure) {
        request.data().release();
        return withRefusal(failure);
    }

    /** Refused by the log, which releases the data. */
    Publish withRefusal(BrokerException failure) {
        return new Publish(outbox, request, failure);
    }
}
