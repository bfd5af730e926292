package io.millrace.broker.admin;

import io.millrace.broker.http.HttpRefusal;
import io.millrace.broker.http.Request;
import io.millrace.broker.http.Response;
import io.millrace.broker.http.Routes;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.wire.admin.AutoTopicCreationOverride;
import io.millrace.wire.admin.AutoTopicCreationOverrideImpl;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Policies that can be of one value only in a broker that is alone, and automatic topics, which have a form of their own. */
final class FixedPolicyPaths {
    private static final String NAMESPACE = NamespacePaths.NAMESPACE;
    private static final String AUTO_TOPICS = NAMESPACE + "/autoTopicCreation";
    private static final String TOPIC_CLUSTERS = "kept replication_clusters";
    private static final List<String> THE_CLUSTER = List.of(ClusterPaths.CLUSTER);

    private final Namespaces namespaces;

    FixedPolicyPaths(Namespaces namespaces) {
        this.namespaces = namespaces;
    }

    void addTo(Routes routes) {
        routes.get(
                        AUTO_TOPICS,
                        request -> policies(request).thenApply(stored -> answer(NamespacePolicies.autoTopics(stored))))
                .post(AUTO_TOPICS, this::setAutoTopics)
                .delete(AUTO_TOPICS, request -> store(request, Map.of()));
        PolicyKeeper ofNamespace = PolicyKeeper.ofNamespace(namespaces);
        tell(routes, NAMESPACE + "/replication", ofNamespace, isApplied -> THE_CLUSTER);
        tell(routes, NAMESPACE + "/allowedClusters", ofNamespace, isApplied -> List.of());
        tell(routes, NAMESPACE + "/bundles", ofNamespace, isApplied -> NamespacePolicies.bundles());
        takeTheCluster(routes, NAMESPACE + "/replication", ofNamespace);
        takeTheCluster(routes, NAMESPACE + "/allowedClusters", ofNamespace);
        addFilters(routes, NAMESPACE, ofNamespace);
        String group = NAMESPACE + "/resourcegroup";
        tell(routes, group, ofNamespace, isApplied -> null);
        routes.delete(group, request -> Answers.done(policies(request))).post(group + "/{group}", request -> {
            throw new HttpRefusal(
                    PolicyForm.PRECONDITION_FAILED,
                    "ResourceGroup does not exist: " + request.part("group") + ", as this broker has none");
        });
        TopicPath.DOMAINS.forEach((name, domain) -> {
            String topic = AdminApi.ROOT + '/' + name + TopicPath.TOPIC;
            PolicyKeeper ofTopic = PolicyKeeper.ofTopic(namespaces, domain);
            addClustersOf(routes, topic + "/replication", ofTopic);
            addFilters(routes, topic, ofTopic);
        });
    }

    /** A topic may say itself that it is of the cluster, and is told to say so until that is removed. */
    private static void addClustersOf(Routes routes, String path, PolicyKeeper ofTopic) {
        routes.get(
                        path,
                        request -> ofTopic.policies(request)
                                .thenApply(stored -> answer(
                                        request.flag("applied") || stored.containsKey(TOPIC_CLUSTERS)
                                                ? THE_CLUSTER
                                                : null)))
                .post(path, request -> {
                    NamespacePolicies.requireClusters(Json.tree(request));
                    return Answers.done(
                            ofTopic.change(request, Set.of(), Map.of(TOPIC_CLUSTERS, ClusterPaths.CLUSTER)));
                })
                .delete(path, request -> Answers.done(ofTopic.change(request, Set.of(TOPIC_CLUSTERS), Map.of())));
    }

    /** Tells the same of every namespace or topic that there is. */
    private static void tell(
            Routes routes, String path, PolicyKeeper keeper, Function<Boolean, @Nullable Object> value) {
        routes.get(
                path,
                request -> keeper.policies(request).thenApply(there -> answer(value.apply(request.flag("applied")))));
    }

    private static void takeTheCluster(Routes routes, String path, PolicyKeeper keeper) {
        routes.post(path, request -> {
            NamespacePolicies.requireClusters(Json.tree(request));
            return Answers.done(keeper.policies(request));
        });
    }

    /** There are none: what clients filter by, they do themselves. */
    private static void addFilters(Routes routes, String parent, PolicyKeeper keeper) {
        String path = parent + "/entryFilters";
        tell(routes, path, keeper, isApplied -> isApplied ? Map.of("entryFilterNames", "") : null);
        routes.delete(path, request -> Answers.done(keeper.policies(request))).post(path, request -> {
            String names = Json.tree(request).path("entryFilterNames").asText();
            throw new HttpRefusal(PolicyForm.BAD_REQUEST, "Entry filter '" + names + "' not found");
        });
    }

    private CompletionStage<Map<String, String>> policies(Request request) {
        return Answers.ofNamespace(namespaces.policies(TopicPath.namespace(request)));
    }

    private static Response answer(@Nullable Object value) {
        return value == null ? Response.noContent() : Json.answer(value);
    }

    private CompletionStage<Response> setAutoTopics(Request request) {
        AutoTopicCreationOverride auto = Json.read(request, AutoTopicCreationOverrideImpl.class);
        return store(request, NamespacePolicies.storedAutoTopics(auto));
    }

    private CompletionStage<Response> store(Request request, Map<String, String> policies) {
        Set<String> keys = Set.copyOf(NamespacePolicies.autoTopicKeys());
        return Answers.done(Answers.ofNamespace(namespaces.setPolicies(TopicPath.namespace(request), keys, policies)));
    }
}
