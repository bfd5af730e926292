package io.millrace.streams.engine;

import static io.millrace.streams.Await.await;
import static io.millrace.streams.Await.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Await;
import io.millrace.streams.Flow;
import io.millrace.streams.Keep;
import io.millrace.streams.RunnableGraph;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.inspect.StreamSnapshot;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;
import io.millrace.testkit.Behaviour;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

final class MaterializationTest extends EngineTest {
    @Test
    @Behaviour("MAT-1")
    void runningAfterTheRuntimeWasClosedIsRefused() {
        runtime.close();
        runtime.close();
        assertThatThrownBy(() -> Source.single(1).runWith(Sink.ignore(), runtime))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("runtime test is closed");
    }

    @Test
    @Behaviour("MAT-1")
    void everyRunThatRacesWithClosingIsRefusedOrEnds() throws Exception {
        for (int round = 0; round < 50; round++) {
            StreamRuntime own = StreamRuntime.create(settings());
            CountDownLatch running = new CountDownLatch(1);
            List<CompletionStage<Done>> results = new ArrayList<>();
            Thread runner = new Thread(() -> {
                try {
                    while (true) {
                        results.add(Source.never().async().runWith(Sink.ignore(), own));
                        running.countDown();
                        slowDown(results.size());
                    }
                } catch (IllegalStateException refused) {
                    running.countDown();
                }
            });
            runner.start();
            running.await();
            own.close();
            runner.join();
            for (CompletionStage<Done> result : results) {
                awaitFailure(result);
            }
            Await.until(() -> own.snapshot().streams().isEmpty());
        }
    }

    /** However long the thread that closes is paused, memory does for the runs. */
    private static void slowDown(int runs) {
        if (runs > 10_000) {
            LockSupport.parkNanos(100_000);
        }
    }

    @Test
    @Behaviour("MAT-3")
    void blueprintRunsManyTimesFromSeveralThreadsAndRunsShareNothing() throws Exception {
        RunnableGraph<CompletionStage<Integer>> graph = Source.range(0, 1000)
                .scan(0, Integer::sum)
                .async()
                .drop(1000)
                .toMat(Sink.<Integer>head(), Keep.right());
        List<CompletableFuture<Integer>> results = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            results.add(CompletableFuture.supplyAsync(() -> graph.run(runtime)).thenCompose(stage -> stage));
        }
        for (CompletableFuture<Integer> result : results) {
            assertThat(await(result)).isEqualTo(499_500);
        }
    }

    /** Gives back the attributes that it was made with. */
    private static final class Inspect
            extends GraphStageWithMaterializedValue<FlowShape<Integer, Integer>, Attributes> {
        private final Inlet<Integer> in = Inlet.create("inspect.in");
        private final Outlet<Integer> out = Outlet.create("inspect.out");
        private final FlowShape<Integer, Integer> shape = FlowShape.of(in, out);

        @Override
        public FlowShape<Integer, Integer> shape() {
            return shape;
        }

        @Override
        public LogicAndValue<Attributes> createLogicAndValue(Attributes inherited) {
            return new LogicAndValue<>(new Logic(), inherited);
        }

        private final class Logic extends GraphStageLogic implements InHandler, OutHandler {
            Logic() {
                super(shape);
                setHandlers(in, out, this);
            }

            @Override
            public void onPush() {
                push(out, grab(in));
            }

            @Override
            public void onPull() {
                pull(in);
            }
        }
    }

    @Test
    @Behaviour("MAT-4")
    void innermostAttributeWinsAndNamesNest() {
        Flow<Integer, Integer, Attributes> inner = Flow.fromGraph(new Inspect())
                .withAttributes(Attributes.inputBuffer(3))
                .named("inner");
        Attributes seen = Source.<Integer>empty()
                .viaMat(inner, Keep.right())
                .withAttributes(Attributes.inputBuffer(9))
                .named("outer")
                .to(Sink.ignore())
                .run(runtime);
        assertThat(seen.find(Attributes.InputBuffer.class)).contains(new Attributes.InputBuffer(3));
        assertThat(seen.path()).isEqualTo("outer/inner");
    }

    @Test
    @Behaviour("MAT-4")
    void asyncBoundaryInsideAnImportedGraphStaysInsideIt() throws Exception {
        Flow<Integer, Integer, NotUsed> inner =
                Flow.<Integer>create().map(x -> x).async();
        Pair<CompletableFuture<Optional<Integer>>, CompletionStage<Done>> running = Source.<Integer>maybe()
                .map(x -> x)
                .via(inner)
                .filter(x -> true)
                .toMat(Sink.ignore(), Keep.both())
                .named("nested")
                .run(runtime);
        StreamSnapshot snapshot = runtime.snapshot().streams().get(0);
        assertThat(snapshot.name()).isEqualTo("nested");
        assertThat(snapshot.islands()).hasSize(2);
        assertThat(snapshot.islands().get(1).stages())
                .extracting(stage -> stage.name())
                .containsExactly("nested/identity | nested/map");
        running.first().complete(Optional.of(1));
        await(running.second());
    }

    @Test
    void valuesAreCombinedAsTheGraphSays() {
        String value = Source.empty()
                .mapMaterializedValue(nothing -> "a")
                .viaMat(Flow.create().mapMaterializedValue(nothing -> "b"), (left, right) -> left + right)
                .toMat(Sink.cancelled().mapMaterializedValue(nothing -> "c"), Keep.both())
                .mapMaterializedValue(pair -> pair.first() + pair.second())
                .run(runtime);
        assertThat(value).isEqualTo("abc");
    }

    @Test
    void failingCombinationReleasesTheStages() {
        assertThatThrownBy(() -> Source.never()
                        .toMat(Sink.ignore(), (left, right) -> {
                            throw new IllegalArgumentException("mine");
                        })
                        .run(runtime))
                .hasMessage("mine");
    }

    @Test
    void longChainRunsOnTheDefaultStack() throws Exception {
        Source<Integer, NotUsed> chain = Source.range(0, 3);
        for (int i = 0; i < 100_000; i++) {
            chain = chain.map(x -> x + 1);
        }
        assertThat(await(chain.runWith(Sink.seq(), runtime))).containsExactly(100_000, 100_001, 100_002);
    }

    @Test
    @Behaviour("INT-8")
    void aMillionStagesCompleteWithoutAQuadraticScan() throws Exception {
        Source<Integer, NotUsed> chain = Source.single(1);
        Flow<Integer, Integer, NotUsed> step = Flow.of(x -> x + 1);
        for (int i = 0; i < 1_000_000; i++) {
            chain = chain.via(step);
        }
        assertThat(await(chain.runWith(Sink.head(), runtime))).isEqualTo(1_000_001);
    }
}
