package io.millrace.broker.admin;

import io.millrace.avro.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A policy that tools set, by the names that they have for it.
 *
 * @param key under which it is stored
 * @param form of its values
 * @param unset what tools are told where it is not set, as JSON
 */
record Policy(String key, Names names, PolicyForm form, Unset unset) {
    private static final Logger LOG = LoggerFactory.getLogger(Policy.class);
    private static final String KEPT = "kept ";

    /**
     * Where it is found.
     *
     * @param property its name in Pulsar's class of policies; empty if it is not there
     * @param ofNamespace the end of its path with a namespace; null if namespaces do not have it
     * @param ofTopic the end of its path with a topic; null if topics do not have it
     */
    record Names(
            String property,
            @Nullable String ofNamespace,
            @Nullable String ofTopic) {}

    /**
     * What is told where it is not set.
     *
     * @param ofNamespace of a namespace; null for nothing
     * @param ofTopic of a topic; null for nothing
     * @param applied to a topic, if neither it nor its namespace has it and no setting of the broker says it; null for nothing
     */
    record Unset(
            @Nullable String ofNamespace,
            @Nullable String ofTopic,
            @Nullable String applied) {
        Unset(@Nullable String ofNamespace, @Nullable String applied) {
            this(ofNamespace, null, applied);
        }

        static final Unset NOTHING = new Unset(null, null);

        static Unset applied(String json) {
            return new Unset(null, json);
        }
    }

    /** One that is kept and has no effect here. */
    static Policy kept(Names names, PolicyForm form, Unset unset) {
        return new Policy(KEPT + (names.property.isEmpty() ? names.ofTopic : names.property), names, form, unset);
    }

    /** Says in the log that it has no effect, if so: whoever set it may count on it. */
    void tell() {
        if (key.startsWith(KEPT)) {
            LOG.warn("the policy {} is kept, but has no effect in this broker", key.substring(KEPT.length()));
        }
    }

    /** What tools are told of these policies of a namespace or topic; null for nothing. */
    @Nullable
    JsonNode told(Map<String, String> stored) {
        String value = stored.get(key);
        return value == null ? null : form.told(value);
    }

    /** What applies to a topic of these policies: its own, else those of its namespace. */
    @Nullable
    JsonNode applied(List<Map<String, String>> nearestFirst) {
        for (Map<String, String> stored : nearestFirst) {
            JsonNode told = told(stored);
            if (told != null) {
                return told;
            }
        }
        return parsed(unset.applied);
    }

    static @Nullable JsonNode parsed(@Nullable String json) {
        return json == null ? null : Json.parse(json);
    }
}
