package io.millrace.broker.admin;

import io.millrace.avro.jackson.databind.JsonNode;
import io.millrace.avro.jackson.databind.node.ObjectNode;
import io.millrace.broker.http.HttpRefusal;
import io.millrace.broker.http.Request;
import io.millrace.broker.http.Response;
import io.millrace.broker.http.Routes;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.namespace.PolicyChange;
import io.millrace.broker.topic.TopicName;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * What roles may do with namespaces, topics and subscriptions: kept among the policies and told again, as a Pulsar without
 * authorization does; nobody is refused for want of a permission. Those of a topic go with it.
 */
final class PermissionPaths {
    // What a policy is of, before a name that is anything: names are compared as a whole, never by how they begin.
    private static final String OF_ROLE = "permission ";
    private static final String OF_SUBSCRIPTION = "subscription-permission ";
    private static final Set<String> ACTIONS =
            Set.of("produce", "consume", "functions", "sources", "sinks", "packages");
    private static final int BAD_REQUEST = 400;
    private static final int PRECONDITION_FAILED = 412;

    private final Namespaces namespaces;

    PermissionPaths(Namespaces namespaces) {
        this.namespaces = namespaces;
    }

    void addTo(Routes routes) {
        String all = NamespacePaths.NAMESPACE + "/permissions";
        String ofRole = all + "/{role}";
        String ofSubscription = all + "/subscription/{subscription}";
        routes.post(
                        AdminApi.ROOT + "/namespaces/grantPermissionsOnTopics",
                        request -> onTopics(request, PermissionPaths::granted))
                .post(
                        AdminApi.ROOT + "/namespaces/revokePermissionsOnTopics",
                        request -> onTopics(request, PermissionPaths::revoked));
        String ofTopic = AdminApi.ROOT + "/persistent" + TopicPath.TOPIC + "/permissions";
        routes.get(all, request -> Answers.json(stored(request).thenApply(PermissionPaths::ofRoles)))
                .post(ofRole, request -> change(request, Set.of(), grant(request)))
                .delete(ofRole, request -> change(request, Set.of(OF_ROLE + request.part("role")), Map.of()))
                .get(
                        all + "/subscription",
                        request -> Answers.json(stored(request).thenApply(PermissionPaths::ofSubscriptions)))
                .post(
                        ofSubscription,
                        request -> change(
                                request,
                                Set.of(),
                                Map.of(OF_SUBSCRIPTION + TopicPath.subscription(request), Json.text(texts(request)))))
                .delete(all + "/{subscription}/{role}", this::revokeOfSubscription)
                .delete(ofSubscription + "/{role}", this::revokeOfSubscription)
                .get(ofTopic, this::ofTopic)
                .post(
                        ofTopic + "/{role}",
                        request -> onTopic(
                                request, (name, kept) -> namespaces.setTopicPolicies(name, Set.of(), grant(request))))
                .delete(
                        ofTopic + "/{role}",
                        request -> onTopic(request, (name, kept) -> {
                            String key = OF_ROLE + request.part("role");
                            if (!kept.containsKey(key)) {
                                throw new HttpRefusal(
                                        PRECONDITION_FAILED, "Permissions are not set at the topic level");
                            }
                            return namespaces.setTopicPolicies(name, Set.of(key), Map.of());
                        }));
    }

    /** Does something with a topic, or a partitioned one, of which these policies are kept. */
    private interface TopicVerb {
        CompletionStage<Void> run(TopicName name, Map<String, String> kept);
    }

    /** Whether what is kept of a topic under that key is a permission, and no policy. */
    static boolean isPermission(String key) {
        return key.startsWith(OF_ROLE);
    }

    /** Adds what is kept to the policies of a namespace as tools are told them. */
    static void tell(ObjectNode policies, Map<String, String> stored) {
        ObjectNode told = policies.withObjectProperty("auth_policies");
        set(told, "namespace_auth", ofRoles(stored));
        set(told, "subscription_auth_roles", ofSubscriptions(stored));
    }

    private static void set(ObjectNode told, String property, Map<String, Set<String>> permissions) {
        if (!permissions.isEmpty()) {
            told.set(property, Json.parse(Json.text(permissions)));
        }
    }

    private static Map<String, Set<String>> ofRoles(Map<String, String> stored) {
        return told(stored, OF_ROLE);
    }

    private static Map<String, Set<String>> ofSubscriptions(Map<String, String> stored) {
        return told(stored, OF_SUBSCRIPTION);
    }

    private static Map<String, Set<String>> told(Map<String, String> stored, String prefix) {
        Map<String, Set<String>> told = new TreeMap<>();
        stored.forEach((key, value) -> {
            if (key.startsWith(prefix)) {
                told.put(key.substring(prefix.length()), texts(Json.parse(value)));
            }
        });
        return told;
    }

    private CompletionStage<Map<String, String>> stored(Request request) {
        return namespaces.policies(TopicPath.namespace(request));
    }

    private CompletionStage<Response> change(Request request, Set<String> removed, Map<String, String> set) {
        return Answers.done(namespaces.setPolicies(TopicPath.namespace(request), removed, set));
    }

    /** Changes what an array of topics and roles names, together: all of them are there, or nothing is changed. */
    private CompletionStage<Response> onTopics(Request request, Function<JsonNode, PolicyChange> change) {
        JsonNode body = Json.tree(request);
        if (!body.isArray() || body.isEmpty()) {
            throw new HttpRefusal(BAD_REQUEST, "the body must be an array of topics and roles, but is " + body);
        }
        Map<TopicName, PolicyChange> changes = new HashMap<>();
        for (JsonNode each : body) {
            TopicName name = TopicName.parse(text(each, "topic")).whole();
            changes.merge(name, change.apply(each), PermissionPaths::both);
        }
        return Answers.done(namespaces.setTopicPolicies(changes));
    }

    private static PolicyChange granted(JsonNode each) {
        JsonNode actions = each.path("actions");
        if (!actions.isArray()) {
            throw new HttpRefusal(BAD_REQUEST, "actions must be an array of texts, but are missing in " + each);
        }
        return new PolicyChange(Set.of(), grant(text(each, "role"), texts(actions)));
    }

    private static PolicyChange revoked(JsonNode each) {
        return new PolicyChange(Set.of(OF_ROLE + text(each, "role")), Map.of());
    }

    private static PolicyChange both(PolicyChange one, PolicyChange other) {
        Set<String> removed = union(one.removed(), other.removed());
        Map<String, String> set = new HashMap<>(one.set());
        set.putAll(other.set());
        return new PolicyChange(removed, set);
    }

    private static String text(JsonNode node, String field) {
        JsonNode text = node.path(field);
        if (!text.isTextual() || text.asText().isEmpty()) {
            throw new HttpRefusal(BAD_REQUEST, field + " must be a text, but is missing in " + node);
        }
        return text.asText();
    }

    private static Map<String, String> grant(Request request) {
        return grant(request.part("role"), texts(request));
    }

    private static Map<String, String> grant(String role, Set<String> actions) {
        for (String action : actions) {
            if (!ACTIONS.contains(action)) {
                throw new HttpRefusal(BAD_REQUEST, "there is no action '" + action + "': use some of " + ACTIONS);
            }
        }
        return Map.of(OF_ROLE + role, Json.text(actions));
    }

    private static Set<String> texts(Request request) {
        JsonNode body = Json.tree(request);
        if (!body.isArray()) {
            throw new HttpRefusal(BAD_REQUEST, "the body must be an array of texts, but is " + body);
        }
        return texts(body);
    }

    private static Set<String> texts(JsonNode array) {
        Set<String> texts = new TreeSet<>();
        array.forEach(each -> texts.add(each.asText()));
        return texts;
    }

    private CompletionStage<Response> revokeOfSubscription(Request request) {
        String key = OF_SUBSCRIPTION + TopicPath.subscription(request);
        String role = request.part("role");
        return Answers.done(namespaces.changePolicies(TopicPath.namespace(request), kept -> {
            String stored = kept.get(key);
            Set<String> roles = stored == null ? new TreeSet<>() : texts(Json.parse(stored));
            roles.remove(role);
            return new PolicyChange(Set.of(key), roles.isEmpty() ? Map.of() : Map.of(key, Json.text(roles)));
        }));
    }

    /** Those of its namespace and its own together. */
    private CompletionStage<Response> ofTopic(Request request) {
        TopicName name = TopicPath.topic(request, TopicName.Domain.PERSISTENT);
        return Answers.json(namespaces
                .parts(name)
                .thenCompose(parts -> namespaces.topicPolicies(name.whole()))
                .thenCombine(stored(request), (own, ofNamespace) -> {
                    Map<String, Set<String>> all = ofRoles(ofNamespace);
                    ofRoles(own).forEach((role, actions) -> all.merge(role, actions, PermissionPaths::union));
                    return all;
                }));
    }

    private static Set<String> union(Set<String> some, Set<String> others) {
        Set<String> all = new TreeSet<>(some);
        all.addAll(others);
        return all;
    }

    private CompletionStage<Response> onTopic(Request request, TopicVerb verb) {
        TopicName name = TopicPath.topic(request, TopicName.Domain.PERSISTENT);
        Function<Map<String, String>, CompletionStage<Void>> change = kept -> verb.run(name.whole(), kept);
        return Answers.done(namespaces
                .parts(name)
                .thenCompose(parts -> namespaces.topicPolicies(name.whole()))
                .thenCompose(change));
    }
}
