package io.millrace.broker.admin;

import io.millrace.broker.log.TopicFacts;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.topic.Topic;
import io.millrace.broker.topic.TopicFigures;
import io.millrace.broker.topic.TopicName;
import io.millrace.wire.admin.NonPersistentTopicStatsImpl;
import io.millrace.wire.admin.TopicStatsImpl;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Asks those who own topics for their figures. */
final class StatsOfTopics {
    private final Namespaces namespaces;

    StatsOfTopics(Namespaces namespaces) {
        this.namespaces = namespaces;
    }

    /** The figures of these topics, by name, those that are stored first. Asking opens none. */
    CompletionStage<Map<String, TopicStatsImpl>> of(List<TopicName> names) {
        return gather(names).thenApply(Gathered::stats);
    }

    /** What those who own these topics say; asking opens none. */
    CompletionStage<Gathered> gather(List<TopicName> names) {
        CompletionStage<Map<String, TopicFigures>> open =
                namespaces.openTopics(names).thenCompose(StatsOfTopics::figures);
        return namespaces.facts(names).thenCombine(open, (facts, figures) -> new Gathered(names, facts, figures));
    }

    /** What the owners of topics said, to be told in Pulsar's shape by any thread. */
    record Gathered(List<TopicName> names, List<TopicFacts> facts, Map<String, TopicFigures> figures) {
        /** By name, those that are stored first. */
        Map<String, TopicStatsImpl> stats() {
            Map<String, TopicStatsImpl> stats = new LinkedHashMap<>();
            for (TopicFacts each : facts) {
                stats.put(each.name(), TopicStatsOf.stored(each, figures.get(each.name())));
            }
            for (TopicName name : names) {
                TopicFigures each = figures.get(name.full());
                if (!name.isPersistent()) {
                    stats.put(name.full(), each == null ? new NonPersistentTopicStatsImpl() : TopicStatsOf.live(each));
                }
            }
            return stats;
        }
    }

    /** What each says; one that closes meanwhile is left out. */
    private static CompletionStage<Map<String, TopicFigures>> figures(Map<TopicName, Topic> open) {
        Map<String, TopicFigures> figures = new HashMap<>();
        List<CompletableFuture<?>> asked = new ArrayList<>();
        Map<String, CompletableFuture<TopicFigures>> answers = new HashMap<>();
        open.forEach((name, topic) -> {
            CompletableFuture<TopicFigures> answer = topic.figures().toCompletableFuture();
            answers.put(name.full(), answer);
            asked.add(answer.handle((each, closed) -> each));
        });
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)).thenApply(done -> {
            answers.forEach((name, answer) -> {
                if (!answer.isCompletedExceptionally()) {
                    figures.put(name, answer.join());
                }
            });
            return figures;
        });
    }
}
