package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.memory.MemoryBudget;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * What a topic needs from the directory that opened it.
 *
 * @param clock tells when a delayed entry is due, and when consumers did what
 * @param memory what clients may make the broker hold
 * @param storedBytes what the log holds on the heap of what it stores
 * @param directory takes the topic's own reports, and requests that came too late for it
 */
record TopicHome(
        TopicLimits limits, InstantSource clock, MemoryBudget memory, LongSupplier storedBytes, Directory directory) {
    /** The directory's mailbox. */
    @FunctionalInterface
    interface Directory {
        void tell(DirectoryCommand command);
    }

    /**
     * Does nothing while there is memory for more that is stored.
     *
     * @throws BrokerException otherwise, with what to do
     */
    void requireRoomToStore() {
        memory.stored(storedBytes.getAsLong());
        if (!memory.hasRoomForTopics()) {
            throw new BrokerException(ErrorKind.TOO_MANY_REQUESTS, memory.topicRefusal());
        }
    }

    /** Tells whether the topic is idle: the directory may then unload it. */
    void idle(TopicName name, TopicMailbox topic, boolean idle) {
        directory.tell(new DirectoryCommand.Idle(name, topic, idle));
    }

    /** Has open topics close subscriptions that nobody uses, as room is short. */
    void closeUnused() {
        directory.tell(DirectoryCommand.CloseUnused.CLOSE_UNUSED);
    }

    /** A request that found the topic unloaded: it goes to the same topic, opened again. */
    void again(TopicName name, TopicCommand.Request request) {
        directory.tell(new DirectoryCommand.Again(name, request));
    }

    /** Answers a request that no topic will see. */
    static void refuse(CompletableFuture<?> reply) {
        reply.completeExceptionally(Topics.closed());
    }
}
