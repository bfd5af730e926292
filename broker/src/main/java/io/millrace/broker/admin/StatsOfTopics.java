package io.millrace.broker.admin;

import io.millrace.broker.log.TopicFacts;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.topic.Topic;
import io.millrace.broker.topic.TopicFigures;
import io.millrace.broker.topic.TopicName;
import io.millrace.wire.admin.NonPersistentTopicStatsImpl;
import io.millrace.wire.admin.TopicStatsImpl;
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
        CompletionStage<Map<TopicName, TopicFigures>> open =
                namespaces.openTopics(names).thenCompose(StatsOfTopics::figures);
        return namespaces.facts(names).thenCombine(open, (facts, figures) -> new Gathered(names, facts, figures));
    }

    /** What the owners of topics said, to be told in Pulsar's shape by any thread. */
    record Gathered(List<TopicName> names, List<TopicFacts> facts, Map<TopicName, TopicFigures> figures) {
        /** By name, those that are stored first. */
        Map<String, TopicStatsImpl> stats() {
            Map<String, TopicFigures> open = new HashMap<>();
            figures.forEach((name, each) -> open.put(name.full(), each));
            Map<String, TopicStatsImpl> stats = new LinkedHashMap<>();
            for (TopicFacts each : facts) {
                stats.put(each.name(), TopicStatsOf.stored(each, open.get(each.name())));
            }
            for (TopicName name : names) {
                TopicFigures each = figures.get(name);
                if (!name.isPersistent()) {
                    stats.put(name.full(), each == null ? new NonPersistentTopicStatsImpl() : TopicStatsOf.live(each));
                }
            }
            return stats;
        }
    }

    /** What each says; one that closes meanwhile is left out. Runs where topics are opened: what is kept costs little. */
    private static CompletionStage<Map<TopicName, TopicFigures>> figures(Map<TopicName, Topic> open) {
        Map<TopicName, TopicFigures> figures = new HashMap<>();
        Map<TopicName, CompletableFuture<TopicFigures>> asked = new HashMap<>();
        open.forEach((name, topic) -> {
            CompletableFuture<TopicFigures> answer = topic.figures().toCompletableFuture();
            if (answer.isDone()) {
                putAnswer(figures, name, answer);
            } else {
                asked.put(name, answer);
            }
        });
        CompletableFuture<?>[] answered = asked.values().stream()
                .map(answer -> answer.handle((each, closed) -> each))
                .toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(answered).thenApply(done -> {
            asked.forEach((name, answer) -> putAnswer(figures, name, answer));
            return figures;
        });
    }

    private static void putAnswer(
            Map<TopicName, TopicFigures> figures, TopicName name, CompletableFuture<TopicFigures> answer) {
        if (!answer.isCompletedExceptionally()) {
            figures.put(name, answer.join());
        }
    }
}
