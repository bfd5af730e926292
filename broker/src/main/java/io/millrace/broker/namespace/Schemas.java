package io.millrace.broker.namespace;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.memory.Weights;
import io.millrace.broker.namespace.NamespaceStage.Owned;
import io.millrace.broker.schema.SchemaContent;
import io.millrace.broker.schema.StoredSchema;
import io.millrace.broker.schema.TopicSchemas;
import io.millrace.broker.topic.TopicName;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The schemas of topics. A partition has those of its partitioned topic. Thread-safe; every request is answered later, by the
 * namespaces' stage, what changes something once it is durable, and fails with a {@link BrokerException}: of kind
 * INVALID_SCHEMA or INCOMPATIBLE_SCHEMA for a schema that is not taken, SCHEMA_NOT_FOUND where there is none.
 */
public final class Schemas {
    private final Stage stage;
    private final MemoryBudget memory;

    /** Where questions are answered. */
    interface Stage {
        <R> CompletionStage<R> ask(Function<Owned, CompletionStage<R>> verb);

        <R> CompletionStage<R> read(Function<Owned, R> question);
    }

    Schemas(Stage stage, MemoryBudget memory) {
        this.stage = stage;
        this.memory = memory;
    }

    /** A question that holds a schema until it is answered. */
    private <R> CompletionStage<R> askHolding(
            @Nullable SchemaContent schema, Function<Owned, CompletionStage<R>> verb) {
        if (schema == null) {
            return stage.ask(verb);
        }
        schema.identity(); // computed here, on the caller's thread
        long bytes = Weights.schema(schema.data().length, schema.propertyChars());
        if (!memory.tryTake(MemoryBudget.Kind.PRODUCERS, bytes)) {
            memory.warn(MemoryBudget.Kind.PRODUCERS);
            return CompletableFuture.failedFuture(
                    new BrokerException(ErrorKind.TOO_MANY_REQUESTS, memory.refusal(MemoryBudget.Kind.PRODUCERS)));
        }
        return stage.ask(verb).whenComplete((answer, failure) -> memory.change(MemoryBudget.Kind.PRODUCERS, -bytes));
    }

    /**
     * The version of a producer's schema, which is stored if the topic does not have it and may; {@link
     * StoredSchema#NO_VERSION} for a producer without, null, or of bytes, unless such a one is refused.
     */
    public CompletionStage<Long> admitProducer(TopicName name, @Nullable SchemaContent schema) {
        return askHolding(schema, owned -> owned.schemas().admitProducer(name, schema));
    }

    /**
     * Done if a consumer of this schema, null for none, may read the topic. A topic without a schema that is not used takes
     * the consumer's.
     *
     * @param isUnused asked at most once: whether nobody but consumers of any schema uses the topic, and it has no messages
     */
    public CompletionStage<Void> admitConsumer(
            TopicName name, @Nullable SchemaContent schema, Supplier<CompletionStage<Boolean>> isUnused) {
        return askHolding(schema, owned -> owned.schemas().admitConsumer(name, schema, isUnused));
    }

    /** The version of a schema that a client has for a topic that there is; stored if the topic does not have it and may. */
    public CompletionStage<Long> findOrAdd(TopicName name, SchemaContent schema) {
        return askHolding(
                schema,
                owned -> owned.schemas().findOrAdd(name, schema, owned.topics().exists(name)));
    }

    /**
     * The topic that is meant by one of these two, where domains are not told apart: the one that stores nothing, if there is that topic or its
     * schemas, and nothing of the other; otherwise the stored one.
     */
    public CompletionStage<TopicName> meant(TopicName either) {
        TopicName stored = in(TopicName.Domain.PERSISTENT, either);
        TopicName live = in(TopicName.Domain.NON_PERSISTENT, either);
        return stage.read(owned -> isKnown(owned, live) && !isKnown(owned, stored) ? live : stored);
    }

    private static TopicName in(TopicName.Domain domain, TopicName name) {
        return new TopicName(domain, name.tenant(), name.namespace(), name.local());
    }

    private static boolean isKnown(Owned owned, TopicName name) {
        return owned.topics().exists(name) || owned.schemas().has(name);
    }

    /** The newest version of a topic. */
    public CompletionStage<StoredSchema> latest(TopicName name) {
        return stage.read(owned -> owned.schemas().latest(name));
    }

    /** The version of that number; one that was deleted is not found. */
    public CompletionStage<StoredSchema> version(TopicName name, long number) {
        return stage.read(owned -> owned.schemas().version(name, number));
    }

    /** The versions that are not deleted, ascending, without their contents, each of which is asked for by its number. */
    public CompletionStage<List<TopicSchemas.Version>> versions(TopicName name) {
        return stage.read(owned -> owned.schemas().versions(name));
    }

    /**
     * Sets a schema, also where clients may not, and before there is the topic; it has to be compatible with those that the topic
     * has. Answers its version.
     */
    public CompletionStage<Long> post(TopicName name, SchemaContent schema) {
        return askHolding(
                schema,
                owned -> owned.namespaces()
                        .in(NamespaceName.of(name), () -> owned.schemas().post(name, schema)));
    }

    /**
     * Deletes all versions. The next schema is compared with none, and its version goes on counting, so that no stored message
     * is taken for one of another schema. Answers the number that the deletion has among the versions.
     */
    public CompletionStage<Long> delete(TopicName name) {
        return stage.ask(owned -> owned.schemas().delete(name));
    }

    /** Whether the topic would take this schema. */
    public CompletionStage<SchemaVerdict> test(TopicName name, SchemaContent schema) {
        return askHolding(schema, owned -> owned.schemas().test(name, schema));
    }

    /** The version of the topic that is the same schema; {@link StoredSchema#NO_VERSION} if there is none. */
    public CompletionStage<Long> versionOf(TopicName name, SchemaContent schema) {
        return askHolding(schema, owned -> owned.schemas().versionOf(name, schema));
    }

    /** The policies of a topic's schemas, by the keys of the settings that they come before. */
    public CompletionStage<Map<String, String>> policies(TopicName name) {
        return stage.read(owned -> owned.schemas().policies(name));
    }

    /** Sets a policy of a topic's schemas: {@code schema-compatibility}, {@code schema-validation-enforced} or {@code schema-auto-update}; or removes it. */
    public CompletionStage<Void> setPolicy(TopicName name, String key, @Nullable String value) {
        return stage.ask(owned -> owned.namespaces()
                .in(
                        NamespaceName.of(name),
                        () -> owned.schemas().requirePolicy(name, key, value),
                        () -> owned.schemas().setPolicy(name, key, value)));
    }

    /** How often clients asked for schemas since the start. */
    CompletionStage<Long> questions() {
        return stage.read(owned -> owned.schemas().questions());
    }
}
