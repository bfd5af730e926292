package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import org.jspecify.annotations.Nullable;

/**
 * A publish on its way to the append stage.
 *
 * @param refusal why it must not be stored; it still travels, so that its producer's answers keep their order
 */
record Publish(
        Outbox outbox, PublishRequest request, @Nullable BrokerException refusal) {
    /** Gives up the data. */
    Publish refused(BrokerException failure) {
        request.data().release();
        return new Publish(outbox, request, failure);
    }
}
