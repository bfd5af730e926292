package io.millrace.broker.namespace;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.log.LogChange;
import io.millrace.broker.schema.Compatibility;
import io.millrace.broker.schema.SchemaContent;
import io.millrace.broker.schema.SchemaPolicy;
import io.millrace.broker.schema.SchemaRules;
import io.millrace.broker.schema.SchemaTable;
import io.millrace.broker.schema.StoredSchema;
import io.millrace.broker.schema.TopicSchemas;
import io.millrace.broker.topic.TopicName;
import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done with the schemas of topics. What changes those of a topic is done in turn; a schema that the topic has is
 * found by its digest at once, a new one is looked at on a blocking worker. Owned by the namespace stage.
 */
final class SchemaVerbs {
    private static final Logger LOG = LoggerFactory.getLogger(SchemaVerbs.class);

    private final NameTable table;
    private final NamesInChange changing;
    private final Shared shared;
    private final Island island;
    private final BlockingTasks tasks;
    private final Turns<TopicName> turns = new Turns<>();
    private long questions;

    SchemaVerbs(NameTable table, NamesInChange changing, Shared shared, Island island, BlockingTasks tasks) {
        this.table = table;
        this.changing = changing;
        this.shared = shared;
        this.island = island;
        this.tasks = tasks;
    }

    /** What a client that brings a schema is told when it brings one that the topic does not take. */
    private static BrokerException incompatible(String text) {
        return new BrokerException(ErrorKind.INCOMPATIBLE_SCHEMA, "Incompatible schema: " + text);
    }

    /** How often clients asked since the start. */
    long questions() {
        return questions;
    }

    /** The version that a producer's schema has, once it is durable; that of none, for a producer without. */
    CompletionStage<Long> admitProducer(TopicName name, @Nullable SchemaContent schema) {
        questions++;
        if (schema == null || !isStored(schema)) {
            return admitWithoutSchema(name);
        }
        return addForClient(name, schema);
    }

    /** Whether it is one that a topic has; bytes are as no schema, and what is for clients alone is refused. */
    private static boolean isStored(SchemaContent schema) {
        if (!schema.type().isStored()) {
            SchemaRules.requireSound(schema);
        }
        return schema.type().isStored();
    }

    private CompletionStage<Long> admitWithoutSchema(TopicName name) {
        TopicName whole = name.whole();
        if (table.schemas.of(whole).hasSchema() && policy(whole).isEnforced()) {
            throw incompatible("Producers cannot connect or send message without a schema to topics with a schema when "
                    + SchemaPolicy.enforcedKey() + "=true: give the producer of " + name + " a schema");
        }
        return CompletableFuture.completedFuture(StoredSchema.NO_VERSION);
    }

    /**
     * Done if a consumer's schema may read the topic. A topic that nobody uses and that has no schema takes the consumer's.
     *
     * @param isUnused whether the topic has no producers, no consumers with or without a schema, and no messages
     */
    CompletionStage<Void> admitConsumer(
            TopicName name, @Nullable SchemaContent schema, Supplier<CompletionStage<Boolean>> isUnused) {
        questions++;
        if (schema == null || !schema.type().isStored()) {
            return CompletableFuture.completedFuture(null);
        }
        TopicName whole = name.whole();
        if (table.schemas.of(whole).hasSchema()) {
            return checkConsumer(whole, schema);
        }
        return turns.take(whole, () -> {
            if (table.schemas.of(whole).hasSchema()) {
                return checkConsumer(whole, schema);
            }
            return island.home(isUnused.get())
                    .thenCompose(unused -> unused ? addNow(name, schema, false) : refuseActive(whole, schema))
                    .thenAccept(version -> {});
        });
    }

    private CompletionStage<Long> refuseActive(TopicName whole, SchemaContent schema) {
        if (policy(whole).compatibility() == Compatibility.ALWAYS_COMPATIBLE) {
            return CompletableFuture.completedFuture(StoredSchema.NO_VERSION);
        }
        return CompletableFuture.failedFuture(
                incompatible("Failed to add schema to an active topic with empty(BYTES) schema: new schema type "
                        + schema.type() + "; give the producers of " + whole + " a schema first, or consume bytes"));
    }

    private CompletionStage<Void> checkConsumer(TopicName whole, SchemaContent schema) {
        TopicSchemas schemas = table.schemas.of(whole);
        Compatibility strategy = policy(whole).compatibility();
        List<TopicSchemas.Version> counted = counted(schemas, strategy.consumersReadAll());
        boolean isKnown =
                counted.stream().allMatch(version -> version.identity().equals(schema.identity()));
        if (strategy == Compatibility.ALWAYS_COMPATIBLE || (isKnown && strategy != Compatibility.ALWAYS_INCOMPATIBLE)) {
            return CompletableFuture.completedFuture(null);
        }
        shared.settings().schemas().requireFits(schema);
        return tasks.run("schema of a consumer of " + whole, () -> {
                    SchemaRules.requireSound(schema);
                    SchemaRules.requireCompatible(schema, contents(counted), strategy.forConsumers());
                    return true;
                })
                .thenAccept(done -> {});
    }

    /** The version of a schema that a client brings for a topic that there is. */
    CompletionStage<Long> findOrAdd(TopicName name, SchemaContent schema, boolean isThere) {
        questions++;
        if (!isThere) {
            throw new BrokerException(ErrorKind.TOPIC_NOT_FOUND, "Topic not found: there is no topic " + name);
        }
        return isStored(schema)
                ? addForClient(name, schema)
                : CompletableFuture.completedFuture(StoredSchema.NO_VERSION);
    }

    private CompletionStage<Long> addForClient(TopicName name, SchemaContent schema) {
        TopicName whole = name.whole();
        TopicSchemas.Version same = table.schemas.of(whole).same(schema.identity());
        return same != null && !turns.isBusy(whole)
                ? CompletableFuture.completedFuture(same.number())
                : turns.take(whole, () -> addNow(name, schema, false));
    }

    /** Sets a schema by hand, whether or not there is such a topic: the answer is its version. */
    CompletionStage<Long> post(TopicName name, SchemaContent schema) {
        table.require(NamespaceName.of(name));
        if (!schema.type().isStored()) {
            throw incompatible(schema.type() + " is no schema that a topic can have");
        }
        return turns.take(name.whole(), () -> addNow(name, schema, true));
    }

    /** Adds the schema unless the topic has it; in its turn. */
    private CompletionStage<Long> addNow(TopicName name, SchemaContent schema, boolean isByHand) {
        TopicName whole = name.whole();
        changing.requireOpenable(name);
        table.require(NamespaceName.of(name));
        TopicSchemas schemas = table.schemas.of(whole);
        TopicSchemas.Version same = schemas.same(schema.identity());
        if (same != null) {
            return CompletableFuture.completedFuture(same.number());
        }
        shared.settings().schemas().requireFits(schema);
        SchemaPolicy policy = policy(whole);
        return tasks.run(
                        "schema of " + whole,
                        () -> judged(schema, schemas, policy.compatibility(), isByHand || policy.takesNew()))
                .thenCompose(version -> version == StoredSchema.NO_VERSION
                        ? store(name, schemas, schema)
                        : CompletableFuture.completedFuture(version));
    }

    /** On a worker: the version that is the same; none if the schema may be added. */
    private long judged(SchemaContent schema, TopicSchemas schemas, Compatibility strategy, boolean takesNew) {
        SchemaRules.requireSound(schema);
        List<StoredSchema> all = schema.type().isOfAvro() ? contents(schemas.versions()) : List.of();
        StoredSchema same = SchemaRules.same(schema, all);
        if (same != null) {
            return same.version();
        }
        if (!takesNew) {
            throw incompatible(
                    "Schema not found and schema auto updating is disabled: the topic takes no schema that it"
                            + " does not have, by " + SchemaPolicy.takesNewKey() + "=false; set the schema first");
        }
        SchemaRules.requireCompatible(schema, contents(counted(schemas, strategy.isTransitive())), strategy);
        return StoredSchema.NO_VERSION;
    }

    private static List<TopicSchemas.Version> counted(TopicSchemas schemas, boolean all) {
        TopicSchemas.Version latest = schemas.latest();
        return all || latest == null ? schemas.versions() : List.of(latest);
    }

    /** The contents, the newest first; each is read when it is asked for, since all at once may be more than the heap has. */
    private List<StoredSchema> contents(List<TopicSchemas.Version> versions) {
        return new AbstractList<>() {
            @Override
            public StoredSchema get(int index) {
                return stored(versions.get(versions.size() - 1 - index));
            }

            @Override
            public int size() {
                return versions.size();
            }
        };
    }

    private StoredSchema stored(TopicSchemas.Version version) {
        return new StoredSchema(
                version.number(), version.timestampMillis(), SchemaTable.content(shared.log(), version));
    }

    private CompletionStage<Long> store(TopicName name, TopicSchemas before, SchemaContent schema) {
        changing.requireOpenable(name);
        shared.settings().schemas().requireRoom(before);
        shared.requireRoom();
        TopicSchemas after = before.with(schema, System.currentTimeMillis());
        LogChange change = new LogChange();
        if (name.isPersistent() && shared.log().hasTopic(name.full())) {
            change.keepTopic(name.full()); // or it would go when it is idle and empty, and its schema would stay
        }
        return make(name.whole(), change, after, schema).thenApply(done -> before.nextVersion());
    }

    private CompletionStage<Void> make(
            TopicName whole, LogChange change, TopicSchemas after, @Nullable SchemaContent added) {
        SchemaTable.Pending pending = table.schemas.change(change, whole, after, added);
        return island.home(shared.store(change)).whenComplete((done, failure) -> {
            if (failure == null) {
                pending.done();
            } else {
                pending.failed();
            }
        });
    }

    /** Deletes the versions that there are: the answer is the number that the deletion has among them. */
    CompletionStage<Long> delete(TopicName name) {
        table.require(NamespaceName.of(name));
        TopicName whole = name.whole();
        return turns.take(whole, () -> {
            TopicSchemas before = table.schemas.of(whole);
            if (!before.hasSchema()) {
                throw noSchema(whole);
            }
            changing.requireOpenable(name);
            return make(whole, new LogChange(), before.withoutVersions(), null).thenApply(done -> before.nextVersion());
        });
    }

    /** Makes a change that deletes a topic, and with it its schemas; a partition alone has none. */
    CompletionStage<Void> deleteWith(TopicName topic, LogChange deletion) {
        return turns.take(topic, () -> storeWithout(List.of(topic), deletion));
    }

    /** Makes a change that deletes namespaces, and with them the schemas that were set for topics that there are not. */
    CompletionStage<Void> deleteWith(List<NamespaceName> namespaces, LogChange deletion) {
        return storeWithout(
                table.schemas.topics(topic -> namespaces.stream().anyMatch(namespace -> namespace.holds(topic))),
                deletion);
    }

    private CompletionStage<Void> storeWithout(List<TopicName> topics, LogChange deletion) {
        List<SchemaTable.Pending> removals = topics.stream()
                .map(topic -> table.schemas.removal(deletion, topic))
                .filter(Objects::nonNull)
                .toList();
        return island.home(shared.store(deletion)).whenComplete((done, failure) -> {
            removals.forEach(failure == null ? SchemaTable.Pending::done : SchemaTable.Pending::failed);
        });
    }

    /** Whether something is under way with the schemas of a topic in the namespace. */
    boolean isBusy(NamespaceName namespace) {
        return turns.isBusyWithAny(namespace::holds);
    }

    /** Removes what a change that failed has left in the log. */
    void removeLeftovers() {
        LogChange removal = table.leftovers;
        if (removal != null) {
            shared.store(removal).whenComplete((done, failure) -> {
                if (failure != null) {
                    LOG.warn("Schemas that nobody uses are still stored; the next start tries it again", failure);
                }
            });
        }
    }

    /** Whether something is stored of the topic's schemas. */
    boolean has(TopicName name) {
        return table.schemas.of(name.whole()).hasSchema();
    }

    StoredSchema latest(TopicName name) {
        TopicSchemas.Version latest = table.schemas.of(name.whole()).latest();
        if (latest == null) {
            throw noSchema(name.whole());
        }
        return stored(latest);
    }

    StoredSchema version(TopicName name, long number) {
        TopicSchemas.Version found = table.schemas.of(name.whole()).version(number);
        if (found == null) {
            throw new BrokerException(
                    ErrorKind.SCHEMA_NOT_FOUND, "Schema not found: " + name.whole() + " has no version " + number);
        }
        return stored(found);
    }

    private static BrokerException noSchema(TopicName whole) {
        return new BrokerException(ErrorKind.SCHEMA_NOT_FOUND, "Schema not found: " + whole + " has no schema");
    }

    List<TopicSchemas.Version> versions(TopicName name) {
        table.require(NamespaceName.of(name));
        return table.schemas.of(name.whole()).versions();
    }

    /** The version of the topic that is the same; none if it has none. */
    CompletionStage<Long> versionOf(TopicName name, SchemaContent schema) {
        TopicSchemas schemas = table.schemas.of(name.whole());
        shared.settings().schemas().requireFits(schema);
        return tasks.run("schema of " + name.whole(), () -> {
            SchemaRules.requireSound(schema);
            StoredSchema same = SchemaRules.same(schema, contents(schemas.versions()));
            return same == null ? StoredSchema.NO_VERSION : same.version();
        });
    }

    /** Whether the topic would take the schema; nothing is changed. */
    CompletionStage<SchemaVerdict> test(TopicName name, SchemaContent schema) {
        table.require(NamespaceName.of(name));
        TopicSchemas schemas = table.schemas.of(name.whole());
        SchemaPolicy policy = policy(name.whole());
        Compatibility strategy = policy.compatibility();
        return tasks.run("schema of " + name.whole(), () -> {
            try {
                shared.settings().schemas().requireFits(schema);
                long unused = judged(schema, schemas, strategy, true);
                return new SchemaVerdict(true, strategy, policy.takesNew(), "");
            } catch (BrokerException refusal) {
                return new SchemaVerdict(false, strategy, policy.takesNew(), String.valueOf(refusal.getMessage()));
            }
        });
    }

    Map<String, String> policies(TopicName name) {
        table.require(NamespaceName.of(name));
        return table.schemas.of(name.whole()).policies();
    }

    /** Sets a policy of a topic's schemas, or removes it. */
    CompletionStage<Void> setPolicy(TopicName name, String key, @Nullable String value) {
        table.require(NamespaceName.of(name));
        requirePolicy(name, key, value);
        TopicName whole = name.whole();
        return turns.take(whole, () -> {
            changing.requireOpenable(name);
            shared.requireRoom();
            return make(whole, new LogChange(), table.schemas.of(whole).withPolicy(key, value), null);
        });
    }

    /** Refuses a policy that a topic's schemas do not have, and to remove one in a namespace that there is not. */
    void requirePolicy(TopicName name, String key, @Nullable String value) {
        if (!SchemaPolicy.isKey(key)) {
            throw new BrokerException(ErrorKind.NOT_ALLOWED, "a topic's schemas have no policy '" + key + "'");
        }
        if (value != null) {
            requireValid(Map.of(key, value));
        } else {
            table.require(NamespaceName.of(name));
        }
    }

    /** Refuses policies of schemas that are not valid; others are not looked at. */
    void requireValid(Map<String, String> policies) {
        try {
            SchemaPolicy unused = shared.settings().schemas().policy().with(policies);
        } catch (IllegalArgumentException e) {
            throw new BrokerException(ErrorKind.NOT_ALLOWED, "a policy is not valid: " + e.getMessage(), e);
        }
    }

    /** The rules for a topic: the broker's, as its namespace and it change them. */
    private SchemaPolicy policy(TopicName whole) {
        return shared.settings()
                .schemas()
                .policy()
                .with(table.require(NamespaceName.of(whole)))
                .with(table.schemas.of(whole).policies());
    }
}
