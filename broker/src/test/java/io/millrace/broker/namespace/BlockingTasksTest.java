package io.millrace.broker.namespace;

import static io.millrace.broker.namespace.NamespacesFixture.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.StreamRuntime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BlockingTasksTest {
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final StreamRuntime runtime = StreamRuntime.create();

    private final Island island = new ExecutorIsland(thread);

    private final CompletableFuture<Boolean> gate = new CompletableFuture<>();
    private final CompletableFuture<Boolean> otherRan = new CompletableFuture<>();

    @AfterEach
    void close() {
        otherRan.complete(false);
        runtime.close();
        thread.shutdown();
    }

    /** What one client asks for a hundred times may take minutes; here its tasks wait for another's. */
    @Test
    void whoAsksForMuchHoldsUpNobodyElse() throws Exception {
        BlockingTasks tasks = new BlockingTasks(island, runtime);
        CompletableFuture<Void> all = new CompletableFuture<>();
        thread.execute(() -> {
            List<CompletableFuture<Boolean>> ends = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                ends.add(ran(tasks, "busy", gate::join));
            }
            for (int i = 0; i < 100; i++) {
                ends.add(ran(tasks, "busy", otherRan::join));
            }
            ends.add(ran(tasks, "other", () -> otherRan.complete(true)));
            CompletableFuture<Void> unused = CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new))
                    .thenAccept(all::complete);
            gate.complete(true);
        });
        await(all);
        assertThat(otherRan).isCompletedWithValue(true);
    }

    private static CompletableFuture<Boolean> ran(BlockingTasks tasks, String name, Supplier<Boolean> body) {
        return tasks.run(name, body).toCompletableFuture();
    }
}
