package io.millrace.broker.admin;

import io.millrace.broker.http.HttpRefusal;
import io.millrace.broker.http.Request;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.namespace.Outcomes;
import io.millrace.broker.namespace.PolicyChange;
import io.millrace.broker.schema.Compatibility;
import io.millrace.broker.schema.SchemaPolicy;
import io.millrace.broker.topic.TopicName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Where the policies of a request are kept: with its namespace, or with its topic. */
interface PolicyKeeper {
    /** Those that are set there, by key. */
    CompletionStage<Map<String, String>> policies(Request request);

    /** Those that apply where it has none of its own, nearest first. */
    CompletionStage<List<Map<String, String>>> behind(Request request);

    /** Removes those of these keys, and sets others. */
    CompletionStage<Void> change(Request request, Set<String> removed, Map<String, String> set);

    static PolicyKeeper ofNamespace(Namespaces namespaces) {
        return new PolicyKeeper() {
            @Override
            public CompletionStage<Map<String, String>> policies(Request request) {
                return Answers.ofNamespace(namespaces.policies(TopicPath.namespace(request)));
            }

            @Override
            public CompletionStage<List<Map<String, String>>> behind(Request request) {
                return CompletableFuture.completedFuture(List.of(namespaces.defaultPolicies()));
            }

            @Override
            public CompletionStage<Void> change(Request request, Set<String> removed, Map<String, String> set) {
                return Answers.ofNamespace(namespaces.changePolicies(TopicPath.namespace(request), there -> {
                    BacklogWithinRetention.OF_NAMESPACE.require(set, List.of(there));
                    return new PolicyChange(removed, set);
                }));
            }
        };
    }

    static PolicyKeeper ofTopic(Namespaces namespaces, TopicName.Domain domain) {
        return new PolicyKeeper() {
            @Override
            public CompletionStage<Map<String, String>> policies(Request request) {
                return isGlobal(request)
                        ? namespaces.globalTopicPolicies(topic(request, domain))
                        : namespaces.topicPolicies(topic(request, domain));
            }

            @Override
            public CompletionStage<List<Map<String, String>>> behind(Request request) {
                return namespaces
                        .globalTopicPolicies(topic(request, domain))
                        .thenCombine(
                                namespaces.policies(TopicPath.namespace(request)),
                                (global, stored) -> List.of(global, stored, namespaces.defaultPolicies()));
            }

            @Override
            public CompletionStage<Void> change(Request request, Set<String> removed, Map<String, String> set) {
                return BacklogWithinRetention.concerns(set)
                        ? policies(request)
                                .thenCombine(namespaces.policies(TopicPath.namespace(request)), List::of)
                                .thenAccept(there -> BacklogWithinRetention.OF_TOPIC.require(set, there))
                                .thenCompose(valid -> store(request, removed, set))
                        : store(request, removed, set);
            }

            private CompletionStage<Void> store(Request request, Set<String> removed, Map<String, String> set) {
                return isGlobal(request)
                        ? namespaces.setGlobalTopicPolicies(topic(request, domain), removed, set)
                        : namespaces.setTopicPolicies(topic(request, domain), removed, set);
            }

            private static boolean isGlobal(Request request) {
                return request.flag("isGlobal");
            }
        };
    }

    /** The topic that policies are set for, which is no partition. */
    static TopicName topic(Request request, TopicName.Domain domain) {
        TopicName name = TopicPath.topic(request, domain);
        if (name.isPartition()) {
            throw new HttpRefusal(
                    PolicyForm.PRECONDITION_FAILED,
                    "Not allowed to set/get topic policy for a partition: " + name + ", use " + name.whole());
        }
        return name;
    }

    /** The policies of a topic's schemas; they may be set before there is the topic. */
    static PolicyKeeper ofSchemas(Namespaces namespaces, TopicName.Domain domain) {
        return new PolicyKeeper() {
            @Override
            public CompletionStage<Map<String, String>> policies(Request request) {
                return namespaces
                        .schemas()
                        .policies(TopicPath.topic(request, domain))
                        .thenApply(PolicyKeeper::defined);
            }

            @Override
            public CompletionStage<List<Map<String, String>>> behind(Request request) {
                return namespaces
                        .policies(TopicPath.namespace(request))
                        .thenApply(stored -> List.of(defined(stored), namespaces.defaultPolicies()));
            }

            @Override
            public CompletionStage<Void> change(Request request, Set<String> removed, Map<String, String> set) {
                Map<String, @Nullable String> changes = new HashMap<>(set);
                removed.forEach(key -> changes.putIfAbsent(key, null));
                return Outcomes.inTurn(
                        List.copyOf(changes.keySet()),
                        key -> namespaces.schemas().setPolicy(TopicPath.topic(request, domain), key, changes.get(key)));
            }
        };
    }

    /** Without a compatibility that is undefined, which is as if there were none. */
    private static Map<String, String> defined(Map<String, String> policies) {
        if (!Compatibility.UNDEFINED.name().equals(policies.get(SchemaPolicy.compatibilityKey()))) {
            return policies;
        }
        Map<String, String> defined = new HashMap<>(policies);
        defined.remove(SchemaPolicy.compatibilityKey());
        return defined;
    }
}
