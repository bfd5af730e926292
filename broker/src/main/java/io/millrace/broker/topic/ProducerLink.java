package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.CloseReason;
import io.millrace.broker.log.Position;
import io.millrace.streams.Attributes;

/**
 * A connected producer as its topic sees it. Called from the topic's islands; no method may block. Of each publish
 * exactly one of {@link #receipt} and {@link #failed} is told, in the order the publishes were made.
 */
public interface ProducerLink {
    /** Where the producer's own stream runs: beside its connection, a publish changes threads once less. */
    default Attributes place() {
        return Attributes.NONE;
    }

    /** The entry is durable at this position. */
    void receipt(long sequenceId, long highestSequenceId, Position position);

    /** The entry was not stored. */
    void failed(long sequenceId, BrokerException failure);

    /** Ends a run of {@link #receipt} and {@link #failed} calls: they may be written out. */
    void flush();

    /** The broker closes the producer: the link answers with {@link ProducerHandle#close}, at once or soon. */
    void closed(CloseReason reason);
}
