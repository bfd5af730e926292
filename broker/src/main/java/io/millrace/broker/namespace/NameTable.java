package io.millrace.broker.namespace;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.log.BrokerLog;
import io.millrace.broker.log.LogChange;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.memory.Weights;
import io.millrace.broker.schema.SchemaTable;
import io.millrace.broker.topic.TopicName;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tenants, namespaces and partitioned topics that there are, as the log has them. Owned by the namespace stage. */
final class NameTable {
    /** Tenants and their properties. */
    final NavigableMap<String, Map<String, String>> tenants = new TreeMap<>();
    /** Namespaces and their policies. */
    final NavigableMap<NamespaceName, Map<String, String>> namespaces = new TreeMap<>();

    /** The schemas of topics. */
    final SchemaTable schemas;

    private final Map<TopicName, Partitioned> partitioned = new HashMap<>();
    /** Policies of topics, whole ones, and properties of those without partitions. */
    private final Map<TopicName, Map<String, String>> topics = new HashMap<>();
    /** The topics of which such texts are on their way to the log. */
    private final Set<TopicName> storing = new HashSet<>();

    /** How long messages are kept that every subscription has acknowledged. */
    final Retentions retentions = new Retentions();

    private final BrokerLog log;
    private final MemoryBudget memory;
    /** What is stored and of no use, to be removed. */
    final @Nullable LogChange leftovers;

    /** A partitioned topic. */
    record Partitioned(int partitions, Map<String, String> properties) {}

    NameTable(BrokerLog log, MemoryBudget memory) {
        this.log = log;
        this.memory = memory;
        add(NamespaceName.DEFAULT, Map.of());
        add(NamespaceName.SYSTEM, Map.of());
        Map<String, byte[]> values = log.values();
        values.forEach(this::recover);
        schemas = new SchemaTable(log, memory, values);
        leftovers = schemas.leftovers(values);
        for (String damaged : log.topicNames(name -> name.startsWith(StoredNames.NAMESPACE))) {
            addMissing(NamespaceName.parse(damaged.substring(StoredNames.NAMESPACE.length())));
        }
    }

    private void recover(String name, byte[] value) {
        if (name.startsWith(StoredNames.TENANT)) {
            putTenant(name.substring(StoredNames.TENANT.length()), StoredNames.decode(name, value));
        } else if (name.startsWith(StoredNames.NAMESPACE)) {
            add(NamespaceName.parse(name.substring(StoredNames.NAMESPACE.length())), StoredNames.decode(name, value));
        } else if (name.startsWith(StoredNames.PARTITIONED)) {
            TopicName topic = TopicName.parse(name.substring(StoredNames.PARTITIONED.length()));
            put(topic, StoredNames.decodePartitioned(name, value));
        } else if (name.startsWith(StoredNames.TOPIC)) {
            putTexts(TopicName.parse(name.substring(StoredNames.TOPIC.length())), StoredNames.decode(name, value));
        }
    }

    /**
     * Adds the namespaces of topics that were stored before there were namespaces, and returns those.
     *
     * @throws BrokerException if a topic's name is not one that a client could have used
     */
    List<NamespaceName> addThoseOfTopics() {
        Set<String> found = new HashSet<>();
        String scheme = TopicName.Domain.PERSISTENT.scheme();
        log.topicNames(topic -> {
            int tenantEnd = topic.startsWith(scheme) ? topic.indexOf('/', scheme.length()) : -1;
            int end = tenantEnd < 0 ? -1 : topic.indexOf('/', tenantEnd + 1);
            if (end > 0) {
                found.add(topic.substring(scheme.length(), end));
            }
            return false;
        });
        return found.stream()
                .map(NamespaceName::parse)
                .sorted()
                .filter(this::addMissing)
                .toList();
    }

    private boolean addMissing(NamespaceName name) {
        boolean isMissing = !namespaces.containsKey(name);
        if (isMissing) {
            add(name, Map.of());
        }
        return isMissing;
    }

    void putTenant(String name, Map<String, String> properties) {
        weigh(tenants.put(name, properties), properties);
    }

    /** The properties that it had; null if there is none of that name. */
    @Nullable
    Map<String, String> removeTenant(String name) {
        Map<String, String> removed = tenants.remove(name);
        weigh(removed, null);
        return removed;
    }

    void add(NamespaceName name, Map<String, String> policies) {
        if (!tenants.containsKey(name.tenant())) {
            putTenant(name.tenant(), Map.of());
        }
        weigh(namespaces.put(name, policies), policies);
        retentions.put(name, policies);
    }

    void remove(NamespaceName name) {
        weigh(namespaces.remove(name), null);
        retentions.put(name, Map.of());
    }

    boolean isBuiltIn(NamespaceName name) {
        return name.equals(NamespaceName.DEFAULT) || name.equals(NamespaceName.SYSTEM);
    }

    void requireTenant(String tenant) {
        if (!tenants.containsKey(tenant)) {
            throw new BrokerException(ErrorKind.TENANT_NOT_FOUND, "Tenant not found: there is no tenant " + tenant);
        }
    }

    /** The policies of that namespace. */
    Map<String, String> require(NamespaceName name) {
        Map<String, String> policies = namespaces.get(name);
        if (policies == null) {
            throw new BrokerException(
                    ErrorKind.NAMESPACE_NOT_FOUND,
                    "Namespace not found: there is no namespace " + name
                            + "; create it, or set auto-namespaces to always");
        }
        return policies;
    }

    /** The partitioned topic of that name; null if there is none. */
    @Nullable
    Partitioned partitioned(TopicName name) {
        Partitioned found = partitioned.get(name);
        if (found == null && log.isUnreadable(StoredNames.partitioned(name))) {
            throw new BrokerException(
                    ErrorKind.PERSISTENCE_ERROR,
                    "how many partitions " + name + " has cannot be read; see `millrace check`");
        }
        return found;
    }

    /** What is stored of that topic, which is no partition; empty if that is nothing. */
    Map<String, String> textsOf(TopicName whole) {
        Map<String, String> found = topics.get(whole);
        if (found == null && log.isUnreadable(StoredNames.topic(whole))) {
            throw new BrokerException(
                    ErrorKind.PERSISTENCE_ERROR, "the policies of " + whole + " cannot be read; see `millrace check`");
        }
        return found == null ? Map.of() : found;
    }

    /** Those topics in the namespace of which texts are stored, or being stored. */
    List<TopicName> topicsWithTexts(NamespaceName namespace) {
        return Stream.concat(topics.keySet().stream(), storing.stream())
                .filter(namespace::holds)
                .distinct()
                .toList();
    }

    /** Texts of these topics go to the log, none of which has some on their way; to be followed by {@link #stored}. */
    void storing(Set<TopicName> wholes) {
        storing.addAll(wholes);
    }

    /** They have arrived, or will not. */
    void stored(Set<TopicName> wholes) {
        storing.removeAll(wholes);
    }

    /** The topics to which a policy of one of these keys applies that is not their namespace's. */
    Set<TopicName> topicsWithAny(List<String> keys) {
        Set<TopicName> found = new HashSet<>();
        topics.forEach((name, texts) -> {
            if (TopicTexts.hasAny(texts, keys)) {
                found.add(name);
            }
        });
        return found;
    }

    void putTexts(TopicName whole, Map<String, String> texts) {
        retentions.put(whole, texts);
        if (texts.isEmpty()) {
            weigh(topics.remove(whole), null);
        } else {
            weigh(topics.put(whole, texts), texts);
        }
    }

    void put(TopicName name, Partitioned topic) {
        weigh(textsOf(partitioned.put(name, topic)), topic.properties());
    }

    void remove(TopicName name) {
        weigh(textsOf(partitioned.remove(name)), null);
    }

    private static @Nullable Map<String, String> textsOf(@Nullable Partitioned topic) {
        return topic == null ? null : topic.properties();
    }

    /** What the log keeps of them is counted there. */
    private void weigh(@Nullable Map<String, String> before, @Nullable Map<String, String> after) {
        memory.named(Weights.named(after) - Weights.named(before));
    }

    /** The partitioned topics of that namespace, in alphabetical order. */
    List<TopicName> partitionedOf(NamespaceName namespace) {
        return partitioned.keySet().stream()
                .filter(namespace::holds)
                .sorted(java.util.Comparator.comparing(TopicName::full))
                .toList();
    }

    boolean hasPartitioned(NamespaceName namespace) {
        return partitioned.keySet().stream().anyMatch(namespace::holds);
    }
}
