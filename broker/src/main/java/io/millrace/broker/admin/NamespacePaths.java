package io.millrace.broker.admin;

import io.millrace.avro.jackson.databind.JsonNode;
import io.millrace.broker.http.HttpRefusal;
import io.millrace.broker.http.Request;
import io.millrace.broker.http.Response;
import io.millrace.broker.http.Routes;
import io.millrace.broker.namespace.NamespaceName;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.namespace.TopicListing;
import io.millrace.broker.topic.TopicName;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Namespaces and what is in them. */
final class NamespacePaths {
    private static final String NAMESPACES = AdminApi.ROOT + "/namespaces";
    static final String NAMESPACE = NAMESPACES + TopicPath.NAMESPACE;

    private final Namespaces namespaces;

    NamespacePaths(Namespaces namespaces) {
        this.namespaces = namespaces;
    }

    void addTo(Routes routes) {
        routes.get(
                        NAMESPACES + "/{tenant}",
                        request -> Answers.json(namespaces
                                .namespaces(request.part("tenant"))
                                .thenApply(all -> all.stream()
                                        .map(NamespaceName::toString)
                                        .toList())))
                .get(
                        NAMESPACE,
                        request -> Answers.json(Answers.ofNamespace(namespaces.policies(TopicPath.namespace(request)))
                                .thenApply(stored -> NamespacePolicies.of(stored, namespaces.defaultPolicies()))))
                .put(
                        NAMESPACE,
                        request -> Answers.done(
                                namespaces.createNamespace(TopicPath.namespace(request), policies(request))))
                .delete(NAMESPACE, request -> Answers.done(delete(TopicPath.namespace(request), request.flag("force"))))
                .get(NAMESPACE + "/topics", this::topics)
                .put(NAMESPACE + "/unload", this::unload)
                .put(NAMESPACE + "/{bundle}/unload", this::unload);
    }

    private CompletionStage<Void> delete(NamespaceName namespace, boolean force) {
        return force ? namespaces.deleteNamespaceWithTopics(namespace) : namespaces.deleteNamespace(namespace);
    }

    private static Map<String, String> policies(Request request) {
        if (request.content().isEmpty()) {
            return Map.of();
        }
        JsonNode body = Json.tree(request);
        return body.isNull() ? Map.of() : NamespacePolicies.read(body);
    }

    private CompletionStage<Response> topics(Request request) {
        NamespaceName namespace = TopicPath.namespace(request);
        TopicName.Domain domain = domain(request.query("mode", "PERSISTENT"));
        return Answers.json(namespaces
                .policies(namespace)
                .thenCompose(there -> namespaces.list(new TopicListing(namespace, domain, null)))
                .thenApply(list -> list.names()));
    }

    private static TopicName.@Nullable Domain domain(String mode) {
        return switch (mode.toUpperCase(Locale.ROOT)) {
            case "PERSISTENT" -> TopicName.Domain.PERSISTENT;
            case "NON_PERSISTENT" -> TopicName.Domain.NON_PERSISTENT;
            case "ALL" -> null;
            default -> throw new HttpRefusal(400, "mode is PERSISTENT, NON_PERSISTENT or ALL, but is " + mode);
        };
    }

    /** Closes every topic; clients come back by themselves. */
    private CompletionStage<Response> unload(Request request) {
        NamespaceName namespace = TopicPath.namespace(request);
        return Answers.done(namespaces
                .policies(namespace)
                .thenCompose(there -> namespaces.list(new TopicListing(namespace, null, null)))
                .thenCompose(list -> namespaces.unload(
                        list.names().stream().map(TopicName::parse).toList())));
    }
}
