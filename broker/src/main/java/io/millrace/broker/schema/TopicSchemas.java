package io.millrace.broker.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The schemas of one topic. Immutable.
 *
 * @param nextVersion what the next version will be: versions that were deleted are not given again
 * @param versions those that are not deleted, ascending
 * @param policies of the topic: they have the keys of the settings that they come before
 */
public record TopicSchemas(long nextVersion, List<Version> versions, Map<String, String> policies) {
    static final TopicSchemas NONE = new TopicSchemas(0, List.of(), Map.of());

    /**
     * One version.
     *
     * @param content the digest of what is stored
     * @param identity equal for contents that are the same version
     */
    public record Version(long number, long timestampMillis, Digest content, Digest identity) {}

    public TopicSchemas {
        versions = List.copyOf(versions);
        policies = Map.copyOf(policies);
    }

    /** Whether the topic has a schema. */
    public boolean hasSchema() {
        return !versions.isEmpty();
    }

    /** The newest version; null if the topic has no schema. */
    public @Nullable Version latest() {
        return versions.isEmpty() ? null : versions.get(versions.size() - 1);
    }

    /** The version of that number; null if there is none, or it was deleted. */
    public @Nullable Version version(long number) {
        return versions.stream()
                .filter(version -> version.number == number)
                .findFirst()
                .orElse(null);
    }

    /** The version that has the same definition; null if there is none. */
    public @Nullable Version same(Digest identity) {
        return versions.stream()
                .filter(version -> version.identity.equals(identity))
                .findFirst()
                .orElse(null);
    }

    /** The same with one more version. */
    public TopicSchemas with(SchemaContent content, long timestampMillis) {
        List<Version> more = new ArrayList<>(versions);
        more.add(new Version(nextVersion, timestampMillis, content.digest(), content.identity()));
        return new TopicSchemas(nextVersion + 1, more, policies);
    }

    /** The same without any version; the deletion has a number as if it were one, as in Pulsar. */
    public TopicSchemas withoutVersions() {
        return new TopicSchemas(nextVersion + 1, List.of(), policies);
    }

    /** The same with a policy, or without it. */
    public TopicSchemas withPolicy(String key, @Nullable String value) {
        Map<String, String> changed = new java.util.TreeMap<>(policies);
        if (value == null) {
            changed.remove(key);
        } else {
            changed.put(key, value);
        }
        return new TopicSchemas(nextVersion, versions, changed);
    }

    /** Whether there is nothing to keep. */
    boolean isNothing() {
        return nextVersion == 0 && policies.isEmpty();
    }
}
