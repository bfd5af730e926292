package io.millrace.broker.namespace;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.log.BrokerLog;
import io.millrace.broker.log.Position;
import io.millrace.broker.log.TopicFacts;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.memory.OutOfMemory;
import io.millrace.broker.namespace.NamespaceStage.Owned;
import io.millrace.broker.topic.AppliedPolicies;
import io.millrace.broker.topic.Topic;
import io.millrace.broker.topic.TopicName;
import io.millrace.broker.topic.TopicRules;
import io.millrace.broker.topic.Topics;
import io.millrace.streams.RunnableGraph;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.stage.AsyncCallback;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Everything of a broker that has a name: tenants, namespaces, topics, partitioned topics. Thread-safe; every request is
 * answered later, by one stage, once it is durable, and fails with a {@link BrokerException}.
 */
public final class Namespaces {
    /** The key of the policy of how long messages are kept that every subscription has acknowledged: minutes and MiB with a comma between, -1 for no limit. */
    public static final String RETENTION = Retentions.KEY;

    /** The key of the policy of topics that nobody uses: which they are, after how many seconds they go, and true if they do, with commas between. */
    public static final String INACTIVE_TOPICS = InactiveTopics.KEY;

    private final AsyncCallback<Consumer<Owned>> stage;
    private final Topics topics;
    private final Schemas schemas;
    private final SubscriptionVerbs subscriptions;
    private final Map<String, String> defaults;

    private Namespaces(AsyncCallback<Consumer<Owned>> stage, Shared shared) {
        defaults = defaults(shared);
        this.stage = stage;
        this.schemas = new Schemas(
                new Schemas.Stage() {
                    @Override
                    public <R> CompletionStage<R> ask(Function<Owned, CompletionStage<R>> verb) {
                        return Namespaces.this.ask(verb);
                    }

                    @Override
                    public <R> CompletionStage<R> read(Function<Owned, R> question) {
                        return Namespaces.this.read(question);
                    }
                },
                shared.memory());
        topics = shared.topics();
        subscriptions = new SubscriptionVerbs(this, shared);
    }

    private static Map<String, String> defaults(Shared shared) {
        Map<String, String> all = new HashMap<>(shared.settings().policies().byKey());
        all.putAll(shared.settings().schemas().policy().byKey());
        all.putAll(AppliedPolicies.byKey(shared.topics().limits().subscription()));
        return Map.copyOf(all);
    }

    /**
     * Starts it over the topics of that log, which it opens and closes from now on.
     *
     * @throws IllegalStateException if the log holds what only a later version can read
     */
    public static Namespaces start(StreamRuntime runtime, BrokerLog log, Topics topics, NamespaceSettings settings) {
        NameTable table = new NameTable(log, topics.memory());
        table.retentions.tell(log::retainBy);
        Shared shared = new Shared(log, topics, settings, topics.memory());
        AsyncCallback<Consumer<Owned>> stage = RunnableGraph.fromGraph(new NamespaceStage(table, shared))
                .named("namespaces")
                .run(runtime);
        Namespaces namespaces = new Namespaces(stage, shared);
        topics.reopenBy(
                name -> namespaces.open(name, true),
                name -> stage.invoke(owned -> owned.topics().unloaded(name)));
        return namespaces;
    }

    /** What clients may make the broker hold, which topics share with connections. */
    public MemoryBudget memory() {
        return topics.memory();
    }

    /** The schemas of topics. */
    public Schemas schemas() {
        return schemas;
    }

    /** Subscriptions of several topics at once. */
    public SubscriptionVerbs subscriptions() {
        return subscriptions;
    }

    /** The topic of that name for a client; if there is none, it is made where the client and the settings want it. */
    public CompletionStage<Topic> open(TopicName name, boolean create) {
        return ask(owned -> owned.topics().open(name, create));
    }

    /** Done if that topic may be looked up; fails if there is no such namespace. */
    public CompletionStage<Void> lookUp(TopicName name) {
        return ask(owned -> owned.topics().lookUp(name));
    }

    /**
     * How many partitions a client is told that the topic has, 0 for none.
     *
     * @param create whether it counts as a topic without partitions if there is none, or is made partitioned where the
     *     settings say so; where they say that none is made, it is not found
     */
    public CompletionStage<Integer> partitionsOf(TopicName name, boolean create) {
        return ask(owned -> owned.topics().partitionsOf(name, create));
    }

    /** The topics that hold what is published to that one: its partitions, in their order, or itself. */
    public CompletionStage<List<TopicName>> parts(TopicName name) {
        return read(owned -> owned.topics().partsOf(name));
    }

    /** Does something with those of {@link #parts} that is to be so of all partitions: none are added meanwhile. */
    public <R> CompletionStage<R> withParts(TopicName name, Function<List<TopicName>, CompletionStage<R>> verb) {
        return ask(owned -> owned.topics().withParts(name, verb));
    }

    /** Does something with the stored topics of a namespace that is to be so of all partitions: none are added meanwhile. */
    public <R> CompletionStage<R> withTopics(
            NamespaceName namespace, Function<List<TopicName>, CompletionStage<R>> verb) {
        return ask(owned -> owned.topics().withTopics(namespace, verb));
    }

    /**
     * What the log has of these topics, in that order, without those that there are not. Asking opens none and changes
     * none.
     */
    public CompletionStage<List<TopicFacts>> facts(List<TopicName> names) {
        return ask(owned -> owned.topics().facts(names));
    }

    /** Those of these topics that are open; asking opens none. */
    public CompletionStage<Map<TopicName, Topic>> openTopics(List<TopicName> names) {
        return topics.find(names);
    }

    /** All topics that are open. */
    public CompletionStage<Set<TopicName>> openTopics() {
        return topics.find(name -> true).thenApply(open -> Collections.unmodifiableSet(open.keySet()));
    }

    /** The tenants, in alphabetical order. */
    public CompletionStage<List<String>> tenants() {
        return read(owned -> owned.namespaces().tenants());
    }

    /** The properties of that tenant. */
    public CompletionStage<Map<String, String>> tenant(String name) {
        return read(owned -> owned.namespaces().tenant(name));
    }

    /** Makes a tenant that there is not. */
    public CompletionStage<Void> createTenant(String name, Map<String, String> properties) {
        return ask(owned -> owned.namespaces().putTenant(name, properties, true));
    }

    /** Sets the properties of a tenant. */
    public CompletionStage<Void> updateTenant(String name, Map<String, String> properties) {
        return ask(owned -> owned.namespaces().putTenant(name, properties, false));
    }

    /** Deletes a tenant without namespaces. */
    public CompletionStage<Void> deleteTenant(String name) {
        return ask(owned -> owned.namespaces().deleteTenant(name));
    }

    /** Deletes a tenant with all its namespaces and their topics, whose producers and consumers are closed: all together, or nothing. */
    public CompletionStage<Void> deleteTenantWithTopics(String name) {
        return ask(owned -> owned.topics().deletions().deleteWithTopics(name));
    }

    /** The namespaces of that tenant, in alphabetical order. */
    public CompletionStage<List<NamespaceName>> namespaces(String tenant) {
        return read(owned -> owned.namespaces().namespaces(tenant));
    }

    /** Makes a namespace that there is not, in a tenant that there is. */
    public CompletionStage<Void> createNamespace(NamespaceName name, Map<String, String> policies) {
        return ask(owned -> owned.namespaces().createNamespace(name, policies));
    }

    /** Makes a namespace and its tenant, unless they are there. */
    public CompletionStage<Void> ensureNamespace(NamespaceName name) {
        return ask(owned -> owned.namespaces().ensureNamespace(name));
    }

    /** Deletes a namespace without topics. */
    public CompletionStage<Void> deleteNamespace(NamespaceName name) {
        return ask(owned -> owned.topics().deletions().delete(name));
    }

    /** Deletes a namespace with all its topics, whose producers and consumers are closed: all together, or nothing. */
    public CompletionStage<Void> deleteNamespaceWithTopics(NamespaceName name) {
        return ask(owned -> owned.topics().deletions().deleteWithTopics(name));
    }

    /** What the broker's settings have apply where no policy says otherwise, by the keys of policies. */
    public Map<String, String> defaultPolicies() {
        return defaults;
    }

    /** The policies of that namespace, by key. */
    public CompletionStage<Map<String, String>> policies(NamespaceName name) {
        return read(owned -> owned.namespaces().policies(name));
    }

    /**
     * Sets a policy of a namespace, or removes it, which needs the namespace to be there. Those of the keys {@code auto-topics}, {@code auto-topic-partitions},
     * {@code schema-compatibility}, {@code schema-validation-enforced} and {@code schema-auto-update} come before the settings of
     * the same keys, those of {@link TopicRules} and {@code max-topics-per-namespace} say what clients may, those of {@link AppliedPolicies} and {@link
     * PolicySettings} what becomes of topics while they are open; others are kept for who
     * reads them.
     */
    public CompletionStage<Void> setPolicy(NamespaceName name, String key, @Nullable String value) {
        return ask(owned -> owned.namespaces()
                .setPolicy(name, key, value)
                .thenCompose(done -> owned.topics().open().changed(name)));
    }

    /** Removes the policies of these keys, and sets those that are given instead, together; where none are, the namespace has to be there. */
    public CompletionStage<Void> setPolicies(NamespaceName name, Set<String> removed, Map<String, String> policies) {
        return changePolicies(name, kept -> new PolicyChange(removed, policies));
    }

    /**
     * Changes policies of a namespace by what they are, with no other change between. The function must not wait, and may be asked twice: first
     * what it would set in a namespace that is to be made.
     */
    public CompletionStage<Void> changePolicies(
            NamespaceName name, Function<Map<String, String>, PolicyChange> change) {
        return ask(owned -> owned.namespaces()
                .changePolicies(name, change)
                .thenCompose(done -> owned.topics().open().changed(name)));
    }

    /** The full names of the topics of that namespace, partitions one by one, in alphabetical order. */
    public CompletionStage<List<String>> topics(NamespaceName namespace) {
        return read(owned -> owned.topics().list(namespace));
    }

    /**
     * The topics that a client asks for; of a namespace that there is not, none. A pattern that takes too long to match, or
     * is not one of RE2, filters nothing, as the list says.
     */
    public CompletionStage<TopicList> list(TopicListing asked) {
        return ask(owned -> owned.lists().listings().list(asked, owned.topics().live(asked.namespace())));
    }

    /**
     * Watches the stored topics of a namespace that match a pattern: answers the list, after which the watcher hears of
     * every change within milliseconds.
     */
    public CompletionStage<TopicList> watch(NamespaceName namespace, String pattern, TopicWatcher watcher) {
        return ask(owned -> owned.lists().watches().start(namespace, pattern, watcher));
    }

    /** The list that somebody watches, as it is now. */
    public CompletionStage<TopicList> watched(NamespaceName namespace, String pattern) {
        return read(owned -> owned.lists().watches().current(namespace, pattern));
    }

    /** Ends it: the watcher hears nothing more. */
    public void unwatch(NamespaceName namespace, String pattern, TopicWatcher watcher) {
        stage.invoke(owned -> owned.lists().watches().stop(namespace, pattern, watcher));
    }

    /** The partitioned topics of that namespace, in alphabetical order. */
    public CompletionStage<List<TopicName>> partitionedTopics(NamespaceName namespace) {
        return read(owned -> owned.partitions().of(namespace));
    }

    /** Makes a topic without partitions that there is not, or a missing partition. */
    public CompletionStage<Void> createTopic(TopicName name) {
        return createTopic(name, Map.of());
    }

    /** The same of a topic with properties; a partition has none of its own. */
    public CompletionStage<Void> createTopic(TopicName name, Map<String, String> properties) {
        return ask(owned -> owned.topics().create(name, properties));
    }

    /** Makes a topic of so many partitions, with all of them, that there is not; answers how many. */
    public CompletionStage<Integer> createPartitionedTopic(
            TopicName name, int partitions, Map<String, String> properties) {
        return ask(owned -> owned.topics().create(name, partitions, properties));
    }

    /**
     * Adds partitions to a topic until there are so many, with the durable subscriptions of the others, all together; its
     * clients find them when they ask again.
     */
    public CompletionStage<Integer> growPartitionedTopic(TopicName name, int partitions) {
        return ask(owned -> owned.partitions().grow(name, partitions));
    }

    /** Changes the properties of a topic: sets some, removes others. */
    public CompletionStage<Void> changeProperties(TopicName name, Map<String, String> set, Set<String> removed) {
        return ask(owned -> owned.topics().changeProperties(name, set, removed));
    }

    /** The properties of a topic, partitioned or not. */
    public CompletionStage<Map<String, String>> properties(TopicName name) {
        return read(owned -> owned.topics().properties(name));
    }

    /** The policies of that topic, partitioned or not, by key; those of its schemas are {@link Schemas#policies}. */
    public CompletionStage<Map<String, String>> topicPolicies(TopicName name) {
        return read(owned -> owned.topics().policiesOf(name));
    }

    /**
     * Removes the policies of these keys of a topic, and sets those that are given instead, together. Those of the keys of {@link
     * TopicRules} come before those of the namespace, for clients that come from then on, those of {@link AppliedPolicies} at once; others are kept for who reads them.
     */
    public CompletionStage<Void> setTopicPolicies(TopicName name, Set<String> removed, Map<String, String> policies) {
        return ask(owned -> owned.topics()
                .changePolicies(name, removed, policies)
                .thenCompose(done -> owned.topics().open().changed(name)));
    }

    /** The policies of that topic that are set for all clusters: they come after its others and before those of its namespace. */
    public CompletionStage<Map<String, String>> globalTopicPolicies(TopicName name) {
        return read(owned -> owned.topics().globalPoliciesOf(name));
    }

    /** {@link #setTopicPolicies(TopicName, Set, Map)} with those that are set for all clusters. */
    public CompletionStage<Void> setGlobalTopicPolicies(
            TopicName name, Set<String> removed, Map<String, String> policies) {
        return ask(owned -> owned.topics()
                .changeGlobalPolicies(name, removed, policies)
                .thenCompose(done -> owned.topics().open().changed(name)));
    }

    /** The same of several topics, for all together or, if one is not there, for none. For policies that have no effect on clients. */
    public CompletionStage<Void> setTopicPolicies(Map<TopicName, PolicyChange> changes) {
        Map<TopicName, PolicyChange> all = Map.copyOf(changes);
        return ask(owned -> owned.topics().changePolicies(all));
    }

    /**
     * Deletes a topic with its messages and subscriptions, and with all its partitions. While clients are connected to it,
     * only by force, which closes their producers and consumers.
     */
    public CompletionStage<Void> deleteTopic(TopicName name, boolean force) {
        return ask(owned -> owned.topics().delete(name, force));
    }

    /** Closes a topic, or all its partitions: clients come back by themselves, and nothing about it changes. */
    public CompletionStage<Void> unload(TopicName name) {
        return ask(owned -> owned.topics().unload(name));
    }

    /** The same of several, one after the other, without those that are gone. Those that are being changed stay: then it fails, once the others are closed. */
    public CompletionStage<Void> unload(List<TopicName> names) {
        List<Throwable> busy = new ArrayList<>(0);
        return Outcomes.inTurn(
                        names,
                        name -> Outcomes.unlessGone(unload(name), ErrorKind.TOPIC_NOT_FOUND)
                                .exceptionally(failure -> {
                                    BrokerException refusal = Outcomes.refusal(failure);
                                    if (refusal == null || refusal.kind() != ErrorKind.SERVICE_NOT_READY) {
                                        throw Outcomes.rethrown(failure);
                                    }
                                    busy.add(failure);
                                    return null;
                                }))
                .thenAccept(all -> busy.stream().findFirst().ifPresent(failure -> {
                    throw Outcomes.rethrown(failure);
                }));
    }

    /** Ends a topic: it takes no more messages, and consumers hear when they have all. Answers its last position. */
    public CompletionStage<Position> terminate(TopicName name) {
        return ask(owned -> owned.topics().terminate(name));
    }

    /** Moves every subscription of a topic behind its last message, and deletes the messages. Answers that position. */
    public CompletionStage<Position> truncate(TopicName name) {
        return ask(owned -> owned.topics().truncate(name));
    }

    /** Makes a subscription of a topic or of some of its partitions, when no other of that name is being made. */
    <R> CompletionStage<R> makeInTurn(TopicName whole, String subscription, Supplier<CompletionStage<R>> verb) {
        return ask(owned -> owned.topics().makeInTurn(whole, subscription, verb));
    }

    /** Closes all topics: accepted publishes and acknowledgements get their receipts first. */
    public CompletionStage<Void> close() {
        return topics.close()
                .whenComplete(
                        (done, failure) -> stage.invoke(owned -> owned.end().run()));
    }

    private <R> CompletionStage<R> read(Function<Owned, R> question) {
        return ask(owned -> CompletableFuture.completedFuture(question.apply(owned)));
    }

    private <R> CompletionStage<R> ask(Function<Owned, CompletionStage<R>> verb) {
        CompletableFuture<R> reply = new CompletableFuture<>();
        stage.invokeWithFeedback(owned -> answer(verb, owned, reply)).whenComplete((done, failure) -> {
            if (failure != null) {
                reply.completeExceptionally(Topics.closed());
            }
        });
        return reply;
    }

    /** What a verb throws is its answer, and no failure of the stage, which serves all others. */
    private static <R> void answer(Function<Owned, CompletionStage<R>> verb, Owned owned, CompletableFuture<R> reply) {
        try {
            verb.apply(owned).whenComplete((value, failure) -> {
                if (failure == null) {
                    reply.complete(value);
                } else {
                    OutOfMemory.tell(failure);
                    reply.completeExceptionally(Shared.refusal(failure));
                }
            });
        } catch (RuntimeException | Error refusal) {
            OutOfMemory.tell(refusal);
            reply.completeExceptionally(Shared.refusal(refusal));
        }
    }
}
