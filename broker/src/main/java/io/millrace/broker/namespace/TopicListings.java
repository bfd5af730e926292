package io.millrace.broker.namespace;

import io.millrace.broker.topic.TopicName;
import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Materializer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Lists topics for clients, on the blocking workers: a pattern over many names takes long. Few run at a time, so that
 * others keep their workers. Owned by the namespace stage.
 */
final class TopicListings {
    private static final int RUNNING = 2;

    private final Shared shared;
    private final Island island;
    private final Materializer runtime;
    private final Queue<Waiting> waiting = new ArrayDeque<>(0);
    private int running;

    TopicListings(Shared shared, Island island, Materializer runtime) {
        this.shared = shared;
        this.island = island;
        this.runtime = runtime;
    }

    private record Waiting(
            TopicListing asked,
            List<String> live,
            @Nullable TopicPattern pattern,
            CompletableFuture<TopicList> reply) {}

    /** The topics that match, of those that are stored and of the live ones, which are not; all of them, as the list says, if the pattern is not one that is matched here. */
    CompletionStage<TopicList> list(TopicListing asked, List<String> live) {
        String text = asked.pattern();
        return list(asked, live, text == null ? null : TopicPattern.of(text));
    }

    CompletionStage<TopicList> list(TopicListing asked, List<String> live, @Nullable TopicPattern pattern) {
        CompletableFuture<TopicList> reply = new CompletableFuture<>();
        waiting.add(new Waiting(asked, live, pattern, reply));
        next();
        return reply;
    }

    private void next() {
        Waiting first = running == RUNNING ? null : waiting.poll();
        if (first == null) {
            return;
        }
        running++;
        CompletionStage<TopicList> listed = Source.single(first)
                .map(this::list)
                .toMat(Sink.head(), Keep.right())
                .withAttributes(Attributes.blocking())
                .named("topics of " + first.asked.namespace())
                .run(runtime);
        island.home(listed).whenComplete((list, failure) -> {
            running--;
            if (failure == null) {
                first.reply.complete(list);
            } else {
                first.reply.completeExceptionally(failure);
            }
            next();
        });
    }

    private TopicList list(Waiting question) {
        List<String> names = new ArrayList<>();
        TopicListing asked = question.asked;
        if (asked.includes(TopicName.Domain.PERSISTENT)) {
            String prefix = asked.namespace().topicPrefix(TopicName.Domain.PERSISTENT);
            add(shared.log().topicNames(name -> name.startsWith(prefix)), question.pattern, names);
        }
        if (asked.includes(TopicName.Domain.NON_PERSISTENT)) {
            add(question.live, question.pattern, names);
        }
        names.sort(null);
        return TopicList.of(names, question.pattern != null);
    }

    private static void add(Collection<String> found, @Nullable TopicPattern pattern, List<String> names) {
        for (String name : found) {
            if (pattern == null || pattern.matches(name)) {
                names.add(name);
            }
        }
    }
}
