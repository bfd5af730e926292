package io.millrace.broker.dispatch;

import io.millrace.broker.inspect.ClientHandle;
import io.millrace.broker.log.Entry;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A connected consumer as its dispatcher sees it. Every method but {@link #describe}, {@link #client}, {@link #isWritable} and {@link
 * #takesAnySchema} is called
 * from the dispatcher's island, one call at a time; none may block. The object's identity identifies the consumer.
 */
public interface ConsumerLink {
    /**
     * Sends an entry. The link takes over one reference of it and releases that when the entry is written.
     *
     * @param redeliveryCount how often the entry was sent before
     * @param ackSet set bits are the messages of the batch that are not acknowledged; null if none is
     */
    void deliver(Entry entry, int redeliveryCount, long @Nullable [] ackSet);

    /** Ends a run of {@link #deliver} calls: the entries may be written to the connection. */
    void flush();

    /** Tells a Failover consumer whether it is the one that gets the entries. */
    void activeChanged(boolean active);

    /** Every entry delivered from now on belongs to this epoch of the consumer; told before entries are sent again. */
    default void rewound(long consumerEpoch) {}

    /** Tells that the topic takes no more entries and that the subscription has acknowledged all; once. */
    default void reachedEnd() {}

    /**
     * Asks the client whether it is alive, because another consumer needs its place, or the memory that it would be
     * sent. False if it did not answer within 5 s; its connection is then already closed.
     */
    default CompletionStage<Boolean> isAlive() {
        return CompletableFuture.completedFuture(true);
    }

    /** The broker closes the consumer, which is detached already; the client may connect again. */
    void closed(CloseReason reason);

    /** Whether the consumer takes messages of any schema, rather than of its own, or bytes. */
    default boolean takesAnySchema() {
        return false;
    }

    /** False while the connection takes no more bytes: it then counts as having no permits. */
    boolean isWritable();

    /** Whose it is; the same for its whole life, any thread may ask. */
    default ClientHandle client() {
        return ClientHandle.IN_PROCESS;
    }

    /** Names the consumer in messages for people. */
    String describe();
}
