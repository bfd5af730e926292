package io.millrace.broker.namespace;

import static io.millrace.broker.namespace.NamespacesFixture.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.BrokerLog;
import io.millrace.broker.log.DiskFiles;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.topic.TopicLimits;
import io.millrace.broker.topic.Topics;
import io.millrace.streams.StreamRuntime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TopicWatchesTest {
    private static final String TOPIC = "persistent://public/default/topic-";

    /** With a clock that stands until it is moved, and timers that go off when the test says so. */
    private static final class SlowIsland implements Island {
        private final Island turns;
        private final List<Duration> waits = new ArrayList<>();
        private Runnable timer = () -> {};
        private long nowNanos;

        SlowIsland(Executor turns) {
            this.turns = new ExecutorIsland(turns);
        }

        @Override
        public <T> CompletionStage<T> home(CompletionStage<T> elsewhere) {
            return turns.home(elsewhere);
        }

        @Override
        public void after(Duration time, Runnable task) {
            waits.add(time);
            timer = task;
        }

        @Override
        public long nanoTime() {
            return nowNanos;
        }

        @Override
        public void later(Runnable task) {
            turns.later(task);
        }
    }

    @Test
    void changesAreGatheredForTenTimesAsLongAsItTakesToTellThem(@TempDir Path folder) throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        StreamRuntime runtime = StreamRuntime.create();
        try (BrokerLog log = BrokerLog.open(LogConfig.defaults(folder).withJournal(1 << 20, 2), new DiskFiles())) {
            SlowIsland island = new SlowIsland(thread);
            Topics topics = Topics.start(runtime, log, TopicLimits.DEFAULTS);
            Shared shared = new Shared(log, topics, NamespaceSettings.DEFAULTS, MemoryBudget.ofThisProcess());
            TopicWatches watches =
                    new TopicWatches(new TopicListings(shared, new BlockingTasks(island, runtime)), shared, island);
            List<String> told = new ArrayList<>();
            long[] takesNanos = {TimeUnit.MILLISECONDS.toNanos(5)};
            TopicWatcher watcher = (made, deleted, hash) -> {
                told.addAll(made);
                island.nowNanos += takesNanos[0];
            };
            Function<Integer, CompletionStage<Void>> change = number -> CompletableFuture.runAsync(
                    () -> {
                        watches.changed(TOPIC + number, true);
                        island.timer.run();
                    },
                    thread);
            await(CompletableFuture.supplyAsync(
                            () -> watches.start(NamespaceName.DEFAULT, "public/default/.*", watcher), thread)
                    .thenCompose(begun -> begun));
            await(change.apply(1));
            takesNanos[0] = TimeUnit.MINUTES.toNanos(1);
            await(change.apply(2));
            await(change.apply(3));
            island.nowNanos += TimeUnit.MILLISECONDS.toNanos(79);
            takesNanos[0] = 0;
            await(change.apply(4));
            assertThat(told).containsExactly(TOPIC + 1, TOPIC + 2, TOPIC + 3, TOPIC + 4);
            assertThat(island.waits)
                    .containsExactly(
                            Duration.ofMillis(10), Duration.ofMillis(50), Duration.ofMillis(80), Duration.ofMillis(10));
            await(topics.close());
        } finally {
            runtime.close();
            thread.shutdown();
        }
    }
}
