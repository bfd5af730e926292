package io.millrace.streams.engine;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Done;
import io.millrace.streams.schedule.Scheduler;
import io.millrace.streams.schedule.Schedulers;
import io.millrace.testkit.Behaviour;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** A function that interrupts its thread is no concern of whoever runs there next. */
class InterruptMarksTest extends EngineTest {
    @Override
    protected RuntimeSettings settings() {
        return super.settings().withThreads(1);
    }

    private List<Boolean> seenByOthers(Attributes place) throws Exception {
        List<CompletionStage<List<Boolean>>> seen = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            seen.add(Source.range(0, 3)
                    .map(n -> {
                        boolean before = Thread.currentThread().isInterrupted();
                        Thread.currentThread().interrupt();
                        return n == 0 && before;
                    })
                    .withAttributes(place)
                    .async()
                    .map(before -> before || Thread.currentThread().isInterrupted())
                    .withAttributes(place)
                    .runWith(Sink.seq(), runtime));
        }
        List<Boolean> all = new ArrayList<>();
        for (CompletionStage<List<Boolean>> stream : seen) {
            all.addAll(await(stream));
        }
        return all;
    }

    @Test
    @Behaviour("INT-14")
    void interruptOfAUserFunctionIsSeenByNoOtherIslandOfAWorkerPool() throws Exception {
        assertThat(seenByOthers(Attributes.of("nowhere else"))).hasSize(60).containsOnly(false);
    }

    @Test
    @Behaviour("INT-14")
    void norByOthersOnTheThreadsOfSchedulersAndExecutors() throws Exception {
        assertThat(seenByOthers(Attributes.blocking())).hasSize(60).containsOnly(false);
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            assertThat(seenByOthers(Attributes.dispatcher(executor)))
                    .hasSize(60)
                    .containsOnly(false);
            for (Scheduler scheduler : List.of(
                    Schedulers.single(), Schedulers.elastic(), Schedulers.newThread(), Schedulers.from(executor))) {
                assertThat(seenByOthers(Attributes.dispatcher(scheduler)))
                        .hasSize(60)
                        .containsOnly(false);
                scheduler.shutdown();
            }
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    @Behaviour("INT-14")
    void norByTimersOfTheSameRuntime() throws Exception {
        Source<Integer, ?> ticks = Source.tick(Duration.ZERO, Duration.ofMillis(1), 1);
        CompletionStage<Done> marking = ticks.take(100)
                .map(n -> {
                    Thread.currentThread().interrupt();
                    return n;
                })
                .runWith(Sink.ignore(), runtime);
        CompletionStage<Boolean> seen = ticks.take(50)
                .map(n -> Thread.currentThread().isInterrupted())
                .runWith(Sink.exists(mark -> mark), runtime);
        assertThat(await(seen)).isFalse();
        await(marking);
    }
}
