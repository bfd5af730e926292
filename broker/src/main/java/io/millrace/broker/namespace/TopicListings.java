package io.millrace.broker.namespace;

import io.millrace.broker.topic.TopicName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Lists topics for clients, on the blocking workers: a pattern over many names takes long. Owned by the namespace stage. */
final class TopicListings {
    private final Shared shared;
    private final BlockingTasks tasks;

    TopicListings(Shared shared, BlockingTasks tasks) {
        this.shared = shared;
        this.tasks = tasks;
    }

    /** The topics that match, of those that are stored and of the live ones, which are not; all of them, as the list says, if the pattern is not one that is matched here. */
    CompletionStage<TopicList> list(TopicListing asked, List<String> live) {
        String text = asked.pattern();
        return list(asked, live, text == null ? null : TopicPattern.of(text));
    }

    CompletionStage<TopicList> list(TopicListing asked, List<String> live, @Nullable TopicPattern pattern) {
        return tasks.run("topics of " + asked.namespace(), () -> matching(asked, live, pattern));
    }

    private TopicList matching(TopicListing asked, List<String> live, @Nullable TopicPattern pattern) {
        List<String> names = new ArrayList<>();
        if (asked.includes(TopicName.Domain.PERSISTENT)) {
            String prefix = asked.namespace().topicPrefix(TopicName.Domain.PERSISTENT);
            add(shared.log().topicNames(name -> name.startsWith(prefix)), pattern, names);
        }
        if (asked.includes(TopicName.Domain.NON_PERSISTENT)) {
            add(live, pattern, names);
        }
        names.sort(null);
        return TopicList.of(names, pattern != null);
    }

    private static void add(Collection<String> found, @Nullable TopicPattern pattern, List<String> names) {
        for (String name : found) {
            if (pattern == null || pattern.matches(name)) {
                names.add(name);
            }
        }
    }
}
