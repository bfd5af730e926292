package io.millrace.broker.namespace;

import static io.millrace.broker.namespace.NamespacesFixture.await;

import io.millrace.broker.log.BrokerLog;
import io.millrace.broker.log.DiskFiles;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.topic.TopicLimits;
import io.millrace.broker.topic.Topics;
import io.millrace.streams.RunnableGraph;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.stage.AsyncCallback;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/** The namespace stage over a folder, with what it owns in the hands of the test. */
final class OwnedNames implements AutoCloseable {
    final NameTable table;
    private final BrokerLog log;
    private final StreamRuntime runtime = StreamRuntime.create();
    private final Topics topics;
    private final AsyncCallback<Consumer<NamespaceStage.Owned>> stage;

    OwnedNames(Path folder) throws Exception {
        log = BrokerLog.open(LogConfig.defaults(folder).withJournal(1 << 20, 2), new DiskFiles());
        MemoryBudget memory = MemoryBudget.ofThisProcess();
        table = new NameTable(log, memory);
        topics = Topics.start(runtime, log, TopicLimits.DEFAULTS);
        Shared shared = new Shared(log, topics, NamespaceSettings.DEFAULTS, memory);
        stage = RunnableGraph.fromGraph(new NamespaceStage(table, shared)).run(runtime);
    }

    /** Does something in one turn of the stage, and waits for what comes of it. */
    <R> R ask(Function<NamespaceStage.Owned, CompletionStage<R>> verb) throws Exception {
        CompletableFuture<R> reply = new CompletableFuture<>();
        stage.invoke(owned -> verb.apply(owned).whenComplete((value, failure) -> {
            if (failure == null) {
                reply.complete(value);
            } else {
                reply.completeExceptionally(failure);
            }
        }));
        return await(reply);
    }

    /** The same of what is known at once. */
    <R> R look(Function<NamespaceStage.Owned, R> question) throws Exception {
        return ask(owned -> CompletableFuture.completedFuture(question.apply(owned)));
    }

    @Override
    public void close() {
        topics.close().toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
        runtime.close();
        log.close();
    }
}
