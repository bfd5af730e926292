package io.millrace.streams.operator;

import static io.millrace.streams.Await.await;
import static io.millrace.streams.Await.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Await;
import io.millrace.streams.ConnectableSource;
import io.millrace.streams.Flow;
import io.millrace.streams.FlowWithContext;
import io.millrace.streams.Keep;
import io.millrace.streams.RunnableGraph;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.SourceWithContext;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.engine.segment.Heat;
import io.millrace.streams.failure.StreamException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.ContextHook;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.Supervision;
import io.millrace.testkit.Operator;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contexts that go along with elements: in the stream, and with the thread. */
class ContextTest {
    private static final ThreadLocal<String> TRACE = new ThreadLocal<>();

    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private final StreamRuntime runtime = StreamRuntime.create(
            RuntimeSettings.defaults().withExecutor(threads).withContextHook(new Traces()));

    @AfterEach
    void close() {
        runtime.close();
        threads.shutdownNow();
    }

    /** Carries the trace of a thread. */
    private static final class Traces implements ContextHook {
        @Override
        public Object capture() {
            return TRACE.get();
        }

        @Override
        public void restore(Object captured) {
            if (captured == null) {
                TRACE.remove();
            } else {
                TRACE.set((String) captured);
            }
        }
    }

    private <O, C> List<Pair<O, C>> all(SourceWithContext<O, C, ?> source) throws Exception {
        return await(source.asSource().runWith(Sink.seq(), runtime));
    }

    private static SourceWithContext<Integer, String, NotUsed> numbers() {
        return Source.range(1, 5).asSourceWithContext(n -> "offset " + n);
    }

    @Test
    @Operator("asSourceWithContext")
    void whatIsMadeOfAnElementKeepsItsContext() throws Exception {
        assertThat(all(numbers().map(n -> n * 10).filter(n -> n > 10).filterNot(n -> n == 40)))
                .containsExactly(new Pair<>(20, "offset 2"), new Pair<>(30, "offset 3"));
        assertThat(all(numbers().filter(n -> n < 3).mapConcat(n -> List.of(n, -n))))
                .containsExactly(
                        new Pair<>(1, "offset 1"),
                        new Pair<>(-1, "offset 1"),
                        new Pair<>(2, "offset 2"),
                        new Pair<>(-2, "offset 2"));
        assertThat(all(numbers().filter(n -> n < 3).mapAsync(2, n -> CompletableFuture.supplyAsync(() -> n + 1))))
                .containsExactly(new Pair<>(2, "offset 1"), new Pair<>(3, "offset 2"));
        assertThat(all(numbers().grouped(3).mapContext(List::size)))
                .containsExactly(new Pair<>(List.of(1, 2, 3), 3), new Pair<>(List.of(4), 1));
        assertThat(all(numbers().<Object>map(n -> n == 2 ? "two" : n).collectType(String.class)))
                .containsExactly(new Pair<>("two", "offset 2"));
    }

    @Test
    @Operator("asFlowWithContext")
    void aFlowWithContextIsPutTogetherAndUsed() throws Exception {
        FlowWithContext<Integer, String, String, Integer, NotUsed> flow = FlowWithContext.<Integer, String>create()
                .map(n -> "number " + n)
                .mapContext(String::length);
        assertThat(all(numbers().filter(n -> n == 1).via(flow)))
                .containsExactly(new Pair<>("number 1", "offset 1".length()));
        FlowWithContext<Integer, String, Pair<Integer, String>, String, NotUsed> kept =
                Flow.<Pair<Integer, String>>create().asFlowWithContext(Pair::new, Pair::second);
        assertThat(all(numbers().filter(n -> n == 1).via(kept).map(Pair::first)))
                .containsExactly(new Pair<>(1, "offset 1"));
    }

    @Test
    @Operator({"asSourceWithContext", "asFlowWithContext"})
    void nullsAreRefusedByTheNameOfTheOperator() {
        assertThatThrownBy(() -> all(numbers().map(n -> null)))
                .hasRootCauseInstanceOf(NullPointerException.class)
                .rootCause()
                .hasMessageStartingWith("map: the function returned null, and null is no element");
        assertThatThrownBy(() -> all(Source.of(1).asSourceWithContext(n -> null)))
                .rootCause()
                .hasMessageStartingWith("map: the function returned null, and null is no element");
    }

    private List<String> traced(Flow<Integer, Integer, ?> between) throws Exception {
        return await(Source.range(0, 1000)
                .map(n -> {
                    TRACE.set("trace " + n);
                    return n;
                })
                .via(between)
                .map(n -> n + " in " + TRACE.get())
                .filter(seen -> !seen.matches("(\\d+) in trace \\1"))
                .runWith(Sink.seq(), runtime));
    }

    @Test
    void theContextOfTheThreadGoesOverBoundaries() throws Exception {
        assertThat(traced(Flow.<Integer>create().async())).isEmpty();
        assertThat(traced(Flow.<Integer>create().async().map(n -> n).async())).isEmpty();
    }

    @Test
    void aTurnLeavesTheThreadAsItWas() throws Exception {
        traced(Flow.<Integer>create().async());
        for (int i = 0; i < 2; i++) {
            assertThat(threads.submit(TRACE::get).get(20, TimeUnit.SECONDS)).isNull();
        }
        TRACE.set("mine");
        try (StreamRuntime here = StreamRuntime.create(
                RuntimeSettings.defaults().withExecutor(Runnable::run).withContextHook(new Traces()))) {
            await(Source.of(1, 2)
                    .map(n -> {
                        TRACE.set("theirs");
                        return n;
                    })
                    .async()
                    .runWith(Sink.ignore(), here));
            assertThat(TRACE.get()).isEqualTo("mine");
        } finally {
            TRACE.remove();
        }
    }

    /** Runs the graph for a request, and has the thread go on with another one at once. */
    private static <M> M asRequest(RunnableGraph<M> graph, StreamRuntime runtime) {
        TRACE.set("request");
        try {
            return graph.run(runtime);
        } finally {
            TRACE.set("another");
        }
    }

    private static <T> RunnableGraph<CompletionStage<List<T>>> toList(Source<T, ?> source) {
        return source.toMat(Sink.seq(), Keep.right());
    }

    private static Source<String, NotUsed> seen() {
        return Source.of(1, 2).map(n -> TRACE.get());
    }

    /** Streams whose operators tell what they see of the context of who runs them. */
    private static List<Source<String, ?>> observers(StreamRuntime runtime) {
        return List.of(
                seen(),
                seen().async().map(before -> TRACE.get().equals(before) ? before : "lost"),
                Source.of(1, 2).mapAsync(2, n -> CompletableFuture.completedFuture(TRACE.get())),
                Source.of(1, 2)
                        .mapAsync(1, n -> CompletableFuture.supplyAsync(() -> n))
                        .map(n -> TRACE.get()),
                Source.of(1, 2).initialDelay(Duration.ofMillis(1)).map(n -> TRACE.get()),
                Source.tick(Duration.ofMillis(1), Duration.ofMillis(1), 1)
                        .take(2)
                        .map(n -> TRACE.get()),
                seen().withAttributes(Attributes.blocking()),
                Source.of(1, 2).flatMapConcat(n -> Source.lazy(() -> Source.single(TRACE.get()))),
                Source.of(1, 2).mapAsync(1, n -> seen().runWith(Sink.last(), runtime)));
    }

    private static void seeTheRequest(StreamRuntime runtime) throws Exception {
        try {
            for (Source<String, ?> observer : observers(runtime)) {
                assertThat(await(asRequest(toList(observer), runtime))).containsExactly("request", "request");
                assertThat(TRACE.get()).isEqualTo("another");
            }
        } finally {
            TRACE.remove();
        }
    }

    @Test
    void theContextOfWhoRunsAGraphIsThatOfTheStream() throws Exception {
        seeTheRequest(runtime);
    }

    @Test
    void workersAndWhoeverHelpsThemSeeTheContextOfWhoRan() throws Exception {
        try (StreamRuntime onWorkers =
                StreamRuntime.create(RuntimeSettings.defaults().withContextHook(new Traces()))) {
            seeTheRequest(onWorkers);
            CompletionStage<List<String>> list = asRequest(toList(seen()), onWorkers);
            assertThat(list.toCompletableFuture().join()).containsExactly("request", "request");
            assertThat(TRACE.get()).isEqualTo("another");
        } finally {
            TRACE.remove();
        }
    }

    @Test
    void eachTurnBeginsWithTheContextOfTheRun() throws Exception {
        CompletableFuture<Integer> later = new CompletableFuture<>();
        Source<String, ?> spoiling = Source.of(1, 2)
                .map(n -> {
                    TRACE.set("spoilt");
                    return n;
                })
                .mapAsync(2, n -> later)
                .map(n -> TRACE.get());
        try {
            CompletionStage<List<String>> list = asRequest(toList(spoiling), runtime);
            Await.until(() -> later.getNumberOfDependents() == 2 && isAtRest());
            later.complete(1);
            assertThat(await(list)).containsExactly("request", "request");
        } finally {
            TRACE.remove();
        }
    }

    @Test
    @Operator("publish")
    void aSharedSourceHasTheContextOfWhoStartsIt() throws Exception {
        CompletableFuture<Void> turns = new CompletableFuture<>();
        CompletionStage<Void> begun = turns;
        CompletableFuture<String> seen = new CompletableFuture<>();
        try (StreamRuntime slow = StreamRuntime.create(RuntimeSettings.defaults()
                .withExecutor(task -> begun.thenRun(task))
                .withContextHook(new Traces()))) {
            ConnectableSource<Integer> shared = Source.of(1)
                    .map(n -> {
                        seen.complete("saw " + TRACE.get());
                        return n;
                    })
                    .publish(slow);
            TRACE.set("a consumer's");
            CompletionStage<List<Integer>> list = shared.source().runWith(Sink.seq(), slow);
            TRACE.set("who starts it");
            shared.connect();
            TRACE.set("another");
            turns.complete(null);
            assertThat(await(seen)).isEqualTo("saw who starts it");
            assertThat(await(list)).containsExactly(1);
            assertThat(TRACE.get()).isEqualTo("another");
        } finally {
            TRACE.remove();
        }
    }

    private boolean isAtRest() {
        return runtime.snapshot().streams().stream()
                .flatMap(stream -> stream.islands().stream())
                .allMatch(island -> island.state().equals("idle"));
    }

    @Test
    void aRunWithoutAContextSeesNoneOfTheThreads() throws Exception {
        TRACE.set("of the thread");
        try (StreamRuntime here = StreamRuntime.create(
                RuntimeSettings.defaults().withExecutor(Runnable::run).withContextHook(new Traces()))) {
            CompletableFuture<Integer> later = new CompletableFuture<>();
            TRACE.remove();
            CompletionStage<String> seen = Source.fromCompletionStage(later)
                    .map(n -> "saw " + TRACE.get())
                    .runWith(Sink.head(), here);
            TRACE.set("of the thread");
            later.complete(1);
            assertThat(await(seen)).isEqualTo("saw null");
            assertThat(TRACE.get()).isEqualTo("of the thread");
        } finally {
            TRACE.remove();
        }
    }

    @Test
    void aHookThatThrowsWhereTheGraphIsRunRefusesTheRun() {
        RuntimeSettings settings = RuntimeSettings.defaults().withContextHook(new Strict());
        TRACE.set(Strict.LOST);
        try (StreamRuntime strict = StreamRuntime.create(settings)) {
            assertThatThrownBy(() -> Source.of(1).runWith(Sink.ignore(), strict))
                    .isInstanceOf(StreamException.class)
                    .hasMessageContaining("the context of the thread that runs it could not be had")
                    .hasRootCauseMessage("no span");
            assertThat(strict.snapshot().streams()).isEmpty();
        } finally {
            TRACE.remove();
        }
    }

    /** Has nothing to carry where a thread has lost its trace. */
    private static final class Strict implements ContextHook {
        private static final String LOST = "lost";

        @Override
        public Object capture() {
            if (LOST.equals(TRACE.get())) {
                throw new IllegalStateException("no span");
            }
            return TRACE.get();
        }

        @Override
        public void restore(Object captured) {
            TRACE.set((String) captured);
        }
    }

    @Test
    void whatTheHookThrowsAtABoundaryFailsTheStream() throws Exception {
        List<StreamException> reported = new CopyOnWriteArrayList<>();
        RuntimeSettings settings = RuntimeSettings.defaults()
                .withExecutor(threads)
                .withContextHook(new Strict())
                .withFailureReporter(reported::add);
        try (StreamRuntime strict = StreamRuntime.create(settings)) {
            for (Supervision supervision : List.of(Supervision.stop(), Supervision.resume())) {
                Heat cold = Heat.of(losing(supervision).toMat(Sink.seq(), Keep.right()));
                checkLost(cold.run(strict));
                Heat hot = Heat.of(losing(supervision).toMat(Sink.seq(), Keep.right()));
                hot.specialise(true);
                checkLost(hot.run(strict));
            }
        }
        assertThat(reported).hasSize(4).allMatch(failure -> failure.getMessage().contains("giving"));
    }

    private static void checkLost(Object end) throws Exception {
        assertThat(awaitFailure((CompletionStage<?>) end))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no span");
    }

    /** Loses the trace on the way to the fourth element, in the last operator before a boundary. */
    private static Source<Integer, NotUsed> losing(Supervision supervision) {
        Flow<Integer, Integer, NotUsed> giving = Flow.<Integer>create()
                .map(n -> {
                    TRACE.set(n == 3 ? Strict.LOST : "trace");
                    return n;
                })
                .withAttributes(Attributes.supervision(supervision).and(Attributes.name("giving")));
        return Source.range(0, 9).via(giving).async().map(n -> n + 1);
    }
}
