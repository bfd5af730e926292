package io.millrace.broker.namespace;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is stored of a topic, as texts by key: its own policies, those that are set for all clusters, and its properties. How a key
 * begins tells them apart.
 */
final class TopicTexts {
    private static final String PROPERTY = "property ";

    /** Before the keys of policies that are set for all clusters: of one cluster, they come after the topic's others. */
    private static final String GLOBAL = "global ";

    private TopicTexts() {}

    /** The topic's own policies. */
    static Map<String, String> own(Map<String, String> stored) {
        Map<String, String> own = new TreeMap<>(stored);
        own.keySet().removeIf(key -> key.startsWith(PROPERTY) || key.startsWith(GLOBAL));
        return own;
    }

    /** The policies that are set for all clusters. */
    static Map<String, String> global(Map<String, String> stored) {
        return under(GLOBAL, stored);
    }

    /** The topic's properties. */
    static Map<String, String> properties(Map<String, String> stored) {
        return under(PROPERTY, stored);
    }

    /** The policies that apply, by their own keys: the topic's own, else those for all clusters. What else is stored may be among them. */
    static Map<String, String> applied(Map<String, String> stored) {
        Map<String, String> applied = under(GLOBAL, stored);
        if (applied.isEmpty()) {
            return stored;
        }
        applied.putAll(stored);
        return applied;
    }

    /** The policy of that key that applies; null if the topic has none of its own and none for all clusters. */
    static @Nullable String applied(Map<String, String> stored, String key) {
        String own = stored.get(key);
        return own == null ? stored.get(GLOBAL + key) : own;
    }

    /** Whether a policy of one of these keys applies. */
    static boolean hasAny(Map<String, String> stored, List<String> keys) {
        return keys.stream().anyMatch(key -> applied(stored, key) != null);
    }

    /** The same change of the policies that are set for all clusters. */
    static PolicyChange global(PolicyChange change) {
        return under(GLOBAL, change);
    }

    /** The same change of the topic's properties. */
    static PolicyChange properties(PolicyChange change) {
        return under(PROPERTY, change);
    }

    /** Those whose keys begin so, without that. */
    private static Map<String, String> under(String prefix, Map<String, String> texts) {
        Map<String, String> found = new TreeMap<>();
        texts.forEach((key, text) -> {
            if (key.startsWith(prefix)) {
                found.put(key.substring(prefix.length()), text);
            }
        });
        return found;
    }

    private static PolicyChange under(String prefix, PolicyChange change) {
        Set<String> removed = change.removed().stream().map(key -> prefix + key).collect(Collectors.toSet());
        Map<String, String> set = change.set().entrySet().stream()
                .collect(Collectors.toMap(text -> prefix + text.getKey(), Map.Entry::getValue));
        return new PolicyChange(removed, set);
    }
}
