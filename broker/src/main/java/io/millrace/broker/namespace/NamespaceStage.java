package io.millrace.broker.namespace;

import io.millrace.broker.log.TopicNames;
import io.millrace.broker.topic.Topics;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.ClosedShape;
import io.millrace.streams.stage.AsyncCallback;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.LogicAndValue;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The owner of everything that has a name: its messages are what is to be done with it. */
final class NamespaceStage
        extends GraphStageWithMaterializedValue<ClosedShape, AsyncCallback<Consumer<NamespaceStage.Owned>>> {
    private final NameTable table;
    private final Shared shared;

    NamespaceStage(NameTable table, Shared shared) {
        this.table = table;
        this.shared = shared;
    }

    /** What it owns: the verbs, by what they are about. */
    record Owned(NamespaceVerbs namespaces, TopicVerbs topics, SchemaVerbs schemas, Lists lists, Runnable end) {
        PartitionVerbs partitions() {
            return topics.partitions();
        }
    }

    /** Lists of topics, once or followed. */
    record Lists(TopicListings listings, TopicWatches watches) {}

    @Override
    public ClosedShape shape() {
        return ClosedShape.of();
    }

    @Override
    public String name() {
        return "namespaces";
    }

    @Override
    public LogicAndValue<AsyncCallback<Consumer<Owned>>> createLogicAndValue(Attributes inherited) {
        Logic logic = new Logic();
        return new LogicAndValue<>(logic, logic.self);
    }

    private final class Logic extends GraphStageLogic implements Island {
        private final AsyncCallback<Consumer<Owned>> self = asyncCallback(this::receive);
        private @Nullable Owned owned;

        Logic() {
            super(ClosedShape.of());
        }

        @Override
        public void preStart() {
            setKeepGoing(true);
            NamesInChange changing = new NamesInChange();
            BlockingTasks tasks = new BlockingTasks(this, materializer());
            SchemaVerbs schemas = new SchemaVerbs(table, changing, shared, this, tasks);
            NamespaceVerbs namespaces = new NamespaceVerbs(table, changing, shared, this, schemas);
            TopicPolicies policies = new TopicPolicies(table, changing, shared, this);
            PartitionVerbs partitions = new PartitionVerbs(table, changing, shared, this, policies);
            TopicVerbs topics = new TopicVerbs(namespaces, partitions, changing, shared, this);
            TopicListings listings = new TopicListings(shared, new BlockingTasks(this, materializer()));
            Lists lists = new Lists(listings, new TopicWatches(listings, shared, this));
            owned = new Owned(namespaces, topics, schemas, lists, this::completeStage);
            namespaces.storeThoseOfTopics();
            schemas.removeLeftovers();
            new Upkeep(table, topics, shared, this).start();
            shared.log().onTopics(new TopicNames() {
                @Override
                public void made(String topic) {
                    self.invoke(owner -> owner.lists().watches().changed(topic, true));
                }

                @Override
                public void gone(String topic) {
                    self.invoke(owner -> owner.lists().watches().changed(topic, false));
                }
            });
        }

        /** Each timer is a task. */
        @Override
        public void onTimer(Object key) {
            ((Runnable) key).run();
        }

        @Override
        public void after(Duration time, Runnable task) {
            scheduleOnce(task, time);
        }

        @Override
        public long nanoTime() {
            return nowNanos();
        }

        private void receive(Consumer<Owned> task) {
            task.accept(Objects.requireNonNull(owned, "owned"));
        }

        @Override
        public <T> CompletionStage<T> home(CompletionStage<T> elsewhere) {
            CompletableFuture<T> here = new CompletableFuture<>();
            elsewhere.whenComplete((value, failure) -> self.invokeWithFeedback(owner -> {
                        if (failure == null) {
                            here.complete(value);
                        } else {
                            here.completeExceptionally(failure);
                        }
                    })
                    .whenComplete((done, stopped) -> {
                        if (stopped != null) {
                            here.completeExceptionally(Topics.closed());
                        }
                    }));
            return here;
        }

        @Override
        public void later(Runnable task) {
            self.invoke(owner -> task.run());
        }
    }
}
