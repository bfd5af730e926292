package io.millrace.streams.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Await;
import io.millrace.streams.Flow;
import io.millrace.streams.RunnableGraph;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.schedule.Scheduler;
import io.millrace.streams.schedule.Schedulers;
import io.millrace.testkit.Operator;
import io.millrace.testkit.StreamLeakCheck;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** On which scheduler the parts of a stream run. */
class SchedulerOperatorsTest {
    private static final int ELEMENTS = 1000;

    private final StreamRuntime runtime = StreamRuntime.create();
    private final Map<String, String> threads = new ConcurrentHashMap<>();
    private final Scheduler loops = Schedulers.eventLoops(2);
    private final Scheduler single = Schedulers.single();
    private final Scheduler newThread = Schedulers.newThread();

    @AfterEach
    void close() {
        runtime.close();
        List.of(loops, single, newThread).forEach(Scheduler::shutdown);
    }

    /** Notes the kind of thread that an element passes on; one place must always see the same kind. */
    private <T> Flow<T, T, ?> note(String place) {
        return Flow.<T, T>of(element -> {
            String kind = Thread.currentThread().getName().replaceAll("-\\d+$", "");
            String before = threads.putIfAbsent(place, kind);
            assertThat(before == null || before.equals(kind)).isTrue();
            return element;
        });
    }

    private void run(Source<Integer, ?> source) {
        assertThat(source.via(note("sink"))
                        .runWith(Sink.seq(), runtime)
                        .toCompletableFuture()
                        .join())
                .hasSize(ELEMENTS);
    }

    private Source<Integer, ?> numbers() {
        return Source.range(0, ELEMENTS).via(this.<Integer>note("source"));
    }

    @Test
    void asyncRunsWhatStandsAboveOnAWorker() {
        run(numbers().async(single));
        assertThat(threads).containsEntry("source", "millrace-single").containsEntry("sink", "millrace-dispatcher");
    }

    @Test
    @Operator("subscribeOn")
    void subscribeOnRunsTheWholeIslandOnAWorkerWithoutABoundary() {
        run(numbers().subscribeOn(single));
        assertThat(threads).containsEntry("source", "millrace-single").containsEntry("sink", "millrace-single");
    }

    @Test
    void theSubscribeOnNearestToTheSourceCounts() {
        run(numbers().subscribeOn(single).via(this.<Integer>note("middle")).subscribeOn(loops));
        assertThat(threads)
                .containsEntry("source", "millrace-single")
                .containsEntry("middle", "millrace-single")
                .containsEntry("sink", "millrace-single");
    }

    @Test
    @Operator("observeOn")
    void observeOnMovesWhatFollows() {
        run(numbers().observeOn(single).via(this.<Integer>note("middle")).observeOn(loops));
        assertThat(threads)
                .containsEntry("source", "millrace-dispatcher")
                .containsEntry("middle", "millrace-single")
                .containsEntry("sink", "millrace-loop");
    }

    @Test
    void subscribeOnReachesTheSourceAboveAnObserveOn() {
        run(numbers().observeOn(single).via(this.<Integer>note("middle")).subscribeOn(newThread));
        assertThat(threads)
                .containsEntry("source", "millrace-thread")
                .containsEntry("middle", "millrace-single")
                .containsEntry("sink", "millrace-single");
    }

    @Test
    void aWorkerIsGivenBackWhenItsIslandHasFinished() {
        RunnableGraph<CompletionStage<List<Integer>>> graph = RunnableGraph.fromGraph(
                Source.range(0, 10).subscribeOn(newThread).toMat(Sink.seq(), io.millrace.streams.Keep.right()));
        for (int i = 0; i < 100; i++) {
            graph.run(runtime).toCompletableFuture().join();
        }
        Await.until(
                "the threads have ended",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("millrace-thread")));
    }

    @Test
    void aSchedulerThatIsShutDownEndsTheStream() {
        single.shutdown();
        assertThatThrownBy(() -> Source.range(0, 10)
                        .subscribeOn(single)
                        .runWith(Sink.ignore(), runtime)
                        .toCompletableFuture()
                        .join())
                .hasStackTraceContaining("takes no more work");
        assertThatThrownBy(() -> Source.never()
                        .async(single)
                        .runWith(Sink.ignore(), runtime)
                        .toCompletableFuture()
                        .join())
                .hasStackTraceContaining("shut down");
        StreamLeakCheck.assertNoStreams(runtime);
    }

    @Test
    void anExecutorInsideAPartOnASchedulerWins() {
        Executor own = task -> {
            Thread thread = new Thread(task, "own-1");
            thread.start();
        };
        run(numbers()
                .withAttributes(io.millrace.streams.graph.Attributes.dispatcher(own))
                .subscribeOn(single));
        assertThat(threads).containsEntry("source", "own").containsEntry("sink", "millrace-single");
    }
}
