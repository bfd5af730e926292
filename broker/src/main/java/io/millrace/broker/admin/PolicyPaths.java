package io.millrace.broker.admin;

import io.millrace.broker.http.Request;
import io.millrace.broker.http.Response;
import io.millrace.broker.http.Routes;
import io.millrace.broker.namespace.NamespaceName;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.wire.admin.AutoTopicCreationOverride;
import io.millrace.wire.admin.AutoTopicCreationOverrideImpl;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Policies of namespaces, one by one. */
final class PolicyPaths {
    private static final String NAMESPACE = NamespacePaths.NAMESPACE;
    private static final String AUTO_TOPICS = NAMESPACE + "/autoTopicCreation";

    private final Namespaces namespaces;

    PolicyPaths(Namespaces namespaces) {
        this.namespaces = namespaces;
    }

    void addTo(Routes routes) {
        routes.get(
                        AUTO_TOPICS,
                        request -> policies(request).thenApply(stored -> answer(NamespacePolicies.autoTopics(stored))))
                .post(AUTO_TOPICS, this::setAutoTopics)
                .delete(AUTO_TOPICS, request -> store(request, Map.of()))
                .get(
                        NAMESPACE + "/replication",
                        request -> Answers.json(policies(request).thenApply(there -> List.of(ClusterPaths.CLUSTER))))
                .post(NAMESPACE + "/replication", request -> {
                    NamespacePolicies.requireClusters(Json.tree(request));
                    return Answers.done(policies(request));
                })
                .get(
                        NAMESPACE + "/bundles",
                        request -> Answers.json(policies(request).thenApply(there -> NamespacePolicies.bundles())))
                .get(
                        NAMESPACE + "/permissions",
                        request -> Answers.json(policies(request).thenApply(there -> Map.of())))
                .get(
                        NAMESPACE + "/properties",
                        request -> Answers.json(policies(request).thenApply(there -> Map.of())));
        NamespacePolicies.WITHOUT_EFFECT.forEach((path, name) -> addKept(routes, path, name));
    }

    /** One that is kept and has no effect. */
    private void addKept(Routes routes, String path, String name) {
        String key = NamespacePolicies.key(name);
        String at = NAMESPACE + '/' + path;
        io.millrace.broker.http.Handler set = request -> {
            String value = Json.tree(request).toString();
            NamespacePolicies.tell(name);
            return Answers.done(namespaces.setPolicy(TopicPath.namespace(request), key, value));
        };
        routes.get(
                        at,
                        request -> policies(request)
                                .thenApply(stored -> stored.containsKey(key)
                                        ? Json.answer(Json.parse(stored.getOrDefault(key, "null")))
                                        : Response.noContent()))
                .post(at, set)
                .put(at, set)
                .delete(at, request -> Answers.done(namespaces.setPolicy(TopicPath.namespace(request), key, null)));
    }

    private CompletionStage<Map<String, String>> policies(Request request) {
        return namespaces.policies(TopicPath.namespace(request));
    }

    private static Response answer(@org.jspecify.annotations.Nullable Object value) {
        return value == null ? Response.noContent() : Json.answer(value);
    }

    private CompletionStage<Response> setAutoTopics(Request request) {
        AutoTopicCreationOverride auto = Json.read(request, AutoTopicCreationOverrideImpl.class);
        return store(request, NamespacePolicies.storedAutoTopics(auto));
    }

    private CompletionStage<Response> store(Request request, Map<String, String> policies) {
        NamespaceName namespace = TopicPath.namespace(request);
        return Answers.done(namespaces.setPolicies(namespace, Set.copyOf(NamespacePolicies.autoTopicKeys()), policies));
    }
}
