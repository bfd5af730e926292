package io.millrace.broker.admin;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.broker.http.HttpRefusal;
import io.millrace.broker.http.Request;
import io.millrace.broker.http.Response;
import io.millrace.broker.http.Routes;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.schema.SchemaPolicy;
import io.millrace.broker.topic.TopicName;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What the schemas of a namespace or of a topic have to comply with. They are stored under the keys of the broker's settings, which they come before. */
final class SchemaPolicyPaths {
    private static final int BAD_REQUEST = 400;

    /** The keys by the names that Pulsar's class of policies has. */
    static final Map<String, String> KEYS = Map.of(
            "schema_compatibility_strategy", SchemaPolicy.compatibilityKey(),
            "schema_validation_enforced", SchemaPolicy.enforcedKey(),
            "is_allow_auto_update_schema", SchemaPolicy.takesNewKey());

    private static final Map<String, String> PATHS = new TreeMap<>(Map.of(
            "schemaCompatibilityStrategy", SchemaPolicy.compatibilityKey(),
            "schemaValidationEnforced", SchemaPolicy.enforcedKey(),
            "isAllowAutoUpdateSchema", SchemaPolicy.takesNewKey()));

    private final Namespaces namespaces;

    SchemaPolicyPaths(Namespaces namespaces) {
        this.namespaces = namespaces;
    }

    /** Where policies are kept: with a namespace, or with a topic. */
    private interface Keeper {
        CompletionStage<Map<String, String>> policies(Request request);

        CompletionStage<Void> set(Request request, String key, @Nullable String value);
    }

    void addTo(Routes routes) {
        Keeper ofNamespace = new Keeper() {
            @Override
            public CompletionStage<Map<String, String>> policies(Request request) {
                return namespaces.policies(TopicPath.namespace(request));
            }

            @Override
            public CompletionStage<Void> set(Request request, String key, @Nullable String value) {
                return namespaces.setPolicy(TopicPath.namespace(request), key, value);
            }
        };
        Keeper ofTopic = new Keeper() {
            @Override
            public CompletionStage<Map<String, String>> policies(Request request) {
                return namespaces.schemas().policies(topic(request));
            }

            @Override
            public CompletionStage<Void> set(Request request, String key, @Nullable String value) {
                return namespaces.schemas().setPolicy(topic(request), key, value);
            }
        };
        PATHS.forEach((path, key) -> {
            addTo(routes, NamespacePaths.NAMESPACE + '/' + path, key, ofNamespace);
            addTo(routes, AdminApi.ROOT + "/persistent" + TopicPath.TOPIC + '/' + path, key, ofTopic);
        });
    }

    private static TopicName topic(Request request) {
        return TopicPath.topic(request, TopicName.Domain.PERSISTENT);
    }

    private static void addTo(Routes routes, String path, String key, Keeper keeper) {
        io.millrace.broker.http.Handler set = request -> {
            String value = value(Json.tree(request));
            return Answers.done(keeper.set(request, key, value));
        };
        routes.get(path, request -> keeper.policies(request).thenApply(stored -> answer(key, stored.get(key))))
                .put(path, set)
                .post(path, set)
                .delete(path, request -> Answers.done(keeper.set(request, key, null)));
    }

    /** The value as it is stored. */
    static String value(JsonNode value) {
        if (!value.isValueNode() || value.isNull()) {
            throw new HttpRefusal(BAD_REQUEST, "the body is a text or true or false, and not " + value);
        }
        return value.asText();
    }

    /** What is not set is a strategy that says so, or nothing. */
    private static Response answer(String key, @Nullable String value) {
        if (key.equals(SchemaPolicy.compatibilityKey())) {
            return Json.answer(value == null ? "UNDEFINED" : value);
        }
        return value == null ? Response.noContent() : Json.answer(Boolean.valueOf(value));
    }

    /** The value as Pulsar's class of policies has it. */
    static JsonNode told(String key, String value) {
        return Json.parse(key.equals(SchemaPolicy.compatibilityKey()) ? Json.text(value) : value);
    }
}
