package io.millrace.broker.namespace;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.log.LogChange;
import io.millrace.broker.log.Position;
import io.millrace.broker.log.TopicFacts;
import io.millrace.broker.log.TopicLog;
import io.millrace.broker.namespace.NameTable.Partitioned;
import io.millrace.broker.topic.AppliedPolicies;
import io.millrace.broker.topic.Topic;
import io.millrace.broker.topic.TopicName;
import io.millrace.broker.topic.TopicRules;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** What is done with topics, partitioned or not. Owned by the namespace stage. */
final class TopicVerbs {
    private final NamespaceVerbs namespaces;
    private final PartitionVerbs partitions;
    private final NamesInChange changing;
    private final Shared shared;
    private final Island island;
    /** The topics that store nothing and that are open, with those that are being opened. */
    private final Set<TopicName> live = new HashSet<>();

    private final Turns<TopicName> creations = new Turns<>();
    private final Turns<Subscription> subscriptions = new Turns<>();

    private final OpenTopics open;
    private final NamespaceDeletions deletions;
    private final TopicUses uses;

    private record Subscription(TopicName whole, String name) {}

    TopicVerbs(
            NamespaceVerbs namespaces,
            PartitionVerbs partitions,
            NamesInChange changing,
            Shared shared,
            Island island) {
        this.namespaces = namespaces;
        this.partitions = partitions;
        this.changing = changing;
        this.shared = shared;
        this.island = island;
        open = new OpenTopics(partitions.policies(), shared, island);
        uses = new TopicUses(partitions.policies());
        deletions = new NamespaceDeletions(
                namespaces, namespace -> live.stream().filter(namespace::holds).toList(), changing, shared, island);
    }

    /** What the log has of these topics, without those that there are not. */
    CompletionStage<List<TopicFacts>> facts(List<TopicName> names) {
        return island.home(
                shared.log().facts(names.stream().map(TopicName::full).toList()));
    }

    /** Those that are open. */
    OpenTopics open() {
        return open;
    }

    /** How namespaces are deleted, with their topics or without. */
    NamespaceDeletions deletions() {
        return deletions;
    }

    /** Those that were opened of late. */
    TopicUses uses() {
        return uses;
    }

    /** The policies of topics. */
    TopicPolicies policies() {
        return partitions.policies();
    }

    /** Those of partitioned topics. */
    PartitionVerbs partitions() {
        return partitions;
    }

    /** Opens a topic for a client, which may have it made. */
    CompletionStage<Topic> open(TopicName name, boolean create) {
        return namespaces.in(NamespaceName.of(name), () -> openThere(name, create));
    }

    private CompletionStage<Topic> openThere(TopicName name, boolean create) {
        changing.requireOpenable(name);
        boolean isMissingPartition = !isThere(name) && isMissingPartition(name, create);
        if (name.isPersistent() && !isThere(name) && !isMissingPartition) {
            policies().requireRoomFor(NamespaceName.of(name), 1);
        }
        if (isMissingPartition) {
            return keep(name).thenCompose(done -> openMade(name));
        }
        if (!uses.add(name)) {
            return openNow(name);
        }
        // Opening may take longer than it is from one look to the next.
        return openNow(name).whenComplete((topic, failure) -> island.later(() -> uses.add(name)));
    }

    /** Opens a topic that there is for the broker itself, which is no use of it. */
    CompletionStage<Topic> openForUpkeep(TopicName name) {
        return namespaces.in(NamespaceName.of(name), () -> {
            if (!isThere(name)) {
                throw notFound(name);
            }
            return openMade(name);
        });
    }

    /** Stores that it is there, though nobody uses it. */
    private CompletionStage<Void> keep(TopicName name) {
        changing.opening(name);
        return island.home(shared.store(new LogChange().keepTopic(name.full())))
                .whenComplete((done, failure) -> changing.opened(name));
    }

    /** Opens one that is stored now, unless it is being closed or deleted: opening would make what is deleted again. */
    private CompletionStage<Topic> openMade(TopicName name) {
        changing.requireOpenable(name);
        return openNow(name);
    }

    private CompletionStage<Topic> openNow(TopicName name) {
        changing.opening(name);
        if (!name.isPersistent()) {
            live.add(name);
        }
        TopicRules rules = policies().rules(name);
        AppliedPolicies applied = open.policiesOf(name);
        CompletionStage<Topic> opened = shared.topics().open(name);
        opened.whenComplete((topic, failure) -> island.later(() -> {
            changing.opened(name);
            if (failure != null) {
                live.remove(name);
            } else {
                open.opened(topic, applied);
            }
        }));
        return rules.equals(TopicRules.NONE) && applied.equals(AppliedPolicies.NONE)
                ? opened
                : opened.thenApply(topic -> {
                    topic.apply(applied);
                    return topic.under(rules);
                });
    }

    /** A topic was unloaded: one that stores nothing is not there any more. */
    void unloaded(TopicName name) {
        if (!changing.isOpeningAlone(name)) {
            live.remove(name);
        }
    }

    /**
     * Whether it is a partition that is to be there and is not.
     *
     * @throws BrokerException if it is not there and must not be made, or is partitioned itself
     */
    private boolean isMissingPartition(TopicName name, boolean create) {
        if (!name.isPartition()) {
            requireWhole(name);
            requireMakeable(name, create);
            return false;
        }
        Partitioned whole = partitions.find(name.whole());
        if (whole != null && name.partition() < whole.partitions()) {
            return name.isPersistent();
        }
        if (whole == null && create) {
            throw new BrokerException(
                    ErrorKind.NOT_ALLOWED, "Partition metadata not found for the partitioned topic: " + name);
        }
        throw notFound(name);
    }

    private void requireMakeable(TopicName name, boolean create) {
        AutoTopics.Kind kind = namespaces.autoTopics(NamespaceName.of(name)).kind();
        if (!create || kind == AutoTopics.Kind.NEVER) {
            throw notFound(name);
        }
    }

    private void requireWhole(TopicName name) {
        if (partitions.find(name) != null) {
            throw new BrokerException(
                    ErrorKind.NOT_ALLOWED, "Found partitioned metadata for non-partitioned topic: " + name);
        }
    }

    private static BrokerException notFound(TopicName name) {
        return new BrokerException(ErrorKind.TOPIC_NOT_FOUND, "Topic not found: there is no topic " + name);
    }

    /** Whether there is such a topic, with partitions or without. */
    boolean exists(TopicName name) {
        return isThere(name) || partitions.find(name.whole()) != null;
    }

    private boolean isThere(TopicName name) {
        return name.isPersistent() ? shared.log().hasTopic(name.full()) : live.contains(name);
    }

    /** Refuses a lookup in a namespace that there is not. */
    CompletionStage<Void> lookUp(TopicName name) {
        return namespaces.in(NamespaceName.of(name), () -> CompletableFuture.completedFuture(null));
    }

    /** How many partitions a client is told: 0 of a topic without any, and of one that may be made so. */
    CompletionStage<Integer> partitionsOf(TopicName name, boolean create) {
        NamespaceName namespace = NamespaceName.of(name);
        if (create) {
            return namespaces.in(namespace, () -> partitionsThere(name, true));
        }
        if (!namespaces.exists(namespace)) {
            throw notFound(name);
        }
        return partitionsThere(name, false);
    }

    private CompletionStage<Integer> partitionsThere(TopicName name, boolean create) {
        CompletionStage<Integer> making = partitions.making(name);
        if (making != null) {
            return making;
        }
        Partitioned whole = partitions.find(name.whole());
        if (name.isPartition() && whole != null) {
            if (name.partition() >= whole.partitions()) {
                throw notFound(name);
            }
            return CompletableFuture.completedFuture(0);
        }
        if (whole != null) {
            return CompletableFuture.completedFuture(whole.partitions());
        }
        return isThere(name) || create ? madeAs(name) : CompletableFuture.failedFuture(notFound(name));
    }

    /** Of a topic without partitions; one that there is not is made, if it is to be partitioned. */
    private CompletionStage<Integer> madeAs(TopicName name) {
        AutoTopics auto = namespaces.autoTopics(NamespaceName.of(name));
        if (auto.kind() == AutoTopics.Kind.NEVER && !isThere(name) && !changing.isOpening(name)) {
            throw notFound(name);
        }
        boolean isMade = auto.kind() == AutoTopics.Kind.PARTITIONED && !name.holdsPartitionMark() && !isThere(name);
        if (!isMade || changing.isOpening(name)) {
            return CompletableFuture.completedFuture(0);
        }
        return partitions.create(name, auto.partitions(), Map.of());
    }

    /** Makes a topic without partitions, which stays though nobody uses it, or a partition that is missing. */
    CompletionStage<Void> create(TopicName name, Map<String, String> properties) {
        return whenNotBeingMade(name, () -> requirePlace(name), () -> createNow(name, properties));
    }

    /**
     * Who makes a topic that is being made finds it there, if that succeeds.
     *
     * @param check refuses what no namespace takes, before one is made for it
     */
    private <R> CompletionStage<R> whenNotBeingMade(
            TopicName name, Runnable check, Supplier<CompletionStage<R>> create) {
        NamespaceName namespace = NamespaceName.of(name);
        return creations.take(name, () -> {
            CompletionStage<Integer> byAnother = partitions.making(name.whole());
            return island.home(
                    byAnother == null
                            ? namespaces.in(namespace, check, create)
                            : Outcomes.after(byAnother, () -> namespaces.in(namespace, check, create)));
        });
    }

    /** Refuses a partition of what is not partitioned, or not into so many. */
    private void requirePlace(TopicName name) {
        Partitioned whole = partitions.find(name.whole());
        if (name.isPartition() && (whole == null || name.partition() >= whole.partitions())) {
            throw new BrokerException(
                    ErrorKind.NOT_ALLOWED,
                    "Can't create topic " + name.local() + " with \"-partition-\" followed by numeric value if there"
                            + " isn't a partitioned topic " + name.whole().local() + " created.");
        }
    }

    private CompletionStage<Void> createNow(TopicName name, Map<String, String> properties) {
        changing.requireOpenable(name);
        requirePlace(name);
        boolean isPartition = name.isPartition();
        if (isThere(name) || (!isPartition && partitions.find(name) != null)) {
            throw new BrokerException(ErrorKind.CONFLICT, "This topic already exists: " + name);
        }
        if (isPartition) {
            return open(name, true).thenAccept(opened -> {});
        }
        if (name.isPersistent()) {
            policies().requireRoomFor(NamespaceName.of(name), 1);
        }
        CompletionStage<Void> stored;
        if (!properties.isEmpty()) {
            stored = policies().changeProperties(name, Set.of(), properties);
        } else if (name.isPersistent()) {
            stored = keep(name);
        } else {
            stored = CompletableFuture.completedFuture(null);
        }
        boolean unused = uses.add(name);
        return stored.thenCompose(done -> openMade(name)).thenAccept(opened -> {});
    }

    /** Makes a subscription, one of a name at a time; the verb may end on any thread. */
    <R> CompletionStage<R> makeInTurn(TopicName whole, String subscription, Supplier<CompletionStage<R>> verb) {
        return subscriptions.take(new Subscription(whole, subscription), () -> island.home(verb.get()));
    }

    /** Does something with all parts of a topic, which stay as many meanwhile; the verb may end on any thread. */
    <R> CompletionStage<R> withParts(TopicName name, Function<List<TopicName>, CompletionStage<R>> verb) {
        return partitions.betweenGrowths(name, () -> island.home(verb.apply(partsOf(name))));
    }

    /** The same with the stored topics of a namespace, without those that become partitioned while it waits. */
    <R> CompletionStage<R> withTopics(NamespaceName namespace, Function<List<TopicName>, CompletionStage<R>> verb) {
        Set<TopicName> settled = Set.copyOf(partitions.of(namespace));
        return partitions.betweenGrowths(
                settled,
                () -> island.home(verb.apply(list(namespace).stream()
                        .map(TopicName::parse)
                        .filter(topic -> settled.contains(topic.whole()) || partitions.find(topic.whole()) == null)
                        .toList())));
    }

    /** Sets some properties of a topic and removes others. */
    CompletionStage<Void> changeProperties(TopicName name, Map<String, String> set, Set<String> removed) {
        if (partitions.find(name) != null) {
            return partitions.changeProperties(name, set, removed);
        }
        requireThere(name);
        return policies().changeProperties(name, removed, set);
    }

    Map<String, String> properties(TopicName name) {
        Partitioned whole = partitions.find(name);
        if (whole != null) {
            return whole.properties();
        }
        requireThere(name);
        return policies().properties(name);
    }

    /** Removes some policies of a topic, partitioned or not, and sets others, together. */
    CompletionStage<Void> changePolicies(TopicName name, Set<String> removed, Map<String, String> set) {
        requireThere(name);
        return policies().change(name, removed, set);
    }

    /** The same of several topics, all together. */
    CompletionStage<Void> changePolicies(Map<TopicName, PolicyChange> changes) {
        changes.keySet().forEach(this::requireThere);
        return policies().changeAll(changes);
    }

    Map<String, String> policiesOf(TopicName name) {
        requireThere(name);
        return policies().policies(name);
    }

    /** The same with those that are set for all clusters. */
    CompletionStage<Void> changeGlobalPolicies(TopicName name, Set<String> removed, Map<String, String> set) {
        requireThere(name);
        return policies().changeGlobal(name, removed, set);
    }

    Map<String, String> globalPoliciesOf(TopicName name) {
        requireThere(name);
        return policies().globalPolicies(name);
    }

    private void requireThere(TopicName name) {
        List<TopicName> unused = partsOf(name);
    }

    /** Makes a partitioned topic. */
    CompletionStage<Integer> create(TopicName name, int count, Map<String, String> properties) {
        return whenNotBeingMade(
                name, () -> partitions.requireMakeable(name, count), () -> createNow(name, count, properties));
    }

    private CompletionStage<Integer> createNow(TopicName name, int count, Map<String, String> properties) {
        if (isThere(name)) {
            throw new BrokerException(ErrorKind.CONFLICT, "This topic already exists: " + name);
        }
        if (changing.isOpening(name)) {
            throw new BrokerException(ErrorKind.SERVICE_NOT_READY, name + " is being opened: try again");
        }
        return partitions.create(name, count, properties);
    }

    /** Deletes a topic with all that it holds and, if it is partitioned, all partitions; if clients use it, only by force. */
    CompletionStage<Void> delete(TopicName name, boolean force) {
        List<TopicName> parts = partsOf(name);
        boolean isPartitioned = partitions.find(name) != null;
        if (name.isPartition() && partitions.find(name.whole()) != null) {
            throw new BrokerException(
                    ErrorKind.NOT_ALLOWED, name + " goes with its partitioned topic: delete " + name.whole());
        }
        LogChange deletion = isPartitioned ? partitions.deletion(name) : new LogChange();
        parts.stream().filter(TopicName::isPersistent).forEach(part -> deletion.deleteTopic(part.full()));
        policies().deleteWith(name, deletion);
        return whileClosed(name, parts, force, () -> namespaces.schemas().deleteWith(name, deletion))
                .thenAccept(done -> {
                    partitions.deleted(name);
                    policies().deleted(name);
                });
    }

    /** Closes a topic; clients that use it come back. */
    CompletionStage<Void> unload(TopicName name) {
        return whileClosed(name, partsOf(name), true, () -> CompletableFuture.<Void>completedFuture(null));
    }

    /** Ends a topic: it takes no more messages, those that it has are delivered. The last position of the last partition. */
    CompletionStage<Position> terminate(TopicName name) {
        return alter(name, parts -> shared.log().terminate(parts));
    }

    /** Moves every subscription behind the last message, and deletes what is stored. */
    CompletionStage<Position> truncate(TopicName name) {
        return alter(name, parts -> shared.log().truncate(parts));
    }

    /** One change of all partitions, which are the log's alone meanwhile. */
    private CompletionStage<Position> alter(TopicName name, Function<List<TopicLog>, CompletionStage<Void>> change) {
        if (!name.isPersistent()) {
            throw new BrokerException(ErrorKind.NOT_ALLOWED, name + " stores nothing that could be changed");
        }
        List<TopicName> parts = partsOf(name);
        return whileClosed(name, parts, true, () -> {
            List<TopicLog> opened = new ArrayList<>();
            return Outcomes.inTurn(
                            parts, part -> shared.log().openTopic(part.full()).thenAccept(opened::add))
                    .thenCompose(all -> change.apply(opened))
                    .handle((done, failure) -> Outcomes.inTurn(opened, shared.log()::leaveTopic)
                            .thenApply(left -> {
                                if (failure != null) {
                                    throw Outcomes.rethrown(failure);
                                }
                                return opened.get(opened.size() - 1).lastDurable();
                            }))
                    .thenCompose(left -> left);
        });
    }

    /** The topics that the log has of it: its partitions, or itself. */
    List<TopicName> partsOf(TopicName name) {
        namespaces.policies(NamespaceName.of(name));
        Partitioned whole = partitions.find(name);
        if (whole != null) {
            return PartitionVerbs.names(name, whole);
        }
        boolean isKnown =
                isThere(name) || (!name.isPersistent() && namespaces.schemas().has(name));
        if (!isKnown) {
            throw notFound(name);
        }
        return List.of(name);
    }

    private <R> CompletionStage<R> whileClosed(
            TopicName name, List<TopicName> parts, boolean force, Supplier<CompletionStage<R>> task) {
        changing.begin(name, true);
        return island.home(island.home(shared.topics().release(parts, force)).thenCompose(done -> task.get()))
                .whenComplete((done, failure) -> changing.end(name));
    }

    /** The full names of the stored topics in that namespace, partitions one by one, in alphabetical order. */
    List<String> list(NamespaceName namespace) {
        namespaces.policies(namespace);
        return namespaces.topicsOf(namespace).stream().sorted().toList();
    }

    /** The full names of the open topics in that namespace that store nothing. */
    List<String> live(NamespaceName namespace) {
        return live.stream().filter(namespace::holds).map(TopicName::full).toList();
    }
}
