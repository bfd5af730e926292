package io.millrace.broker.namespace;

import io.millrace.broker.log.LogRetention;
import io.millrace.broker.topic.TopicName;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The policies of namespaces and topics on how long their messages are kept when every subscription has acknowledged them.
 *
 * <p><b>Threads</b>: the namespace stage changes them, the log's ledger writer reads. <b>Shared</b>: the two maps, which are
 * concurrent; a reader may see one change of several, which is what was so for a moment.
 */
final class Retentions implements LogRetention {
    /** The key of the policy: minutes and MiB with a comma between, each -1 for no limit; 0 for both where nothing is kept. */
    static final String KEY = "retention";

    private final Map<NamespaceName, Kept> namespaces = new ConcurrentHashMap<>();
    private final Map<TopicName, Kept> topics = new ConcurrentHashMap<>();

    void put(NamespaceName namespace, Map<String, String> policies) {
        put(namespaces, namespace, policies.get(KEY));
    }

    void put(TopicName whole, Map<String, String> texts) {
        put(topics, whole, texts.get(KEY));
    }

    private static <N> void put(Map<N, Kept> all, N name, @Nullable String policy) {
        if (policy == null) {
            all.remove(name);
        } else {
            all.put(name, parse(policy));
        }
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
