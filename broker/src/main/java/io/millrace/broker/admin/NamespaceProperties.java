package io.millrace.broker.admin;

import io.millrace.broker.http.Request;
import io.millrace.broker.http.Response;
import io.millrace.broker.http.Routes;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.namespace.PolicyChange;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The properties of namespaces, which are stored among their policies. */
final class NamespaceProperties {
    private static final String STORED = "property ";

    private final Namespaces namespaces;

    NamespaceProperties(Namespaces namespaces) {
        this.namespaces = namespaces;
    }

    /** Those among these policies. */
    static Map<String, String> of(Map<String, String> policies) {
        Map<String, String> properties = new TreeMap<>();
        policies.forEach((key, value) -> {
            if (key.startsWith(STORED)) {
                properties.put(key.substring(STORED.length()), value);
            }
        });
        return properties;
    }

    /** These as policies. */
    static Map<String, String> stored(Map<String, String> properties) {
        return properties.entrySet().stream()
                .collect(Collectors.toMap(text -> STORED + text.getKey(), Map.Entry::getValue));
    }

    void addTo(Routes routes) {
        String all = NamespacePaths.NAMESPACE + "/properties";
        String one = NamespacePaths.NAMESPACE + "/property/{key}";
        routes.get(all, request -> Answers.json(properties(request)))
                .put(all, request -> change(request, Set.of(), Json.texts(request)))
                .delete(
                        all,
                        request -> properties(request).thenCompose(there -> change(request, there.keySet(), Map.of())))
                .get(one, request -> properties(request).thenApply(there -> text(there.get(request.part("key")))))
                .put(
                        one + "/{value}",
                        request -> change(request, Set.of(), Map.of(request.part("key"), request.part("value"))))
                .delete(
                        one,
                        request -> properties(request)
                                .thenCompose(there -> change(request, Set.of(request.part("key")), Map.of())
                                        .thenApply(done -> text(there.get(request.part("key"))))));
    }

    private CompletionStage<Map<String, String>> properties(Request request) {
        return namespaces.policies(TopicPath.namespace(request)).thenApply(NamespaceProperties::of);
    }

    private CompletionStage<Response> change(Request request, Set<String> removed, Map<String, String> set) {
        Set<String> keys = removed.stream().map(key -> STORED + key).collect(Collectors.toSet());
        return Answers.done(namespaces.changePolicies(TopicPath.namespace(request), there -> {
            Map<String, String> all = of(there);
            all.keySet().removeAll(removed);
            all.putAll(set);
            if (!set.isEmpty()) {
                PropertyBounds.within("a namespace", all);
            }
            return new PolicyChange(keys, stored(set));
        }));
    }

    private static Response text(@Nullable String value) {
        return value == null ? Response.noContent() : Response.text(value);
    }
}
