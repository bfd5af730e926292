package io.millrace.broker.namespace;

import static io.millrace.broker.namespace.NamespacesFixture.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.millrace.broker.log.BrokerLog;
import io.millrace.broker.log.DiskFiles;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.log.LogRetention;
import io.millrace.broker.log.LogRetention.Kept;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.topic.TopicLimits;
import io.millrace.broker.topic.TopicName;
import io.millrace.broker.topic.Topics;
import io.millrace.streams.RunnableGraph;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.stage.AsyncCallback;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RetentionsTest {
    private static final Map<String, String> HOUR = Map.of(Retentions.KEY, "60,-1");
    private static final TopicName ORDERS = TopicName.parse("acme/dev/orders");

    private static final int RECOVERED = 2_000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @TempDir
    Path folder;

    /** A copy for each that is recovered takes time and memory by the square of their number. */
    @Test
    void theLogIsToldOnceAllIsKnownAndThenOfEachChange() {
        Retentions retentions = new Retentions();
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < RECOVERED; i++) {
            retentions.put(new NamespaceName("acme", "dev" + i), HOUR);
        }
        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(RECOVERED * 10_000L);
        List<LogRetention> told = new ArrayList<>();
        retentions.tell(told::add);
        retentions.put(NamespaceName.of(ORDERS), HOUR);
        retentions.put(NamespaceName.of(ORDERS), HOUR);
        retentions.put(NamespaceName.of(ORDERS), Map.of());
        assertThat(told)
                .extracting(copy -> copy.of(ORDERS.full()))
                .containsExactly(Kept.NOTHING, Retentions.parse("60,-1"), Kept.NOTHING);
        assertThat(told)
                .noneMatch(copy -> copy.of("persistent://acme/dev7/orders").equals(Kept.NOTHING));
    }

    @Test
    void thatOfADeletedNamespaceGoesWithIt() throws Exception {
        try (BrokerLog log = BrokerLog.open(LogConfig.defaults(folder).withJournal(1 << 20, 2), new DiskFiles());
                StreamRuntime runtime = StreamRuntime.create()) {
            NameTable table = new NameTable(log);
            Topics topics = Topics.start(runtime, log, TopicLimits.DEFAULTS);
            Shared shared = new Shared(log, topics, NamespaceSettings.DEFAULTS, MemoryBudget.ofThisProcess());
            AsyncCallback<Consumer<NamespaceStage.Owned>> stage =
                    RunnableGraph.fromGraph(new NamespaceStage(table, shared)).run(runtime);
            NamespaceName dev = NamespaceName.of(ORDERS);
            ask(stage, owned -> owned.namespaces().putTenant(dev.tenant(), Map.of(), true));
            ask(stage, owned -> owned.namespaces().createNamespace(dev, HOUR));
            assertThat(isEmpty(stage, table)).isFalse();
            ask(stage, owned -> owned.topics().deletions().delete(dev));
            assertThat(isEmpty(stage, table)).isTrue();
            await(topics.close());
        }
    }

    private static boolean isEmpty(AsyncCallback<Consumer<NamespaceStage.Owned>> stage, NameTable table)
            throws Exception {
        return ask(stage, owned -> CompletableFuture.completedFuture(table.retentions.isEmpty()));
    }

    private static <R> R ask(
            AsyncCallback<Consumer<NamespaceStage.Owned>> stage,
            Function<NamespaceStage.Owned, CompletionStage<R>> verb)
            throws Exception {
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
}
