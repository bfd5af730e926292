package io.millrace.broker.topic;

import io.millrace.broker.log.TopicLog;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The messages to the directory of topics: requests from outside, and answers to its own requests. */
sealed interface DirectoryCommand {
    record Open(TopicName name, CompletableFuture<Topic> reply) implements DirectoryCommand {}

    /** Asks for topics that are open; others are not opened. */
    record Find(List<TopicName> names, CompletableFuture<Map<TopicName, Topic>> reply) implements DirectoryCommand {
        void answer(Map<TopicName, Topic> open) {
            Map<TopicName, Topic> found = new HashMap<>();
            for (TopicName name : names) {
                Topic topic = open.get(name);
                if (topic != null) {
                    found.put(name, topic);
                }
            }
            reply.complete(found);
        }
    }

    /** The same of all that are open and that the filter lets through, which the directory calls. */
    record Matching(Predicate<TopicName> wanted, CompletableFuture<Map<TopicName, Topic>> reply)
            implements DirectoryCommand {
        /** Those that are told to unload count: one may answer that it is in use again. */
        void answer(Map<TopicName, Topic> open, Stream<Topic> unloading) {
            Map<TopicName, Topic> found = new HashMap<>(open);
            unloading.forEach(topic -> found.put(topic.name(), topic));
            found.keySet().removeIf(wanted.negate());
            reply.complete(found);
        }
    }

    record Exists(TopicName name, CompletableFuture<Boolean> reply) implements DirectoryCommand {}

    record Names(CompletableFuture<List<String>> reply) implements DirectoryCommand {}

    /** Closes these topics and has the log release them, unless one is in use and that is not to be overridden. */
    record Release(List<TopicName> names, ReleaseIf when, CompletableFuture<Void> reply) implements DirectoryCommand {}

    /** Whether topics in use are to be closed. */
    enum ReleaseIf {
        /** They are not; who has just left one may not be heard yet, so that it is asked first. */
        UNUSED,
        /** They are not, and all that had left are heard. */
        UNUSED_AND_ASKED,
        ALWAYS
    }

    /** Has open topics close subscriptions that nobody uses, as one of them needs the room. */
    enum CloseUnused implements DirectoryCommand {
        CLOSE_UNUSED
    }

    /** Sets how a topic is opened for requests that came too late, and who is told that one has been unloaded. */
    record Reopening(Function<TopicName, CompletionStage<Topic>> open, Consumer<TopicName> unloaded)
            implements DirectoryCommand {}

    record Close(CompletableFuture<Void> reply) implements DirectoryCommand {}

    record Opened(
            TopicName name,
            @Nullable TopicLog log,
            @Nullable Throwable failure) implements DirectoryCommand {}

    record Stopped(Topic topic) implements DirectoryCommand {}

    /** A topic tells whether it is idle. */
    record Idle(TopicName name, TopicMailbox topic, boolean idle) implements DirectoryCommand {}

    /** A request that reached a topic when it had been unloaded. */
    record Again(TopicName name, TopicCommand.Request request) implements DirectoryCommand {}

    /** The log has released a topic that was unloaded. */
    record Left(TopicName name) implements DirectoryCommand {}
}
