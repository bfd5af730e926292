package io.millrace.broker.admin;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.http.HttpRefusal;
import io.millrace.broker.http.Request;
import io.millrace.broker.http.Response;
import io.millrace.broker.http.Routes;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.topic.TopicName;
import io.millrace.wire.admin.NonPersistentPartitionedTopicStatsImpl;
import io.millrace.wire.admin.NonPersistentTopicStatsImpl;
import io.millrace.wire.admin.PartitionedTopicInternalStats;
import io.millrace.wire.admin.PartitionedTopicMetadata;
import io.millrace.wire.admin.PartitionedTopicStatsImpl;
import io.millrace.wire.admin.TopicStatsImpl;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Figures of topics, from those who own them. Asking opens no topic. */
final class StatsPaths {
    private static final int NOT_FOUND = 404;

    private final Namespaces namespaces;
    private final StatsOfTopics stats;

    StatsPaths(Namespaces namespaces, StatsOfTopics stats) {
        this.namespaces = namespaces;
        this.stats = stats;
    }

    void addTo(Routes routes) {
        TopicPath.DOMAINS.forEach((name, domain) -> addTo(routes, AdminApi.ROOT + '/' + name, domain));
    }

    private void addTo(Routes routes, String root, TopicName.Domain domain) {
        String topic = root + TopicPath.TOPIC;
        routes.get(topic + "/stats", request -> stats(request, domain))
                .get(topic + "/partitioned-stats", request -> partitionedStats(request, domain))
                .get(topic + "/internalStats", request -> internalStats(request, domain))
                .get(topic + "/partitioned-internalStats", request -> partitionedInternalStats(request, domain));
    }

    private CompletionStage<Response> stats(Request request, TopicName.Domain domain) {
        return Answers.json(whole(request, domain)
                .thenCompose(name -> stats.of(List.of(name)))
                .thenApply(all -> without(request, first(all))));
    }

    /** Figures without those of clients that the request leaves out. */
    private static TopicStatsImpl without(Request request, TopicStatsImpl stats) {
        if (request.flag("excludePublishers")) {
            stats.setPublishers(List.of());
        }
        if (request.flag("excludeConsumers")) {
            stats.getSubscriptions()
                    .values()
                    .forEach(each -> each.getConsumers().clear());
        }
        return stats;
    }

    private static <T> T first(Map<String, T> all) {
        return all.values().stream().findFirst().orElseThrow(StatsPaths::gone);
    }

    private static BrokerException gone() {
        return new BrokerException(ErrorKind.TOPIC_NOT_FOUND, "Topic not found: it was deleted meanwhile");
    }

    /** A topic without partitions. */
    private CompletionStage<TopicName> whole(Request request, TopicName.Domain domain) {
        TopicName name = TopicPath.topic(request, domain);
        return namespaces.parts(name).thenApply(parts -> {
            if (!parts.contains(name)) {
                throw new HttpRefusal(NOT_FOUND, "Topic not found: " + name + " is a partitioned topic");
            }
            return name;
        });
    }

    private CompletionStage<Response> partitionedStats(Request request, TopicName.Domain domain) {
        boolean isEach = request.query("perPartition", "true").equalsIgnoreCase("true");
        TopicName name = TopicPath.topic(request, domain);
        return Answers.json(metadata(name)
                .thenCompose(metadata -> namespaces
                        .parts(name)
                        .thenCompose(stats::of)
                        .thenApply(all -> {
                            all.values().forEach(each -> without(request, each));
                            return summed(metadata, all, isEach, domain);
                        })));
    }

    private static TopicStatsImpl summed(
            PartitionedTopicMetadata metadata,
            Map<String, TopicStatsImpl> all,
            boolean isEach,
            TopicName.Domain domain) {
        if (domain == TopicName.Domain.PERSISTENT) {
            PartitionedTopicStatsImpl sum = new PartitionedTopicStatsImpl(metadata);
            all.forEach((name, each) -> {
                sum.add(each);
                if (isEach) {
                    sum.partitions.put(name, each);
                }
            });
            return sum;
        }
        NonPersistentPartitionedTopicStatsImpl sum = new NonPersistentPartitionedTopicStatsImpl(metadata);
        all.forEach((name, each) -> {
            sum.add((NonPersistentTopicStatsImpl) each);
            if (isEach) {
                sum.getPartitions().put(name, (NonPersistentTopicStatsImpl) each);
            }
        });
        return sum;
    }

    private CompletionStage<PartitionedTopicMetadata> metadata(TopicName name) {
        return namespaces
                .properties(name)
                .thenCompose(properties ->
                        namespaces.partitionsOf(name, false).thenApply(count -> metadata(name, count, properties)));
    }

    private static PartitionedTopicMetadata metadata(TopicName name, int count, Map<String, String> properties) {
        if (count == 0) {
            throw new BrokerException(ErrorKind.TOPIC_NOT_FOUND, "Partitioned Topic not found: " + name);
        }
        return new PartitionedTopicMetadata(count, properties.isEmpty() ? null : properties);
    }

    private CompletionStage<Response> internalStats(Request request, TopicName.Domain domain) {
        return Answers.json(whole(request, domain)
                .thenCompose(name -> namespaces.facts(List.of(name)))
                .thenApply(all -> InternalStatsOf.topic(all.stream().findFirst().orElseThrow(StatsPaths::gone))));
    }

    private CompletionStage<Response> partitionedInternalStats(Request request, TopicName.Domain domain) {
        TopicName name = TopicPath.topic(request, domain);
        return Answers.json(metadata(name)
                .thenCompose(metadata -> namespaces
                        .parts(name)
                        .thenCompose(namespaces::facts)
                        .thenApply(all -> {
                            PartitionedTopicInternalStats sum = new PartitionedTopicInternalStats(metadata);
                            all.forEach(each -> sum.partitions.put(each.name(), InternalStatsOf.topic(each)));
                            return sum;
                        })));
    }
}
