package io.millrace.broker.admin;

import io.millrace.avro.jackson.databind.JsonNode;
import io.millrace.broker.http.HttpRefusal;
import io.millrace.broker.http.Request;
import io.millrace.broker.http.Response;
import io.millrace.broker.http.Routes;
import io.millrace.broker.namespace.NamespaceName;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.namespace.Outcomes;
import io.millrace.broker.topic.TopicName;
import io.millrace.wire.admin.PartitionedTopicMetadata;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Partitioned topics, and the properties of all. */
final class PartitionPaths {
    private static final int NOT_ACCEPTABLE = 406;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final int PRECONDITION_FAILED = 412;
    private static final int UNPROCESSABLE = 422;

    private final Namespaces namespaces;

    PartitionPaths(Namespaces namespaces) {
        this.namespaces = namespaces;
    }

    void addTo(Routes routes) {
        TopicPath.DOMAINS.forEach((name, domain) -> addTo(routes, AdminApi.ROOT + '/' + name, domain));
    }

    private void addTo(Routes routes, String root, TopicName.Domain domain) {
        String topic = root + TopicPath.TOPIC;
        String partitions = topic + "/partitions";
        String properties = topic + "/properties";
        routes.get(root + TopicPath.NAMESPACE + "/partitioned", request -> list(request, domain))
                .get(partitions, request -> metadata(request, domain))
                .put(partitions, request -> create(request, domain))
                .post(partitions, request -> grow(request, domain))
                .delete(partitions, request -> delete(request, domain))
                .post(topic + "/createMissedPartitions", request -> Answers.done(partitioned(request, domain)))
                .get(properties, request -> Answers.json(namespaces.properties(TopicPath.topic(request, domain))))
                .put(
                        properties,
                        request -> Answers.done(namespaces.changeProperties(
                                TopicPath.topic(request, domain), Json.texts(request), Set.of())))
                .delete(
                        properties,
                        request -> Answers.done(namespaces.changeProperties(
                                TopicPath.topic(request, domain), Map.of(), Set.of(request.query("key", "")))));
    }

    private CompletionStage<Response> list(Request request, TopicName.Domain domain) {
        NamespaceName namespace = TopicPath.namespace(request);
        return Answers.json(namespaces
                .partitionedTopics(namespace)
                .thenApply(all -> all.stream()
                        .filter(name -> name.domain() == domain)
                        .map(TopicName::full)
                        .toList()));
    }

    private CompletionStage<Response> metadata(Request request, TopicName.Domain domain) {
        TopicName name = TopicPath.topic(request, domain);
        return Answers.json(namespaces
                .partitionsOf(name, request.flag("checkAllowAutoCreation"))
                .thenCompose(count -> count == 0
                        ? CompletableFuture.completedFuture(new PartitionedTopicMetadata(0))
                        : namespaces
                                .properties(name)
                                .thenApply(
                                        texts -> new PartitionedTopicMetadata(count, texts.isEmpty() ? null : texts))));
    }

    private CompletionStage<Response> create(Request request, TopicName.Domain domain) {
        JsonNode body = Json.tree(request);
        int count = number(body.isObject() ? body.path("partitions") : body);
        JsonNode properties = body.path("properties");
        return Answers.done(namespaces.createPartitionedTopic(
                unmarked(request, domain), count, properties.isObject() ? Json.texts(properties) : Map.of()));
    }

    /** A topic's name that is not that of a partition. */
    private static TopicName unmarked(Request request, TopicName.Domain domain) {
        TopicName name = TopicPath.topic(request, domain);
        if (name.holdsPartitionMark()) {
            throw new HttpRefusal(
                    PRECONDITION_FAILED, "Partitioned Topic Name should not contain '-partition-', but is " + name);
        }
        return name;
    }

    /** The partitions of a topic that has some. */
    private CompletionStage<List<TopicName>> partitioned(Request request, TopicName.Domain domain) {
        TopicName name = unmarked(request, domain);
        return namespaces.parts(name).thenApply(parts -> {
            if (parts.contains(name)) {
                throw new HttpRefusal(NOT_FOUND, "Partitioned Topic not found: " + name + " has no partitions");
            }
            return parts;
        });
    }

    private CompletionStage<Response> grow(Request request, TopicName.Domain domain) {
        TopicName name = unmarked(request, domain);
        int wanted = number(Json.tree(request));
        return Answers.done(namespaces
                .partitionsOf(name, false)
                .exceptionally(PartitionPaths::none)
                .thenCompose(before -> {
                    if (wanted < before) {
                        throw new HttpRefusal(
                                UNPROCESSABLE,
                                "Desired partitions " + wanted + " can't be less than the current partitions "
                                        + before);
                    }
                    return namespaces.growPartitionedTopic(name, wanted);
                }));
    }

    /** Of a topic that there is not, which is refused as one without partitions is. */
    private static int none(Throwable failure) {
        if (Outcomes.refusal(failure) == null) {
            throw Outcomes.rethrown(failure);
        }
        return 0;
    }

    private static int number(JsonNode given) {
        JsonNode node = Json.scalar(given);
        if (!node.isInt()) {
            throw new HttpRefusal(400, "the body must be a number of partitions, but is " + node);
        }
        if (node.intValue() < 1) {
            throw new HttpRefusal(NOT_ACCEPTABLE, "Number of partitions should be more than 0");
        }
        return node.intValue();
    }

    private CompletionStage<Response> delete(Request request, TopicName.Domain domain) {
        TopicName name = unmarked(request, domain);
        return Answers.done(namespaces.parts(name).thenCompose(parts -> {
            if (parts.contains(name)) {
                throw new HttpRefusal(CONFLICT, name + " is not a partitioned topic: use the verb for other topics");
            }
            return namespaces.deleteTopic(name, request.flag("force"));
        }));
    }
}
