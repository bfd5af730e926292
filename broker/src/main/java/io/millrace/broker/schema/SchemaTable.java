package io.millrace.broker.schema;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.log.BrokerLog;
import io.millrace.broker.log.LogChange;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.memory.Weights;
import io.millrace.broker.topic.TopicName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The schemas of all topics, as the log has them, and how many versions use each content. A content is stored by the
 * change that first refers to it, and goes with the change that drops the last version that does: so what the log holds after a power
 * loss never refers to a content that is gone. Owned by the namespaces' stage.
 */
public final class SchemaTable {
    private final BrokerLog log;
    private final MemoryBudget memory;
    private final Map<TopicName, TopicSchemas> topics = new HashMap<>();
    private final Map<Digest, Use> uses = new HashMap<>();
    /** Whether the versions of some topic cannot be read: then nobody knows which contents they need. */
    private final boolean isDamaged;

    /** How often a content is used, also by changes that are not durable yet. */
    private static final class Use {
        private int count;
        /** Whether it is stored for certain: a change that failed may have been the one that was to store it. */
        private boolean isStored;
    }

    /** A change of one topic's schemas that was handed to the log. Its end is to be told, once. */
    public final class Pending {
        private final TopicName topic;
        private final TopicSchemas before;
        private final TopicSchemas after;

        private Pending(TopicName topic, TopicSchemas before, TopicSchemas after) {
            this.topic = topic;
            this.before = before;
            this.after = after;
        }

        /** It is durable. */
        public void done() {
            put(topic, after);
            for (TopicSchemas.Version version : after.versions()) {
                Use use = uses.get(version.content());
                if (use != null) {
                    use.isStored = true;
                }
            }
        }

        /** Nothing was changed. */
        public void failed() {
            for (TopicSchemas.Version version : without(after, before)) {
                release(version.content());
            }
            for (TopicSchemas.Version version : without(before, after)) {
                use(version.content()).count++;
            }
        }
    }

    /** Reads what the log has. */
    public SchemaTable(BrokerLog log, MemoryBudget memory, Map<String, byte[]> recovered) {
        this.log = log;
        this.memory = memory;
        recovered.forEach((name, value) -> {
            if (name.startsWith(SchemaValues.TOPIC)) {
                recover(name, value);
            }
        });
        isDamaged = log.hasUnreadableNames()
                || !log.topicNames(name -> name.startsWith(SchemaValues.TOPIC)).isEmpty();
    }

    private void recover(String name, byte[] value) {
        TopicSchemas schemas = SchemaValues.decodeTopic(name, value);
        put(TopicName.parse(name.substring(SchemaValues.TOPIC.length())), schemas);
        for (TopicSchemas.Version version : schemas.versions()) {
            Use use = use(version.content());
            use.count++;
            use.isStored = true;
        }
    }

    private void put(TopicName topic, TopicSchemas after) {
        TopicSchemas before = after.isNothing() ? topics.remove(topic) : topics.put(topic, after);
        memory.named((after.isNothing() ? 0 : weight(after)) - (before == null ? 0 : weight(before)));
    }

    private static long weight(TopicSchemas schemas) {
        return Weights.schemaVersions(schemas.versions().size(), schemas.policies());
    }

    /** The stored contents that no version uses, which a change that failed may leave: their removal, null if there are none. */
    public @Nullable LogChange leftovers(Map<String, byte[]> recovered) {
        Set<String> used = uses.keySet().stream().map(SchemaValues::content).collect(Collectors.toSet());
        List<String> unused = recovered.keySet().stream()
                .filter(name -> name.startsWith(SchemaValues.CONTENT) && !used.contains(name))
                .toList();
        if (unused.isEmpty() || isDamaged) {
            return null;
        }
        LogChange removal = new LogChange();
        unused.forEach(removal::remove);
        return removal;
    }

    /**
     * The schemas of that topic, which is none of a topic's partitions.
     *
     * @throws BrokerException if they cannot be read
     */
    public TopicSchemas of(TopicName whole) {
        TopicSchemas found = topics.get(whole);
        if (found == null && isDamaged && log.isUnreadable(SchemaValues.topic(whole))) {
            throw new BrokerException(
                    ErrorKind.PERSISTENCE_ERROR, "the schemas of " + whole + " cannot be read; see `millrace check`");
        }
        return found == null ? TopicSchemas.NONE : found;
    }

    /** The topics with schemas, or policies of them, that the filter lets through. */
    public List<TopicName> topics(Predicate<TopicName> filter) {
        return topics.keySet().stream().filter(filter).toList();
    }

    /**
     * The content of a version. For any thread.
     *
     * @throws BrokerException if it cannot be read
     */
    public static SchemaContent content(BrokerLog log, TopicSchemas.Version version) {
        String name = SchemaValues.content(version.content());
        byte[] value = log.value(name);
        if (value == null) {
            throw new BrokerException(
                    ErrorKind.PERSISTENCE_ERROR,
                    "schema version " + version.number() + " cannot be read, or was deleted just now; see"
                            + " `millrace check`");
        }
        return SchemaValues.decodeContent(name, value);
    }

    /**
     * Adds to a change what gives the topic these schemas; {@code added} is the content of its last version, if that is new.
     *
     * @throws BrokerException if the topic may have schemas that cannot be read
     */
    public Pending change(LogChange change, TopicName whole, TopicSchemas after, @Nullable SchemaContent added) {
        TopicSchemas before = of(whole);
        if (before.isNothing() && log.hasUnreadableNames()) {
            throw new BrokerException(
                    ErrorKind.PERSISTENCE_ERROR,
                    "what is stored under a name that cannot be read may be the schemas of " + whole
                            + "; see `millrace check`");
        }
        for (TopicSchemas.Version version : without(after, before)) {
            Use use = use(version.content());
            use.count++;
            if (!use.isStored && added != null) {
                change.set(SchemaValues.content(version.content()), SchemaValues.encode(added));
            }
        }
        for (TopicSchemas.Version version : without(before, after)) {
            if (release(version.content()) && !isDamaged) {
                change.remove(SchemaValues.content(version.content()));
            }
        }
        if (after.isNothing()) {
            change.remove(SchemaValues.topic(whole));
        } else {
            change.set(SchemaValues.topic(whole), SchemaValues.encode(after));
        }
        return new Pending(whole, before, after);
    }

    /** Adds to a change what deletes all that is stored of the topic's schemas; null if that is nothing. */
    public @Nullable Pending removal(LogChange change, TopicName whole) {
        return of(whole).isNothing() ? null : change(change, whole, TopicSchemas.NONE, null);
    }

    private Use use(Digest content) {
        return uses.computeIfAbsent(content, unused -> new Use());
    }

    /** Whether that was the last use. */
    private boolean release(Digest content) {
        Use use = use(content);
        use.count--;
        if (use.count == 0) {
            uses.remove(content);
        }
        return use.count == 0;
    }

    private static List<TopicSchemas.Version> without(TopicSchemas some, TopicSchemas others) {
        List<TopicSchemas.Version> left = new ArrayList<>(some.versions());
        left.removeAll(others.versions());
        return left;
    }
}
