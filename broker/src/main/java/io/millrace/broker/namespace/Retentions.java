package io.millrace.broker.namespace;

import io.millrace.broker.log.LogRetention;
import io.millrace.broker.topic.TopicName;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The policies of namespaces and topics on how long their messages are kept when every subscription has acknowledged them.
 *
 * <p><b>Threads</b>: the namespace stage changes them, the log's ledger writer reads. <b>Shared</b>: the two maps, immutable and
 * replaced at each change; a reader may see one change of several, which is what was so for a moment.
 */
final class Retentions implements LogRetention {
    /** The key of the policy: minutes and MiB with a comma between, each -1 for no limit; 0 for both where nothing is kept. */
    static final String KEY = "retention";

    private volatile Map<NamespaceName, Kept> namespaces = Map.of();
    private volatile Map<TopicName, Kept> topics = Map.of();

    void put(NamespaceName namespace, Map<String, String> policies) {
        namespaces = with(namespaces, namespace, policies.get(KEY));
    }

    void put(TopicName whole, Map<String, String> texts) {
        topics = with(topics, whole, texts.get(KEY));
    }

    private static <N> Map<N, Kept> with(Map<N, Kept> all, N name, @Nullable String policy) {
        Kept wanted = policy == null ? null : parse(policy);
        if (Objects.equals(all.get(name), wanted)) {
            return all;
        }
        Map<N, Kept> changed = new HashMap<>(all);
        if (wanted == null) {
            changed.remove(name);
        } else {
            changed.put(name, wanted);
        }
        return changed;
    }

    /**
     * A policy as it is stored.
     *
     * @throws IllegalArgumentException saying what it must be, if it is not valid
     */
    static Kept parse(String policy) {
        int comma = policy.indexOf(',');
        if (comma < 0) {
            throw new IllegalArgumentException(
                    KEY + " is '" + policy + "', but must be minutes and MiB: two whole numbers");
        }
        return Kept.of(Long.parseLong(policy.substring(0, comma)), Long.parseLong(policy.substring(comma + 1)));
    }

    @Override
    public Kept of(String topic) {
        if (namespaces.isEmpty() && topics.isEmpty()) {
            return Kept.NOTHING;
        }
        TopicName name = TopicName.parse(topic);
        Kept own = topics.get(name.whole());
        return own == null ? namespaces.getOrDefault(NamespaceName.of(name), Kept.NOTHING) : own;
    }

    /** Whether anything is kept for longer. */
    boolean isEmpty() {
        return namespaces.isEmpty() && topics.isEmpty();
    }
}
