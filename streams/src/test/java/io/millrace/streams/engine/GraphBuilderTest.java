package io.millrace.streams.engine;

import static io.millrace.streams.Await.await;
import static io.millrace.streams.Await.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Await;
import io.millrace.streams.Flow;
import io.millrace.streams.GraphBuilder;
import io.millrace.streams.Junctions;
import io.millrace.streams.Keep;
import io.millrace.streams.KillSwitches;
import io.millrace.streams.RunnableGraph;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.SourceQueue;
import io.millrace.streams.UniqueKillSwitch;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.ClosedShape;
import io.millrace.streams.graph.FanInShape;
import io.millrace.streams.graph.FanOutShape;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.OverflowStrategy;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.Shape;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.testkit.TestSink;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class GraphBuilderTest extends EngineTest {
    private static Graph<FlowShape<Integer, Integer>, NotUsed> diamond(int width, boolean async) {
        Flow<Integer, Integer, NotUsed> arm = Flow.<Integer, Integer>of(x -> x + 1);
        return GraphBuilder.create(builder -> {
            FanOutShape<Integer, Integer> split = builder.add(Junctions.<Integer>broadcast(width));
            FanInShape<Integer, Integer> join = builder.add(Junctions.<Integer>merge(width));
            for (int i = 0; i < width; i++) {
                builder.connect(builder.connect(split.out(i), async ? arm.async() : arm), join.in(i));
            }
            return FlowShape.of(split.in(), join.out());
        });
    }

    @Test
    void broadcastAndMergeMakeADiamondThatCanBeUsedManyTimes() throws Exception {
        for (boolean async : new boolean[] {false, true}) {
            Graph<FlowShape<Integer, Integer>, NotUsed> diamond = diamond(3, async);
            List<Integer> all =
                    await(Source.range(0, 50).via(diamond).via(diamond).runWith(Sink.seq(), runtime));
            assertThat(all).hasSize(450);
            assertThat(all.stream().mapToInt(Integer::intValue).sum()).isEqualTo(9 * (1225 + 2 * 50));
        }
    }

    @Test
    void cancelledArmOfABroadcastIsLeftOut() throws Exception {
        Graph<ClosedShape, CompletionStage<List<Integer>>> graph =
                GraphBuilder.create(Sink.<Integer>seq(), (builder, sink) -> {
                    FanOutShape<Integer, Integer> split = builder.add(Junctions.<Integer>broadcast(2));
                    builder.connect(builder.add(Source.range(0, 100)).out(), split.in());
                    builder.connect(
                            builder.connect(split.out(0), Flow.<Integer>create().take(3)),
                            builder.add(Sink.<Integer>ignore()).in());
                    builder.connect(split.out(1), sink.in());
                    return ClosedShape.of();
                });
        assertThat(await(RunnableGraph.fromGraph(graph).run(runtime))).hasSize(100);
    }

    @Test
    void loosePortsAreReportedByName() {
        assertThatThrownBy(() -> GraphBuilder.create(builder -> {
                    builder.add(Junctions.<Integer>broadcast(2));
                    return ClosedShape.of();
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("inlet broadcast.in")
                .hasMessageContaining("outlet broadcast.out1");
    }

    @Test
    void portConnectedTwiceIsReportedByName() {
        assertThatThrownBy(() -> GraphBuilder.create(builder -> {
                    FanInShape<Integer, Integer> join = builder.add(Junctions.<Integer>merge(2));
                    builder.connect(builder.add(Source.single(1)).out(), join.in(0));
                    builder.connect(builder.add(Source.single(1)).out(), join.in(0));
                    return ClosedShape.of();
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("inlet merge.in0 is connected twice");
    }

    @Test
    void portOfAGraphThatWasNotAddedIsReportedByName() {
        assertThatThrownBy(() -> GraphBuilder.create(builder -> {
                    builder.connect(
                            builder.add(Source.single(1)).out(),
                            Junctions.<Integer>merge(1).shape().in(0));
                    return ClosedShape.of();
                }))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("inlet merge.in0 is not of a graph added here");
    }

    @Test
    void aPortOfAnotherBuilderIsRefusedWhileBothAreAtWork() {
        assertThatThrownBy(() -> GraphBuilder.create(outer -> {
                    Outlet<Integer> ofOuter = outer.add(Source.single(1)).out();
                    outer.add(GraphBuilder.create(inner -> {
                        inner.connect(ofOuter, inner.add(Sink.<Integer>ignore()).in());
                        return ClosedShape.of();
                    }));
                    return ClosedShape.of();
                }))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not of a graph added here");
    }

    @Test
    void aShapeWhoseCopyHasTheSamePortsIsRefusedWhenItIsAddedAgain() {
        Inlet<Integer> in = Inlet.create("mine.in");
        Graph<Shape, NotUsed> careless = new GraphStage<>() {
            private final Shape shape = new Careless(in);

            @Override
            public Shape shape() {
                return shape;
            }

            @Override
            public GraphStageLogic createLogic(Attributes inherited) {
                throw new AssertionError("never run");
            }
        };
        assertThatThrownBy(() -> GraphBuilder.create(builder -> {
                    builder.add(careless);
                    builder.add(careless);
                    return ClosedShape.of();
                }))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("inlet mine.in was added before")
                .hasMessageContaining("copy()");
    }

    private static final class Careless extends Shape {
        private final Inlet<Integer> in;

        Careless(Inlet<Integer> in) {
            this.in = in;
            claimPorts();
        }

        @Override
        public List<Inlet<?>> inlets() {
            return List.of(in);
        }

        @Override
        public List<Outlet<?>> outlets() {
            return List.of();
        }

        @Override
        public Shape copy() {
            return this;
        }
    }

    @Test
    void graphWithACycleRunsUntilItIsEnded() throws Exception {
        Graph<FlowShape<Integer, Integer>, UniqueKillSwitch> doubling =
                GraphBuilder.create(KillSwitches.<Integer>single(), (builder, end) -> {
                    FanInShape<Integer, Integer> entry = builder.add(Junctions.<Integer>merge(2));
                    FanOutShape<Integer, Integer> exit =
                            builder.add(Junctions.<Integer>partition(2, x -> x < 100 ? 1 : 0));
                    builder.connect(entry.out(), end.in());
                    builder.connect(builder.connect(end.out(), Flow.<Integer, Integer>of(x -> x * 2)), exit.in());
                    builder.connect(
                            builder.connect(
                                    exit.out(1), Flow.<Integer>create().buffer(8, OverflowStrategy.BACKPRESSURE)),
                            entry.in(1));
                    return FlowShape.of(entry.in(0), exit.out(0));
                });
        Pair<UniqueKillSwitch, TestSink<Integer>> running = Source.of(3, 7)
                .viaMat(doubling, Keep.right())
                .toMat(TestSink.<Integer>probe(), Keep.both())
                .run(runtime);
        assertThat(running.second().request(3).expectNextN(2)).containsExactlyInAnyOrder(192, 112);
        running.first().shutdown();
        running.second().expectComplete();
    }

    /** From a source through this many merges, the last of which runs into the first. */
    private static RunnableGraph<UniqueKillSwitch> ringOfMerges(int count) {
        return RunnableGraph.fromGraph(GraphBuilder.create(KillSwitches.<Integer>single(), (builder, end) -> {
            FanInShape<Integer, Integer> first = builder.add(Junctions.<Integer>merge(2));
            builder.connect(builder.add(Source.<Integer>never()).out(), end.in());
            builder.connect(end.out(), first.in(0));
            Outlet<Integer> last = first.out();
            for (int i = 1; i < count; i++) {
                FanInShape<Integer, Integer> next = builder.add(Junctions.<Integer>merge(1));
                builder.connect(last, next.in(0));
                last = next.out();
            }
            builder.connect(last, first.in(1));
            return ClosedShape.of();
        }));
    }

    @Test
    void aRingOfMergesRunsUntilItIsEnded() throws Exception {
        for (int count = 1; count <= 3; count++) {
            ringOfMerges(count).run(runtime).abort(new IllegalStateException("enough"));
            Await.until("the stream is gone", () -> runtime.snapshot().streams().isEmpty());
        }
    }

    /** A request line down, an answer line up, and a log. */
    private static final class Counter extends Shape {
        private final Inlet<String> requests;
        private final Outlet<String> answers;
        private final Outlet<String> log;

        Counter(Inlet<String> requests, Outlet<String> answers, Outlet<String> log) {
            this.requests = requests;
            this.answers = answers;
            this.log = log;
            claimPorts();
        }

        @Override
        public List<Inlet<?>> inlets() {
            return List.of(requests);
        }

        @Override
        public List<Outlet<?>> outlets() {
            return List.of(answers, log);
        }

        @Override
        public Counter copy() {
            return new Counter(requests.copy(), answers.copy(), log.copy());
        }
    }

    @Test
    void shapesOfOnesOwnCanBePartsOfOtherGraphs() throws Exception {
        Graph<Counter, NotUsed> counter = GraphBuilder.create(builder -> {
            FanOutShape<String, String> split = builder.add(Junctions.<String>broadcast(2));
            return new Counter(
                    split.in(), builder.connect(split.out(0), Flow.<String, String>of(s -> "re " + s)), split.out(1));
        });
        Graph<ClosedShape, Pair<CompletionStage<List<String>>, CompletionStage<List<String>>>> graph =
                GraphBuilder.create(Sink.<String>seq(), Sink.<String>seq(), Keep.both(), (builder, answers, log) -> {
                    Counter added = builder.add(counter);
                    builder.connect(builder.add(Source.of("a", "b")).out(), added.requests);
                    builder.connect(added.answers, answers.in()).connect(added.log, log.in());
                    return ClosedShape.of();
                });
        var results = RunnableGraph.fromGraph(graph).run(runtime);
        assertThat(await(results.first())).containsExactly("re a", "re b");
        assertThat(await(results.second())).containsExactly("a", "b");
    }

    @Test
    void materializedValueIsASourceInsideItsGraphEvenIfNobodyKeepsIt() throws Exception {
        Graph<FlowShape<Integer, Integer>, CompletionStage<Integer>> total =
                GraphBuilder.create(Sink.<Integer, Integer>fold(0, Integer::sum), (builder, sum) -> {
                    Outlet<Integer> sums = builder.connect(
                            builder.materializedValue(),
                            Flow.<CompletionStage<Integer>>create().mapAsync(1, stage -> stage));
                    return FlowShape.of(sum.in(), sums);
                });
        assertThat(await(Source.range(0, 10).via(total).runWith(Sink.seq(), runtime)))
                .containsExactly(45);
        Pair<CompletionStage<Integer>, CompletionStage<List<Integer>>> both = Source.range(0, 5)
                .viaMat(total, Keep.right())
                .toMat(Sink.<Integer>seq(), Keep.both())
                .run(runtime);
        assertThat(await(both.first())).isEqualTo(10);
        assertThat(await(both.second())).containsExactly(10);
    }

    @Test
    void builderThatHasBeenUsedUpRefusesMore() {
        AtomicReference<GraphBuilder<NotUsed>> kept = new AtomicReference<>();
        GraphBuilder.create(builder -> {
            kept.set(builder);
            return ClosedShape.of();
        });
        assertThatThrownBy(() -> kept.get().add(Source.single(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has been built");
    }

    @Test
    void preMaterializedEndsRunOnceAndGiveTheirValueAtOnce() throws Exception {
        Pair<SourceQueue<Integer>, Source<Integer, NotUsed>> source =
                Source.<Integer>queue(4).preMaterialize(runtime);
        source.first().offer(1);
        source.first().complete();
        Pair<CompletionStage<List<Integer>>, Sink<Integer, NotUsed>> sink =
                Sink.<Integer>seq().preMaterialize(runtime);
        source.second().to(sink.second()).run(runtime);
        assertThat(await(sink.first())).containsExactly(1);
        assertThat(awaitFailure(source.second().runWith(Sink.seq(), runtime))).hasMessageContaining("one subscriber");
    }

    @Test
    void aGraphThatIsNeitherStageNorPutTogetherIsRefusedWhereItIsUsed() {
        Graph<SourceShape<Integer>, NotUsed> own = () -> SourceShape.of(Outlet.create("own.out"));
        assertThatThrownBy(() -> Source.fromGraph(own))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("implements Graph by itself: extend GraphStage");
    }
}
