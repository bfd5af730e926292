package io.millrace.broker.admin;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.broker.http.HttpRefusal;
import io.millrace.wire.admin.AutoTopicCreationOverride;
import io.millrace.wire.admin.AutoTopicCreationOverrideImpl;
import io.millrace.wire.admin.BundlesData;
import io.millrace.wire.admin.BundlesDataImpl;
import io.millrace.wire.admin.Policies;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A namespace's policies, which are stored as texts by key, in the form that Pulsar's tools know. What becomes of topics that
 * there are not is stored under the keys of the broker's settings, which it comes before. What has no effect here, and yet is
 * asked for by tools, is stored as it came, under its name in that form.
 */
final class NamespacePolicies {
    private static final Logger LOG = LoggerFactory.getLogger(NamespacePolicies.class);
    private static final String AUTO_TOPICS = "auto-topics";
    private static final String AUTO_PARTITIONS = "auto-topic-partitions";
    private static final String KEPT = "kept ";
    private static final String REPLICATION_CLUSTERS = "replication_clusters";
    private static final String AUTO_TOPIC_CREATION = "autoTopicCreationOverride";
    private static final int PRECONDITION_FAILED = 412;

    /** Policies that are kept and have no effect, by the paths that set them; the names are those of Pulsar's class. */
    static final Map<String, String> WITHOUT_EFFECT = new TreeMap<>(Map.of(
            "retention", "retention_policies",
            "messageTTL", "message_ttl_in_seconds",
            "deduplication", "deduplicationEnabled",
            "persistence", "persistence"));

    private NamespacePolicies() {}

    /** What tools are told of policies that are stored so. */
    static JsonNode of(Map<String, String> stored) {
        Policies policies = new Policies();
        policies.replication_clusters = Set.of(ClusterPaths.CLUSTER);
        policies.bundles = bundles();
        policies.autoTopicCreationOverride = autoTopics(stored);
        com.fasterxml.jackson.databind.node.ObjectNode json =
                (com.fasterxml.jackson.databind.node.ObjectNode) Json.parse(Json.text(policies));
        WITHOUT_EFFECT.values().forEach(name -> {
            String kept = stored.get(KEPT + name);
            if (kept != null) {
                json.set(name, Json.parse(kept));
            }
        });
        SchemaPolicyPaths.KEYS.forEach((name, key) -> {
            String value = stored.get(key);
            if (value != null) {
                json.set(name, SchemaPolicyPaths.told(key, value));
            }
        });
        return json;
    }

    static BundlesData bundles() {
        return BundlesDataImpl.builder()
                .boundaries(List.of(Policies.FIRST_BOUNDARY, Policies.LAST_BOUNDARY))
                .numBundles(1)
                .build();
    }

    /** The policies that come with a new namespace, as they are stored. */
    static Map<String, String> read(JsonNode body) {
        Map<String, String> stored = new HashMap<>();
        requireClusters(body.path(REPLICATION_CLUSTERS));
        JsonNode auto = body.path(AUTO_TOPIC_CREATION);
        if (auto.isObject()) {
            stored.putAll(storedAutoTopics(Json.convert(auto, AutoTopicCreationOverrideImpl.class)));
        }
        SchemaPolicyPaths.KEYS.forEach((name, key) -> {
            JsonNode value = body.path(name);
            if (value.isTextual() || value.asBoolean()) { // false is what tools send that do not mean it
                stored.put(key, SchemaPolicyPaths.value(value));
            }
        });
        WITHOUT_EFFECT.values().forEach(name -> {
            JsonNode value = body.get(name);
            boolean isDefault = value == null
                    || value.isNull()
                    || value.equals(com.fasterxml.jackson.databind.node.BooleanNode.FALSE)
                    || value.asText().equals("UNDEFINED");
            if (!isDefault) {
                stored.put(key(name), value.toString());
                tell(name);
            }
        });
        return stored;
    }

    /** The key under which a policy without effect is stored. */
    static String key(String name) {
        return KEPT + name;
    }

    /** Says it in the log: whoever set it may count on it. */
    static void tell(String name) {
        LOG.warn("the namespace policy {} is kept, but has no effect in this broker", name);
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
                    "Invalid configuration for autoTopicCreationOverride: the type is partitioned or non-partitioned");
        }
        if (type.equals("non-partitioned")) {
            return Map.of(AUTO_TOPICS, type);
        }
        if (partitions == null || partitions < 1) {
            throw new HttpRefusal(
                    PRECONDITION_FAILED,
                    "Invalid configuration for autoTopicCreationOverride: [defaultNumPartitions] cannot be less than 1");
        }
        return Map.of(AUTO_TOPICS, type, AUTO_PARTITIONS, partitions.toString());
    }

    /** Every key of it, to be set or removed. */
    static List<String> autoTopicKeys() {
        return List.of(AUTO_TOPICS, AUTO_PARTITIONS);
    }
}
