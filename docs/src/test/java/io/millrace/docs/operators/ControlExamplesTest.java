package io.millrace.docs.operators;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Flow;
import io.millrace.streams.FlowWithContext;
import io.millrace.streams.Keep;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.SourceWithContext;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.UniqueKillSwitch;
import io.millrace.streams.failure.StreamException;
import io.millrace.streams.graph.ContextHook;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.LogSettings;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Outcome;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.inspect.Monitor;
import io.millrace.streams.schedule.Scheduler;
import io.millrace.streams.schedule.Schedulers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The code of the page about watching and steering streams. */
class ControlExamplesTest {
    private final BlockingQueue<StreamException> reports = new LinkedBlockingQueue<>();
    private final StreamRuntime runtime =
            StreamRuntime.create(RuntimeSettings.defaults().withFailureReporter(reports::add));

    @AfterEach
    void close() {
        runtime.close();
    }

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    @Test
    void watchTermination() throws Exception {
        // snippet: watchTermination
        CompletionStage<Done> ended = Source.range(0, 10)
                .watchTermination(Keep.<Object, CompletionStage<Done>>right())
                .to(Sink.ignore())
                .run(runtime);
        // end
        assertThat(await(ended)).isEqualTo(Done.DONE);
    }

    @Test
    void doOn() throws Exception {
        List<String> progress = new ArrayList<>();
        // snippet: doOn
        CompletionStage<Done> run = Source.of(1, 2)
                .doOnNext(n -> progress.add("order " + n))
                .doOnError(failure -> progress.add("failed"))
                .doOnComplete(() -> progress.add("all of them"))
                .runForeach(n -> {}, runtime);
        // end
        await(run);
        assertThat(progress).containsExactly("order 1", "order 2", "all of them");
    }

    @Test
    void doFinally() throws Exception {
        BlockingQueue<String> progress = new LinkedBlockingQueue<>();
        // snippet: doFinally
        CompletionStage<Done> run = Source.of(1, 2)
                .doFinally(outcome -> progress.add(outcome instanceof Outcome.Completed ? "done" : "broken off"))
                .runForeach(n -> {}, runtime);
        // end
        await(run);
        assertThat(progress.poll(10, TimeUnit.SECONDS)).isEqualTo("done");
    }

    @Test
    void monitor() throws Exception {
        // snippet: monitor
        Pair<Monitor<Integer>, CompletionStage<Done>> run = Source.range(0, 10)
                .monitor(Keep.<Object, Monitor<Integer>>right())
                .toMat(Sink.ignore(), Keep.both())
                .run(runtime);
        await(run.second());
        assertThat(run.first().count()).isEqualTo(10);
        assertThat(run.first().state()).isEqualTo(Monitor.State.COMPLETED);
        // end
        assertThat(run.first().lastElement()).contains(9);
    }

    @Test
    void killSwitch() throws Exception {
        // snippet: killSwitch
        Pair<UniqueKillSwitch, CompletionStage<Done>> run = Source.never()
                .killSwitch(Keep.<Object, UniqueKillSwitch>right())
                .toMat(Sink.ignore(), Keep.both())
                .run(runtime);
        run.first().shutdown(); // completes what stands below
        // end
        assertThat(await(run.second())).isEqualTo(Done.DONE);
    }

    @Test
    void log() throws Exception {
        // snippet: log
        CompletionStage<List<Integer>> orders = Source.of(1, 2)
                .log("orders", LogSettings.defaults().withFinish(System.Logger.Level.TRACE))
                .runWith(Sink.seq(), runtime);
        // end
        assertThat(await(orders)).containsExactly(1, 2);
    }

    @Test
    void checkpoint() throws Exception {
        // snippet: checkpoint
        Source.of("1", "x")
                .map(Integer::parseInt)
                .checkpoint("orders are parsed")
                .map(n -> 100 / n)
                .runWith(Sink.ignore(), runtime);
        StreamException report = reports.poll(10, TimeUnit.SECONDS);
        assertThat(report).hasMessageContaining("map (before checkpoint orders are parsed)");
        // end
    }

    @Test
    void named() throws Exception {
        // snippet: named
        Source.of("1", "x").map(Integer::parseInt).named("orders").runWith(Sink.ignore(), runtime);
        StreamException report = reports.poll(10, TimeUnit.SECONDS);
        assertThat(report).hasMessageContaining("orders/map");
        // end
    }

    @Test
    void async() throws Exception {
        // snippet: async
        CompletionStage<List<Integer>> sums = Source.range(0, 3)
                .map(n -> n * n) // runs in one island
                .async()
                .map(n -> n + 1) // runs in another, at the same time
                .runWith(Sink.seq(), runtime);
        // end
        assertThat(await(sums)).containsExactly(1, 2, 5);
    }

    @Test
    void subscribeOn() throws Exception {
        Scheduler scheduler = Schedulers.newThread();
        // snippet: subscribeOn
        CompletionStage<List<String>> threads = Source.single(1)
                .map(n -> Thread.currentThread().getName())
                .subscribeOn(scheduler) // the source and what follows run on a worker of it
                .runWith(Sink.seq(), runtime);
        // end
        assertThat(await(threads)).hasSize(1).allMatch(name -> name.startsWith("millrace-thread-"));
    }

    @Test
    void observeOn() throws Exception {
        Scheduler scheduler = Schedulers.newThread();
        // snippet: observeOn
        CompletionStage<List<String>> threads = Source.single(1) // runs where it did
                .observeOn(scheduler)
                .map(n -> Thread.currentThread().getName()) // runs on a worker of the scheduler
                .runWith(Sink.seq(), runtime);
        // end
        assertThat(await(threads)).hasSize(1).allMatch(name -> name.startsWith("millrace-thread-"));
    }

    @Test
    void asSourceWithContext() throws Exception {
        // snippet: asSourceWithContext
        SourceWithContext<String, Integer, NotUsed> lines =
                Source.of("7 a", "8 b").asSourceWithContext(line -> Integer.parseInt(line.substring(0, 1)));
        CompletionStage<List<Pair<String, Integer>>> offsets = lines.map(line -> line.substring(2))
                .filter(word -> word.equals("b"))
                .asSource()
                .runWith(Sink.seq(), runtime); // b with 8
        // end
        assertThat(await(offsets)).containsExactly(new Pair<>("b", 8));
    }

    @Test
    void asFlowWithContext() throws Exception {
        // snippet: asFlowWithContext
        FlowWithContext<String, Integer, Pair<String, Integer>, Integer, NotUsed> noted =
                Flow.<Pair<String, Integer>>create().asFlowWithContext(Pair::new, Pair::second);
        CompletionStage<List<Integer>> offsets = Source.of("a", "bc")
                .asSourceWithContext(String::length)
                .via(noted)
                .asSource()
                .map(Pair::second)
                .runWith(Sink.seq(), runtime); // 1, 2
        // end
        assertThat(await(offsets)).containsExactly(1, 2);
    }

    // snippet: hook
    /** Carries the name of a request that code keeps with the thread. */
    static final class RequestNames implements ContextHook {
        static final ThreadLocal<String> NAME = new ThreadLocal<>();

        @Override
        public Object capture() {
            return NAME.get();
        }

        @Override
        public void restore(Object captured) {
            NAME.set((String) captured);
        }
    }
    // end

    @Test
    void contextHook() throws Exception {
        // snippet: use-hook
        RuntimeSettings settings = RuntimeSettings.defaults().withContextHook(new RequestNames());
        try (StreamRuntime traced = StreamRuntime.create(settings)) {
            CompletionStage<List<String>> names = Source.of("a", "b")
                    .map(request -> {
                        RequestNames.NAME.set(request);
                        return request;
                    })
                    .async()
                    .map(request -> request + " is known as " + RequestNames.NAME.get())
                    .runWith(Sink.seq(), traced);
            assertThat(await(names)).containsExactly("a is known as a", "b is known as b");
        }
        // end
    }

    @Test
    void contextOfWhoRuns() throws Exception {
        RuntimeSettings settings = RuntimeSettings.defaults().withContextHook(new RequestNames());
        try (StreamRuntime traced = StreamRuntime.create(settings)) {
            // snippet: run-hook
            RequestNames.NAME.set("request 7");
            CompletionStage<List<String>> parts = Source.of("a", "b")
                    .mapAsync(2, part -> CompletableFuture.completedFuture(part + " of " + RequestNames.NAME.get()))
                    .runWith(Sink.seq(), traced);
            assertThat(await(parts)).containsExactly("a of request 7", "b of request 7");
            // end
        } finally {
            RequestNames.NAME.remove();
        }
    }
}
