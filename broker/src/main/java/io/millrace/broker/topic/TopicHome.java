package io.millrace.broker.topic;

import io.millrace.broker.memory.MemoryBudget;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;

/**
 * What a topic needs from the directory that opened it.
 *
 * @param clock tells when a delayed entry is due
 * @param memory what clients may make the broker hold
 * @param directory takes the topic's own reports, and requests that came too late for it
 */
record TopicHome(TopicLimits limits, InstantSource clock, MemoryBudget memory, Directory directory) {
    /** The directory's mailbox. */
    @FunctionalInterface
    interface Directory {
        void tell(DirectoryCommand command);
    }

    /** Tells whether the topic is idle: the directory may then unload it. */
    void idle(TopicName name, TopicMailbox topic, boolean idle) {
        directory.tell(new DirectoryCommand.Idle(name, topic, idle));
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
