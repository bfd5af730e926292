package io.millrace.broker.admin;

import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.http.Request;
import io.millrace.broker.http.Response;
import io.millrace.broker.http.Routes;
import io.millrace.broker.namespace.NamespaceName;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.namespace.Outcomes;
import io.millrace.broker.namespace.TopicListing;
import io.millrace.broker.topic.TopicName;
import io.millrace.wire.admin.TopicStatsImpl;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;

/**
 * Metrics in the text format of Prometheus (version 0.0.4), by the names that Pulsar's have. Topics that nobody uses are
 * counted and have no series, as asking opens none; of those in use the first thousand by name have.
 */
final class MetricsPath {
    private static final String FORMAT = "text/plain; version=0.0.4; charset=utf-8";
    private static final int MAX_TOPICS = 1_000;

    private final Namespaces namespaces;
    private final StatsOfTopics stats;

    MetricsPath(Namespaces namespaces, StatsOfTopics stats) {
        this.namespaces = namespaces;
        this.stats = stats;
    }

    void addTo(Routes routes) {
        routes.get("/metrics", this::metrics);
    }

    private CompletionStage<Response> metrics(Request request) {
        Map<NamespaceName, List<TopicName>> topics = new TreeMap<>();
        return namespaces
                .tenants()
                .thenCompose(tenants -> Outcomes.inTurn(tenants, tenant -> gather(tenant, topics)))
                .thenCompose(gathered -> inUse(topics))
                .thenCompose(names -> stats.of(first(names)).thenApply(all -> text(topics, all, names.size())));
    }

    /** A tenant or a namespace that is deleted meanwhile is left out. */
    private CompletionStage<Void> gather(String tenant, Map<NamespaceName, List<TopicName>> topics) {
        return Outcomes.unlessGone(
                namespaces
                        .namespaces(tenant)
                        .thenCompose(all -> Outcomes.inTurn(
                                all,
                                namespace ->
                                        Outcomes.unlessGone(gather(namespace, topics), ErrorKind.NAMESPACE_NOT_FOUND))),
                ErrorKind.TENANT_NOT_FOUND);
    }

    private CompletionStage<Void> gather(NamespaceName namespace, Map<NamespaceName, List<TopicName>> topics) {
        return namespaces
                .policies(namespace)
                .thenCompose(there -> namespaces.list(new TopicListing(namespace, null, null)))
                .thenAccept(list -> topics.put(
                        namespace, list.names().stream().map(TopicName::parse).toList()));
    }

    private CompletionStage<List<TopicName>> inUse(Map<NamespaceName, List<TopicName>> topics) {
        List<TopicName> all = new ArrayList<>();
        topics.values().forEach(all::addAll);
        return namespaces
                .openTopics(all)
                .thenApply(open -> open.keySet().stream()
                        .sorted(Comparator.comparing(TopicName::full))
                        .toList());
    }

    private static List<TopicName> first(List<TopicName> names) {
        return names.subList(0, Math.min(MAX_TOPICS, names.size()));
    }

    private static Response text(
            Map<NamespaceName, List<TopicName>> topics, Map<String, TopicStatsImpl> stats, int inUse) {
        PrometheusText text = new PrometheusText();
        if (inUse > MAX_TOPICS) {
            text.comment(inUse + " topics are in use; the first " + MAX_TOPICS + " by name have metrics of their own");
        }
        text.begin("pulsar_topics_count");
        topics.forEach((namespace, names) -> text.sample(names.size(), "namespace", namespace.toString()));
        for (TopicMetric metric : TopicMetric.ALL) {
            text.begin(metric.name());
            stats.forEach((topic, each) -> metric.write(text, TopicName.parse(topic), each));
        }
        return new Response(200, FORMAT, text.toString().getBytes(StandardCharsets.UTF_8), Map.of());
    }
}
