package io.millrace.broker.namespace;

import static io.millrace.broker.namespace.NamespacesFixture.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.StreamRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BlockingTasksTest {
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final StreamRuntime runtime = StreamRuntime.create();

    private final Island island = new Island() {
        @Override
        public <T> CompletionStage<T> home(CompletionStage<T> elsewhere) {
            CompletableFuture<T> told = new CompletableFuture<>();
            elsewhere.whenCompleteAsync(
                    (result, failure) -> {
                        if (failure == null) {
                            told.complete(result);
                        } else {
                            told.completeExceptionally(failure);
                        }
                    },
                    thread);
            return told;
        }

        @Override
        public void after(Duration time, Runnable task) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long nanoTime() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void later(Runnable task) {
            thread.execute(task);
        }
    };

    @AfterEach
    void close() {
        runtime.close();
        thread.shutdown();
    }

    /** What one client asks for a hundred times may take minutes. */
    @Test
    void whoAsksForMuchHoldsUpNobodyElse() throws Exception {
        BlockingTasks tasks = new BlockingTasks(island, runtime);
        CompletableFuture<Boolean> gate = new CompletableFuture<>();
        List<String> order = new ArrayList<>();
        CompletableFuture<Void> all = new CompletableFuture<>();
        thread.execute(() -> {
            tasks.run("busy", gate::join);
            tasks.run("busy", gate::join);
            List<CompletableFuture<?>> ends = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                ends.add(ran(tasks, "busy", order));
            }
            ends.add(ran(tasks, "other", order));
            CompletableFuture<Void> unused = CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new))
                    .thenAccept(all::complete);
            gate.complete(true);
        });
        await(all);
        assertThat(order).hasSize(101);
        assertThat(order.subList(0, 4)).contains("other");
    }

    private static CompletableFuture<?> ran(BlockingTasks tasks, String name, List<String> order) {
        return tasks.run(name, () -> name).thenAccept(order::add).toCompletableFuture();
    }
}
