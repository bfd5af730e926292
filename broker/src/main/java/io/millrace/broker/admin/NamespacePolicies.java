package io.millrace.broker.admin;

import io.millrace.avro.jackson.databind.JsonNode;
import io.millrace.avro.jackson.databind.node.ObjectNode;
import io.millrace.broker.http.HttpRefusal;
import io.millrace.broker.schema.SchemaPolicy;
import io.millrace.wire.admin.AutoTopicCreationOverride;
import io.millrace.wire.admin.AutoTopicCreationOverrideImpl;
import io.millrace.wire.admin.BundlesData;
import io.millrace.wire.admin.BundlesDataImpl;
import io.millrace.wire.admin.Policies;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A namespace's policies, which are stored as texts by key, in the form that Pulsar's tools know. What becomes of topics that
 * there are not is stored under the keys of the broker's settings, which it comes before; the others are in {@link PolicyTable}.
 */
final class NamespacePolicies {
    private static final String AUTO_TOPICS = "auto-topics";
    private static final String AUTO_PARTITIONS = "auto-topic-partitions";
    private static final String QUOTAS = "backlog_quota_map";
    private static final String PROPERTIES = "properties";
    private static final String REPLICATION_CLUSTERS = "replication_clusters";
    private static final String AUTO_TOPIC_CREATION = "autoTopicCreationOverride";
    private static final int PRECONDITION_FAILED = 412;
    private static final String NOT_VALID = "Invalid configuration for autoTopicCreationOverride. the detail is ";

    private NamespacePolicies() {}

    /** What tools are told of policies that are stored so, in a broker with those defaults. */
    static JsonNode of(Map<String, String> stored, Map<String, String> defaults) {
        Policies policies = new Policies();
        policies.replication_clusters = Set.of(ClusterPaths.CLUSTER);
        policies.bundles = bundles();
        policies.autoTopicCreationOverride = autoTopics(stored);
        policies.properties.putAll(NamespaceProperties.of(stored));
        ObjectNode json = (ObjectNode) Json.parse(Json.text(policies));
        PolicyTable.all().forEach(policy -> {
            JsonNode told = policy.told(stored);
            if (told == null && PolicyTable.OF_SCHEMAS.contains(policy)) {
                told = unset(policy, defaults); // Pulsar's class leaves it out
            }
            if (told != null) {
                set(json, policy.names().property(), told);
            }
        });
        PermissionPaths.tell(json, stored);
        json.set(QUOTAS, Json.parse(Json.text(PolicyPaths.quotas(policy -> policy.told(stored)))));
        return json;
    }

    /** What tools are told of a policy that a namespace does not have; null for nothing. */
    static @Nullable JsonNode unset(Policy policy, Map<String, String> defaults) {
        return policy.key().equals(SchemaPolicy.takesNewKey())
                ? policy.told(defaults)
                : Policy.parsed(policy.unset().ofNamespace());
    }

    private static void set(ObjectNode json, String property, JsonNode told) {
        if (PolicyTable.BY_CLUSTER.contains(property)) {
            json.putObject(property).set(ClusterPaths.CLUSTER, told);
        } else {
            json.set(property, told);
        }
    }

    static BundlesData bundles() {
        return BundlesDataImpl.builder()
                .boundaries(List.of(Policies.FIRST_BOUNDARY, Policies.LAST_BOUNDARY))
                .numBundles(1)
                .build();
    }

    /** Also the empty text that the client for Go has for a word that is not set. */
    private static boolean isNone(JsonNode value) {
        return value.isMissingNode()
                || value.isNull()
                || (value.isTextual() && value.textValue().isEmpty());
    }

    /** The policies that come with a new namespace, as they are stored. */
    static Map<String, String> read(JsonNode body) {
        Map<String, String> stored = new HashMap<>();
        requireClusters(body.path(REPLICATION_CLUSTERS));
        JsonNode auto = body.path(AUTO_TOPIC_CREATION);
        if (auto.isObject()) {
            stored.putAll(storedAutoTopics(Json.convert(auto, AutoTopicCreationOverrideImpl.class)));
        }
        JsonNode defaults = Json.parse(Json.text(new Policies()));
        for (Policy policy : PolicyTable.all()) {
            String property = policy.names().property();
            JsonNode value = body.path(property);
            boolean isGiven = !isNone(value) && !value.equals(defaults.get(property));
            if (isGiven && PolicyTable.BY_CLUSTER.contains(property)) {
                value = value.path(ClusterPaths.CLUSTER);
                isGiven = !value.isMissingNode();
            }
            if (isGiven) {
                stored.put(policy.key(), policy.form().stored(property, value));
                policy.tell();
            }
        }
        body.path(QUOTAS).properties().forEach(quota -> {
            Policy policy = PolicyTable.QUOTAS.get(quota.getKey());
            if (policy != null) {
                stored.put(policy.key(), policy.form().stored(QUOTAS, quota.getValue()));
                policy.tell();
            }
        });
        JsonNode properties = body.path(PROPERTIES);
        if (properties.isObject()) {
            stored.putAll(NamespaceProperties.stored(PropertyBounds.within("a namespace", Json.texts(properties))));
        }
        return stored;
    }

    static void requireClusters(JsonNode clusters) {
        for (JsonNode cluster : clusters) {
            if (!cluster.asText().equals(ClusterPaths.CLUSTER)) {
                throw new HttpRefusal(
                        PRECONDITION_FAILED,
                        "Cluster " + cluster.asText() + " does not exist: the only one is " + ClusterPaths.CLUSTER);
            }
        }
    }

    /** What becomes of topics that there are not; null if the namespace says nothing of its own. */
    static @Nullable AutoTopicCreationOverride autoTopics(Map<String, String> stored) {
        String kind = stored.get(AUTO_TOPICS);
        if (kind == null) {
            return null;
        }
        AutoTopicCreationOverrideImpl.AutoTopicCreationOverrideImplBuilder told =
                AutoTopicCreationOverrideImpl.builder().allowAutoTopicCreation(!kind.equals("never"));
        String partitions = stored.get(AUTO_PARTITIONS);
        return kind.equals("never")
                ? told.build()
                : told.topicType(kind)
                        .defaultNumPartitions(partitions == null ? null : Integer.valueOf(partitions))
                        .build();
    }

    /** The same as it is stored. */
    static Map<String, String> storedAutoTopics(AutoTopicCreationOverride auto) {
        if (!auto.isAllowAutoTopicCreation()) {
            return Map.of(AUTO_TOPICS, "never");
        }
        String type = auto.getTopicType();
        Integer partitions = auto.getDefaultNumPartitions();
        if (!"partitioned".equals(type) && !"non-partitioned".equals(type)) {
            throw new HttpRefusal(
                    PRECONDITION_FAILED,
                    NOT_VALID + "Unknown topic type [" + type + "]: it is partitioned or non-partitioned");
        }
        if (type.equals("non-partitioned") && partitions != null) {
            throw new HttpRefusal(
                    PRECONDITION_FAILED,
                    NOT_VALID + "[defaultNumPartitions] is not allowed to be set when the type is non-partition.");
        }
        if (type.equals("non-partitioned")) {
            return Map.of(AUTO_TOPICS, type);
        }
        if (partitions == null) {
            throw new HttpRefusal(
                    PRECONDITION_FAILED,
                    NOT_VALID + "[defaultNumPartitions] cannot be null when the type is partitioned.");
        }
        if (partitions < 1) {
            throw new HttpRefusal(
                    PRECONDITION_FAILED,
                    NOT_VALID + "[defaultNumPartitions] cannot be less than 1 for partition type.");
        }
        return Map.of(AUTO_TOPICS, type, AUTO_PARTITIONS, partitions.toString());
    }

    /** Every key of it, to be set or removed. */
    static List<String> autoTopicKeys() {
        return List.of(AUTO_TOPICS, AUTO_PARTITIONS);
    }
}
