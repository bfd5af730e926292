package io.millrace.broker.namespace;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.log.LogChange;
import io.millrace.broker.log.TopicFacts;
import io.millrace.broker.namespace.NameTable.Partitioned;
import io.millrace.broker.topic.TopicName;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What is done with partitioned topics. Their number and their partitions are stored together, so there are never fewer
 * partitions than that. Owned by the namespace stage.
 */
final class PartitionVerbs {
    private final NameTable table;
    private final NamesInChange changing;
    private final Shared shared;
    private final Island island;
    private final TopicPolicies policies;
    /** Topics that are being made, and who waits for them. */
    private final Map<TopicName, CompletableFuture<Integer>> making = new HashMap<>();
    /** Changes of topics that there are. */
    private final Turns<TopicName> turns = new Turns<>();

    PartitionVerbs(NameTable table, NamesInChange changing, Shared shared, Island island, TopicPolicies policies) {
        this.table = table;
        this.changing = changing;
        this.shared = shared;
        this.island = island;
        this.policies = policies;
    }

    /** The policies of topics, which are those of their partitions as well. */
    TopicPolicies policies() {
        return policies;
    }

    /** The partitioned topic of that name; null if there is none. */
    @Nullable
    Partitioned find(TopicName name) {
        return table.partitioned(name);
    }

    /** The answer to come for a topic that is being made; null if it is not. */
    @Nullable
    CompletionStage<Integer> making(TopicName name) {
        return making.get(name);
    }

    /** The topic of that name, which is partitioned. */
    Partitioned require(TopicName name) {
        Partitioned found = find(name);
        if (found == null) {
            throw new BrokerException(ErrorKind.TOPIC_NOT_FOUND, "Partitioned Topic not found: " + name);
        }
        return found;
    }

    List<TopicName> of(NamespaceName namespace) {
        table.require(namespace);
        return table.partitionedOf(namespace);
    }

    /** Makes it; there is no topic of its name, nor is one being opened. */
    CompletionStage<Integer> create(TopicName name, int partitions, Map<String, String> properties) {
        requireMakeable(name, partitions);
        if (find(name) != null) {
            throw new BrokerException(ErrorKind.CONFLICT, "This topic already exists: " + name);
        }
        CompletionStage<Integer> stored = store(name, new Partitioned(partitions, Map.copyOf(properties)), 0, true);
        CompletableFuture<Integer> made = new CompletableFuture<>();
        making.put(name, made);
        stored.whenComplete((count, failure) -> {
            making.remove(name);
            if (failure == null) {
                made.complete(count);
            } else {
                made.completeExceptionally(failure);
            }
        });
        return made;
    }

    /** Refuses a name, or a number of partitions, that no partitioned topic may have. */
    void requireMakeable(TopicName name, int partitions) {
        if (name.holdsPartitionMark()) {
            throw new BrokerException(
                    ErrorKind.NOT_ALLOWED, "Partitioned Topic Name should not contain '-partition-': " + name);
        }
        requireNumber(partitions);
    }

    /** Adds partitions until there are so many, with the subscriptions of the others; clients find them when they ask again. */
    CompletionStage<Integer> grow(TopicName name, int partitions) {
        return turns.take(name, () -> growNow(name, partitions));
    }

    /** Does something with a topic while no partitions are added to it; in the island, where it has to end. */
    <R> CompletionStage<R> betweenGrowths(TopicName name, Supplier<CompletionStage<R>> task) {
        return find(name) == null ? task.get() : turns.take(name, task);
    }

    /** The same with several that are partitioned. */
    <R> CompletionStage<R> betweenGrowths(Set<TopicName> names, Supplier<CompletionStage<R>> task) {
        List<TopicName> inOrder =
                names.stream().sorted(Comparator.comparing(TopicName::full)).toList();
        return turns.takeAll(inOrder, task);
    }

    private CompletionStage<Integer> growNow(TopicName name, int partitions) {
        Partitioned now = find(name);
        if (now == null) {
            throw new BrokerException(ErrorKind.CONFLICT, "Topic " + name + " is not the partitioned topic.");
        }
        requireNumber(partitions);
        if (partitions < now.partitions()) {
            throw new BrokerException(
                    ErrorKind.NOT_ALLOWED,
                    "Desired partitions " + partitions + " can't be less than the current partitions "
                            + now.partitions() + ".");
        }
        return store(name, new Partitioned(partitions, now.properties()), now.partitions(), false);
    }

    /** Sets some properties and removes others. */
    CompletionStage<Void> changeProperties(TopicName name, Map<String, String> set, Set<String> removed) {
        return turns.take(name, () -> changeNow(name, set, removed));
    }

    private CompletionStage<Void> changeNow(TopicName name, Map<String, String> set, Set<String> removed) {
        Partitioned now = require(name);
        Map<String, String> properties = new HashMap<>(now.properties());
        properties.keySet().removeAll(removed);
        properties.putAll(set);
        Partitioned wanted = new Partitioned(now.partitions(), Map.copyOf(properties));
        return store(name, wanted, now.partitions(), false).thenAccept(count -> {});
    }

    private void requireNumber(int partitions) {
        if (partitions < 1) {
            throw new BrokerException(ErrorKind.NOT_ALLOWED, "Number of partitions should be more than 0");
        }
        if (partitions > shared.settings().maxPartitions()) {
            throw new BrokerException(ErrorKind.NOT_ALLOWED, shared.settings().refusal(partitions));
        }
    }

    private CompletionStage<Integer> store(TopicName name, Partitioned wanted, int there, boolean isNew) {
        shared.requireRoom();
        if (name.isPersistent() && wanted.partitions() > there) {
            policies.requireRoomFor(NamespaceName.of(name), wanted.partitions() - there);
        }
        changing.begin(name, isNew);
        boolean adds = name.isPersistent() && wanted.partitions() > there;
        CompletionStage<Map<String, Map<String, String>>> subscriptions =
                adds && there > 0 ? subscriptions(name, there) : CompletableFuture.completedFuture(Map.of());
        CompletionStage<Void> stored = subscriptions.thenCompose(all -> {
            LogChange change = new LogChange().set(StoredNames.partitioned(name), StoredNames.encode(wanted));
            if (adds) {
                change.keepTopics(names(name, there, wanted.partitions()), all);
            }
            return island.home(shared.store(change));
        });
        return stored.handle((done, failure) -> {
            changing.end(name);
            if (failure != null) {
                throw Outcomes.rethrown(failure);
            }
            table.put(name, wanted);
            return wanted.partitions();
        });
    }

    /** The durable subscriptions of so many partitions: others get them too, so that none misses what comes before its consumers. */
    private CompletionStage<Map<String, Map<String, String>>> subscriptions(TopicName name, int partitions) {
        return island.home(shared.log().facts(names(name, 0, partitions)))
                .thenApply(found -> found.stream()
                        .flatMap(part -> part.cursors().stream())
                        .collect(Collectors.toMap(
                                TopicFacts.CursorFacts::name,
                                TopicFacts.CursorFacts::properties,
                                (first, next) -> first.isEmpty() ? next : first,
                                TreeMap::new)));
    }

    private static List<String> names(TopicName whole, int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> whole.partition(i).full())
                .toList();
    }

    /** Adds what deletes it, but not its partitions; to be followed by {@link #deleted}. */
    LogChange deletion(TopicName name) {
        return new LogChange().remove(StoredNames.partitioned(name));
    }

    void deleted(TopicName name) {
        table.remove(name);
    }

    /** The names of its partitions. */
    static List<TopicName> names(TopicName whole, Partitioned topic) {
        return IntStream.range(0, topic.partitions()).mapToObj(whole::partition).toList();
    }
}
