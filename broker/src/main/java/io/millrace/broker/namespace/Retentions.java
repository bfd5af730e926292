package io.millrace.broker.namespace;

import io.millrace.broker.log.LogRetention;
import io.millrace.broker.log.LogRetention.Kept;
import io.millrace.broker.topic.TopicName;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The policies of namespaces and topics on how long their messages are kept when every subscription has acknowledged them. Owned by
 * the namespace stage; the log is told a copy of them, and another after each change.
 */
final class Retentions {
    /** The key of the policy: minutes and MiB with a comma between, each -1 for no limit; 0 for both where nothing is kept. */
    static final String KEY = "retention";

    /** By their texts, as the log asks for each of its topics by name. */
    private final Map<String, Kept> namespaces = new HashMap<>();
    /** By their full names. */
    private final Map<String, Kept> topics = new HashMap<>();
    /** Null until all that is stored is known. */
    private @Nullable Consumer<LogRetention> log;

    /** Tells the log from now on. */
    void tell(Consumer<LogRetention> wanted) {
        log = wanted;
        wanted.accept(copy());
    }

    void put(NamespaceName namespace, Map<String, String> policies) {
        put(namespaces, namespace.toString(), policies.get(KEY));
    }

    void put(TopicName whole, Map<String, String> texts) {
        put(topics, whole.full(), TopicTexts.applied(texts, KEY));
    }

    private void put(Map<String, Kept> all, String name, @Nullable String policy) {
        Kept before = policy == null ? all.remove(name) : all.put(name, parse(policy));
        if (log != null && !Objects.equals(before, all.get(name))) {
            log.accept(copy());
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

    /**
     * Refuses one of which the one limit alone is 0, where it is set: nothing would be kept.
     *
     * @throws IllegalArgumentException saying what it must be
     */
    static void requireSettable(Map<String, String> policies) {
        String policy = policies.getOrDefault(KEY, "0,0");
        Kept kept = parse(policy);
        if ((kept.millis() == 0) != (kept.bytes() == 0)) {
            throw new IllegalArgumentException(KEY + " is '" + policy
                    + "', but must be 0 for both limits, where nothing is kept, or for neither; -1 is no limit");
        }
    }

    /** What applies to a topic. */
    Kept of(TopicName topic) {
        return of(topic.full());
    }

    private Kept of(String topic) {
        Kept own = topics.isEmpty() ? null : topics.get(TopicName.wholeOf(topic));
        return own == null ? namespaces.getOrDefault(TopicName.namespaceOf(topic), Kept.NOTHING) : own;
    }

    private LogRetention copy() {
        if (isEmpty()) {
            return LogRetention.NOTHING;
        }
        Retentions copy = new Retentions();
        copy.namespaces.putAll(namespaces);
        copy.topics.putAll(topics);
        return copy::of;
    }

    /** Whether anything is kept for longer. */
    boolean isEmpty() {
        return namespaces.isEmpty() && topics.isEmpty();
    }
}
