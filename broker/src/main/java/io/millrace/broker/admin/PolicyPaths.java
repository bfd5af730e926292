package io.millrace.broker.admin;

import io.millrace.avro.jackson.databind.JsonNode;
import io.millrace.broker.http.HttpRefusal;
import io.millrace.broker.http.Request;
import io.millrace.broker.http.Response;
import io.millrace.broker.http.Routes;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.topic.TopicName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The policies of {@link PolicyTable}, with namespaces and with topics: each is got, set and removed at one path. */
final class PolicyPaths {
    private static final String APPLIED = "applied";

    private final Namespaces namespaces;
    private final Policy maxMessage;

    /** Of a broker that takes messages of so many bytes at most. */
    PolicyPaths(Namespaces namespaces, int maxMessageBytes) {
        this.namespaces = namespaces;
        maxMessage = PolicyTable.maxMessage(maxMessageBytes);
    }

    void addTo(Routes routes) {
        PolicyKeeper ofNamespace = PolicyKeeper.ofNamespace(namespaces);
        for (Policy policy : PolicyTable.all()) {
            String end = policy.names().ofNamespace();
            if (end != null) {
                add(
                        routes,
                        NamespacePaths.NAMESPACE + '/' + end,
                        policy,
                        ofNamespace,
                        NamespacePolicies.unset(policy, namespaces.defaultPolicies()));
            }
        }
        addQuotas(routes, NamespacePaths.NAMESPACE, ofNamespace);
        routes.delete(
                NamespacePaths.NAMESPACE + "/removeOffloadPolicies",
                request -> remove(PolicyTable.OFFLOAD, ofNamespace, request));
        TopicPath.DOMAINS.forEach((name, domain) -> {
            String topic = AdminApi.ROOT + '/' + name + TopicPath.TOPIC;
            PolicyKeeper ofTopic = PolicyKeeper.ofTopic(namespaces, domain);
            addAll(routes, topic, PolicyTable.OTHERS, ofTopic);
            addAll(routes, topic, List.of(maxMessage), ofTopic);
            PolicyKeeper ofSchemas = PolicyKeeper.ofSchemas(namespaces, domain);
            addAll(routes, topic, PolicyTable.OF_SCHEMAS, ofSchemas);
            addQuotas(routes, topic, ofTopic);
            routes.delete(
                    topic + "/policies",
                    request -> Answers.done(removeAll(PolicyKeeper.topic(request, domain))
                            .thenCompose(done -> ofSchemas.policies(request))
                            .thenCompose(there -> ofSchemas.change(request, there.keySet(), Map.of()))));
        });
    }

    /** Removes a topic's own policies and those that are set for all clusters; permissions are none. */
    private CompletionStage<Void> removeAll(TopicName topic) {
        return namespaces
                .topicPolicies(topic)
                .thenCompose(own -> namespaces.setTopicPolicies(
                        topic,
                        own.keySet().stream()
                                .filter(key -> !PermissionPaths.isPermission(key))
                                .collect(Collectors.toSet()),
                        Map.of()))
                .thenCompose(done -> namespaces.globalTopicPolicies(topic))
                .thenCompose(global -> namespaces.setGlobalTopicPolicies(topic, global.keySet(), Map.of()));
    }

    private static void addAll(Routes routes, String topic, List<Policy> policies, PolicyKeeper keeper) {
        for (Policy policy : policies) {
            String end = policy.names().ofTopic();
            if (end != null) {
                add(
                        routes,
                        topic + '/' + end,
                        policy,
                        keeper,
                        Policy.parsed(policy.unset().ofTopic()));
            }
        }
    }

    private static void add(Routes routes, String path, Policy policy, PolicyKeeper keeper, @Nullable JsonNode unset) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        routes.get(path, request -> {
                    boolean isApplied = request.flag(APPLIED);
                    return isApplied
                            ? all(keeper, request).thenApply(nearest -> answer(policy.applied(nearest)))
                            : keeper.policies(request).thenApply(stored -> answer(told(policy, stored, unset)));
                })
                .post(path, request -> set(name, policy, keeper, request))
                .put(path, request -> set(name, policy, keeper, request))
                .delete(path, request -> remove(policy, keeper, request));
    }

    private static @Nullable JsonNode told(Policy policy, Map<String, String> stored, @Nullable JsonNode unset) {
        JsonNode told = policy.told(stored);
        return told == null ? unset : told;
    }

    /** The value of a request, in its body or, as for some, in its query under the name that its path ends with. */
    private static @Nullable JsonNode value(Request request, String name) {
        if (!request.content().isEmpty()) {
            JsonNode body = Json.tree(request);
            return body.isNull() ? null : body;
        }
        String query = request.query(name, "");
        return query.isEmpty() ? null : Json.parseOrRefuse(query);
    }

    private static CompletionStage<List<Map<String, String>>> all(PolicyKeeper keeper, Request request) {
        return keeper.policies(request).thenCombine(keeper.behind(request), (own, behind) -> {
            List<Map<String, String>> nearest = new ArrayList<>(List.of(own));
            nearest.addAll(behind);
            return nearest;
        });
    }

    private static CompletionStage<Response> set(String name, Policy policy, PolicyKeeper keeper, Request request) {
        JsonNode given = value(request, name);
        JsonNode value = given == null ? policy.form().missing() : given;
        if (value == null) {
            return remove(policy, keeper, request);
        }
        String stored = policy.form().stored(name, value);
        return Answers.done(
                keeper.change(request, Set.of(), Map.of(policy.key(), stored)).thenAccept(done -> policy.tell()));
    }

    private static CompletionStage<Response> remove(Policy policy, PolicyKeeper keeper, Request request) {
        return Answers.done(keeper.change(request, Set.of(policy.key()), Map.of()));
    }

    private static Response answer(@Nullable JsonNode told) {
        return told == null ? Response.noContent() : Json.answer(told);
    }

    /** Quotas are set by type and told together. */
    private static void addQuotas(Routes routes, String path, PolicyKeeper keeper) {
        String one = path + "/backlogQuota";
        routes.get(one + "Map", request -> {
                    boolean isApplied = request.flag(APPLIED);
                    return all(keeper, request)
                            .thenApply(nearest -> Json.answer(quotas(
                                    policy -> isApplied ? policy.applied(nearest) : policy.told(nearest.get(0)))));
                })
                .post(one, request -> set("backlogQuota", quota(request), keeper, request))
                .delete(one, request -> remove(quota(request), keeper, request));
    }

    private static Policy quota(Request request) {
        String type = request.query("backlogQuotaType", "destination_storage");
        Policy found = PolicyTable.QUOTAS.get(type);
        if (found == null) {
            throw new HttpRefusal(
                    PolicyForm.BAD_REQUEST,
                    "backlogQuotaType is one of " + String.join(", ", PolicyTable.QUOTAS.keySet()) + ", but is "
                            + type);
        }
        return found;
    }

    /** By type, those of which something is told. */
    static Map<String, JsonNode> quotas(Function<Policy, @Nullable JsonNode> told) {
        Map<String, JsonNode> quotas = new TreeMap<>();
        PolicyTable.QUOTAS.forEach((type, policy) -> {
            JsonNode quota = told.apply(policy);
            if (quota != null) {
                quotas.put(type, quota);
            }
        });
        return quotas;
    }
}
