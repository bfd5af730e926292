package io.millrace.broker.admin;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.http.Request;
import io.millrace.broker.http.Response;
import io.millrace.broker.http.Routes;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.namespace.Outcomes;
import io.millrace.broker.namespace.SchemaVerdict;
import io.millrace.broker.namespace.Schemas;
import io.millrace.broker.schema.SchemaContent;
import io.millrace.broker.schema.StoredSchema;
import io.millrace.broker.schema.TopicSchemas;
import io.millrace.broker.topic.TopicName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The schemas of topics: each is told with its version, and set, deleted and compared by hand. */
final class SchemaPaths {
    private static final String ROOT = AdminApi.ROOT + "/schemas" + TopicPath.TOPIC;

    private final Schemas schemas;

    SchemaPaths(Namespaces namespaces) {
        schemas = namespaces.schemas();
    }

    void addTo(Routes routes) {
        routes.get(ROOT + "/schema", request -> on(request, schemas::latest, SchemaPaths::told))
                .get(ROOT + "/schema/{version}", request -> {
                    long number = SubscriptionPaths.number(request, "version");
                    return on(request, topic -> schemas.version(topic, number), SchemaPaths::told);
                })
                .get(ROOT + "/schemas", request -> on(request, this::all, all -> Map.of("getSchemaResponses", all)))
                .post(
                        ROOT + "/schema",
                        request -> withContent(request, schemas::post, number -> version(version(number))))
                .delete(ROOT + "/schema", request -> on(request, this::deleted, SchemaPaths::version))
                .post(ROOT + "/compatibility", request -> withContent(request, schemas::test, SchemaPaths::verdict))
                .post(ROOT + "/version", request -> withContent(request, schemas::versionOf, SchemaPaths::version));
    }

    /** Does something with the schemas of the topic: a path does not say its domain. */
    private <R> CompletionStage<Response> on(
            Request request, Function<TopicName, CompletionStage<R>> verb, Function<R, Object> told) {
        TopicName name = TopicPath.topic(request, TopicName.Domain.PERSISTENT);
        return Answers.json(schemas.meant(name).thenCompose(verb).thenApply(told));
    }

    private <R> CompletionStage<Response> withContent(
            Request request, BiFunction<TopicName, SchemaContent, CompletionStage<R>> verb, Function<R, Object> told) {
        SchemaContent content = SchemaDocument.content(Json.tree(request));
        return on(request, topic -> verb.apply(topic, content), told);
    }

    /** What is gone already is deleted, as in Pulsar. */
    private CompletionStage<Long> deleted(TopicName topic) {
        return schemas.delete(topic).exceptionally(failure -> {
            BrokerException refusal = Outcomes.refusal(failure);
            if (refusal != null && refusal.kind() == ErrorKind.SCHEMA_NOT_FOUND) {
                return StoredSchema.NO_VERSION;
            }
            throw Outcomes.rethrown(failure);
        });
    }

    private static Map<String, Object> told(StoredSchema schema) {
        SchemaContent content = schema.content();
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("version", schema.version());
        told.put("type", content.type().name());
        told.put("timestamp", schema.timestampMillis());
        told.put("data", SchemaDocument.text(content));
        told.put("properties", content.properties());
        return told;
    }

    /** One that is deleted meanwhile fails the request: it is asked again. */
    private CompletionStage<List<Map<String, Object>>> all(TopicName topic) {
        List<Map<String, Object>> told = new ArrayList<>();
        return schemas.versions(topic)
                .thenCompose(versions -> Outcomes.inTurn(List.copyOf(versions), version -> told(topic, version, told)))
                .thenApply(done -> told);
    }

    private CompletionStage<Boolean> told(
            TopicName topic, TopicSchemas.Version version, List<Map<String, Object>> told) {
        return schemas.version(topic, version.number()).thenApply(schema -> told.add(told(schema)));
    }

    private static Map<String, Object> version(Object version) {
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("version", version);
        return told;
    }

    /** The first two are Pulsar's, whose tools ignore the others. */
    private static Map<String, Object> verdict(SchemaVerdict verdict) {
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("compatibility", verdict.isCompatible());
        told.put("schemaCompatibilityStrategy", verdict.strategy().name());
        told.put("autoUpdate", verdict.isTakenFromClients());
        if (!verdict.reason().isEmpty()) {
            told.put("reason", verdict.reason());
        }
        return told;
    }
}
