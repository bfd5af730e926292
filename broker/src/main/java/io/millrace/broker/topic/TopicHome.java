package io.millrace.broker.topic;

import io.millrace.broker.memory.MemoryBudget;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;

/**
 * What a topic needs of the directory that opened it.
 *
 * @param clock tells when a delayed entry is due
 * @param memory what clients may make the broker hold
 * @param directory takes what the topic says of itself, and requests that came too late for it
 */
record TopicHome(TopicLimits limits, InstantSource clock, MemoryBudget memory, Directory directory) {
    /** The directory's mailbox. */
    @FunctionalInterface
    interface Directory {
        void tell(DirectoryCommand command);
    }

    /** The topic is in use, or no longer: the directory may unload it then. */
    void idle(TopicName name, TopicMailbox topic, boolean idle) {
        directory.tell(new DirectoryCommand.Idle(name, topic, idle));
    }

    /** A request that found the topic unloaded: it goes to the same topic, opened anew. */
    void again(TopicName name, TopicCommand.Request request) {
        directory.tell(new DirectoryCommand.Again(name, request));
    }

    /** Answers a request that no topic will see. */
    static void refuse(CompletableFuture<?> reply) {
        reply.completeExceptionally(Topics.closed());
    }
}
