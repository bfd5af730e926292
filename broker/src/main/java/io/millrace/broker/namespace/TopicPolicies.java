package io.millrace.broker.namespace;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.log.LogChange;
import io.millrace.broker.log.LogRetention;
import io.millrace.broker.schema.SchemaPolicy;
import io.millrace.broker.topic.AppliedPolicies;
import io.millrace.broker.topic.TopicName;
import io.millrace.broker.topic.TopicRules;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;

/**
 * The policies of topics, over those of their namespaces, and the properties of topics without partitions. A partition has those of its
 * whole. Owned by the namespace stage.
 */
final class TopicPolicies {
    /** A century: longer times are as good as for ever, and this one fits into nanoseconds. */
    private static final long MAX_SECONDS = 36_525L * 24 * 3_600;

    /** The key of a namespace's policy on how many stored topics it has, partitions one by one; 0 for no limit. */
    public static final String MAX_TOPICS = "max-topics-per-namespace";

    private final NameTable table;
    private final NamesInChange changing;
    private final Shared shared;
    private final Island island;
    private final Turns<TopicName> turns = new Turns<>();

    TopicPolicies(NameTable table, NamesInChange changing, Shared shared, Island island) {
        this.table = table;
        this.changing = changing;
        this.shared = shared;
        this.island = island;
    }

    /** What clients of the topic are allowed. */
    TopicRules rules(TopicName name) {
        TopicRules rules =
                TopicRules.NONE.with(table.require(NamespaceName.of(name))).with(ofTopic(name));
        return name.isPersistent() ? rules : rules.whereNothingIsStored();
    }

    /** The policies that apply to a topic by key: its own, else those of its namespace, of which there are none if it is gone. */
    Map<String, String> texts(TopicName name) {
        Map<String, String> ofNamespace = table.namespaces.getOrDefault(NamespaceName.of(name), Map.of());
        Map<String, String> ofTopic = ofTopic(name);
        if (ofTopic.isEmpty() || ofNamespace.isEmpty()) {
            return ofTopic.isEmpty() ? ofNamespace : ofTopic;
        }
        Map<String, String> texts = new TreeMap<>(ofNamespace);
        texts.putAll(ofTopic);
        return texts;
    }

    private Map<String, String> ofTopic(TopicName name) {
        return TopicTexts.applied(table.textsOf(name.whole()));
    }

    /** A policy that is a time, in seconds. */
    static long seconds(String text) {
        long seconds = Long.parseLong(text);
        if (seconds < 0) {
            throw new IllegalArgumentException("a time of " + seconds + " s is negative");
        }
        return Math.min(seconds, MAX_SECONDS);
    }

    /** Refuses policies of which one is not valid; those of other keys are not looked at. */
    static void requireValid(Map<String, String> policies) {
        try {
            TopicRules unused = TopicRules.NONE.with(policies);
            AppliedPolicies unusedApplied = AppliedPolicies.of(policies);
            LogRetention.Kept unusedRetention = Retentions.parse(policies.getOrDefault(Retentions.KEY, "0,0"));
            InactiveTopics.Policy.requireValid(policies);
            long unusedTtl = seconds(policies.getOrDefault(PolicySettings.MESSAGE_TTL, "0"));
            int unusedMax = maxTopics(policies);
        } catch (IllegalArgumentException e) {
            throw notValid(e);
        }
    }

    /** Refuses policies, where they are set, that would mean something else than they say; what is stored is taken as it is. */
    static void requireSettable(Map<String, String> policies) {
        try {
            AppliedPolicies.requireSettable(policies);
            Retentions.requireSettable(policies);
        } catch (IllegalArgumentException e) {
            throw notValid(e);
        }
    }

    private static BrokerException notValid(IllegalArgumentException e) {
        return new BrokerException(ErrorKind.NOT_ALLOWED, "a policy is not valid: " + e.getMessage(), e);
    }

    /** Refuses policies that are not valid, and those of a topic's schemas, which are kept elsewhere: here they would have no effect. */
    private static void requireOfTopic(Map<String, String> policies) {
        requireValid(policies);
        requireSettable(policies);
        for (String key : policies.keySet()) {
            if (SchemaPolicy.isKey(key)) {
                throw new BrokerException(
                        ErrorKind.NOT_ALLOWED,
                        "'" + key + "' is a policy of a topic's schemas: set it by Namespaces.schemas().setPolicy");
            }
        }
    }

    /** Its policies by key. */
    Map<String, String> policies(TopicName name) {
        return TopicTexts.own(table.textsOf(name));
    }

    /** Those that are set for all clusters. */
    Map<String, String> globalPolicies(TopicName name) {
        return TopicTexts.global(table.textsOf(name));
    }

    /** Its properties; none if it has partitions. */
    Map<String, String> properties(TopicName name) {
        return TopicTexts.properties(table.textsOf(name));
    }

    /** Removes some policies and sets others, together. */
    CompletionStage<Void> change(TopicName name, Set<String> removed, Map<String, String> set) {
        requireOfTopic(set);
        return store(name, new PolicyChange(removed, set));
    }

    /** The same with those that are set for all clusters. */
    CompletionStage<Void> changeGlobal(TopicName name, Set<String> removed, Map<String, String> set) {
        requireOfTopic(set);
        return store(name, TopicTexts.global(new PolicyChange(removed, set)));
    }

    /** The same with its properties. */
    CompletionStage<Void> changeProperties(TopicName name, Set<String> removed, Map<String, String> set) {
        return store(name, TopicTexts.properties(new PolicyChange(removed, set)));
    }

    /** The same of several topics, all together. */
    CompletionStage<Void> changeAll(Map<TopicName, PolicyChange> changes) {
        changes.values().forEach(change -> requireOfTopic(change.set()));
        List<TopicName> inOrder = changes.keySet().stream()
                .sorted(Comparator.comparing(TopicName::full))
                .toList();
        return turns.takeAll(inOrder, () -> storeNow(changes));
    }

    private CompletionStage<Void> store(TopicName name, PolicyChange change) {
        return turns.take(name, () -> storeNow(Map.of(name, change)));
    }

    private CompletionStage<Void> storeNow(Map<TopicName, PolicyChange> changes) {
        LogChange change = new LogChange();
        Map<TopicName, Map<String, String>> changed = new HashMap<>();
        changes.forEach((name, wanted) -> {
            changing.requireOpenable(name);
            Map<String, String> texts = new TreeMap<>(table.textsOf(name));
            texts.keySet().removeAll(wanted.removed());
            texts.putAll(wanted.set());
            add(name, texts, change);
            changed.put(name, Map.copyOf(texts));
        });
        CompletionStage<Void> stored = island.home(shared.store(change));
        table.storing(changed.keySet());
        return stored.whenComplete((done, failure) -> table.stored(changed.keySet()))
                .thenAccept(done -> changed.forEach(table::putTexts));
    }

    private void add(TopicName name, Map<String, String> texts, LogChange change) {
        if (texts.isEmpty()) {
            change.remove(StoredNames.topic(name));
            return;
        }
        shared.requireRoom();
        change.set(StoredNames.topic(name), StoredNames.encode(texts));
        if (name.isPersistent() && table.partitioned(name) == null) {
            change.keepTopic(name.full()); // or it would go when it is idle and empty, and they would stay
        }
    }

    /** Refuses so many topics more than the namespace has, if its policy does not allow them. */
    void requireRoomFor(NamespaceName namespace, int more) {
        int max = maxTopics(table.require(namespace));
        if (max > 0) {
            String prefix = namespace.topicPrefix(TopicName.Domain.PERSISTENT);
            int there = shared.log().topicNames(name -> name.startsWith(prefix)).size();
            if (there + more > max) {
                throw new BrokerException(
                        ErrorKind.POLICY_LIMIT,
                        "Exceed maximum number of topics in namespace. " + namespace + " has " + there
                                + ", and its policy allows " + max);
            }
        }
    }

    private static int maxTopics(Map<String, String> policies) {
        return Integer.parseInt(policies.getOrDefault(MAX_TOPICS, "0"));
    }

    /** Adds what deletes them to the deletion of their topic; to be followed by {@link #deleted}. */
    void deleteWith(TopicName name, LogChange deletion) {
        deletion.remove(StoredNames.topic(name)); // though there are none yet: a change of them may be under way
    }

    void deleted(TopicName name) {
        table.putTexts(name, Map.of());
    }
}
