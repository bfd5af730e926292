package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.CloseReason;
import io.millrace.broker.inspect.ClientHandle;
import io.millrace.broker.log.Position;
import io.millrace.streams.graph.Attributes;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A connected producer as its topic sees it; no method may block. Of each publish exactly one of {@link #receipt}, {@link
 * #failed} and {@link #dropped} is told, the first two in the order in which the publishes were made.
 *
 * <p><b>Threads</b>: the topic's append stage calls {@link #receipt}, {@link #failed} and {@link #flush}; its control stage
 * {@link #waiting}, {@link #throttled} and {@link #closed}; the producer's own stage {@link #dropped}. The three may do so at the same time.
 */
public interface ProducerLink {
    /** Where the producer's own stream runs: on the thread of its connection, a publish changes threads once less. */
    default Attributes place() {
        return Attributes.NONE;
    }

    /** The entry is durable at this position. */
    void receipt(long sequenceId, long highestSequenceId, Position position);

    /** The entry was not stored. */
    void failed(long sequenceId, BrokerException failure);

    /** The entry never reached the append stage, which has stopped; needs no {@link #flush}. */
    void dropped(long sequenceId, BrokerException failure);

    /** Ends a run of {@link #receipt} and {@link #failed} calls: they may be written out. */
    void flush();

    /** Whether what it publishes waits for a rate from now on: the link may take less from its client meanwhile. */
    default void throttled(boolean isThrottled) {}

    /** The producer waits under that name until the topic is its own; told once, before it is attached or refused. */
    default void waiting(String name) {}

    /**
     * Asks the client whether it is alive, because another producer needs its place. False if it did not answer within
     * 5 s; its connection is then already closed.
     */
    default CompletionStage<Boolean> isAlive() {
        return CompletableFuture.completedFuture(true);
    }

    /** Whose it is; the same for its whole life, any thread may ask. */
    default ClientHandle client() {
        return ClientHandle.IN_PROCESS;
    }

    /** The broker closes the producer: the link answers with {@link ProducerHandle#close}, at once or soon. */
    void closed(CloseReason reason);
}
