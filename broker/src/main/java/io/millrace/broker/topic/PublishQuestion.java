package io.millrace.broker.topic;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Asks the append stage, which owns them, for what producers have published; the first is what all have, also those that left. */
record PublishQuestion(List<PublishCounts> producers, CompletableFuture<List<TopicFigures.Published>> reply) {
    void answer(PublishCounts all) {
        List<TopicFigures.Published> each = new ArrayList<>(producers.size() + 1);
        each.add(all.look());
        producers.forEach(counts -> each.add(counts.look()));
        reply.complete(each);
    }
}
