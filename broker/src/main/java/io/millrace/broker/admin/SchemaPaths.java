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

/** The schemas of topics: each is told with its version, and set, deleted and compared by hand. */
final class SchemaPaths {
    private static final String ROOT = AdminApi.ROOT + "/schemas" + TopicPath.TOPIC;

    private final Schemas schemas;

    SchemaPaths(Namespaces namespaces) {
        schemas = namespaces.schemas();
    }

    void addTo(Routes routes) {
        routes.get(
                        ROOT + "/schema",
                        request -> Answers.json(schemas.latest(topic(request)).thenApply(SchemaPaths::told)))
                .get(
                        ROOT + "/schema/{version}",
                        request -> Answers.json(
                                schemas.version(topic(request), SubscriptionPaths.number(request, "version"))
                                        .thenApply(SchemaPaths::told)))
                .get(ROOT + "/schemas", this::all)
                .post(
                        ROOT + "/schema",
                        request -> Answers.json(schemas.post(topic(request), content(request))
                                .thenApply(number -> version(version(number)))))
                .delete(
                        ROOT + "/schema",
                        request -> Answers.json(deleted(topic(request)).thenApply(SchemaPaths::version)))
                .post(
                        ROOT + "/compatibility",
                        request -> Answers.json(
                                schemas.test(topic(request), content(request)).thenApply(SchemaPaths::verdict)))
                .post(
                        ROOT + "/version",
                        request -> Answers.json(schemas.versionOf(topic(request), content(request))
                                .thenApply(SchemaPaths::version)));
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

    private static TopicName topic(Request request) {
        return TopicPath.topic(request, TopicName.Domain.PERSISTENT);
    }

    private static SchemaContent content(Request request) {
        return SchemaDocument.content(Json.tree(request));
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
    private CompletionStage<Response> all(Request request) {
        TopicName topic = topic(request);
        List<Map<String, Object>> told = new ArrayList<>();
        return Answers.json(schemas.versions(topic)
                .thenCompose(versions -> Outcomes.inTurn(List.copyOf(versions), version -> told(topic, version, told)))
                .thenApply(done -> Map.of("getSchemaResponses", told)));
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
