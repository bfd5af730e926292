package io.millrace.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.ClosedShape;
import io.millrace.streams.FanInShape;
import io.millrace.streams.FanOutShape;
import io.millrace.streams.Flow;
import io.millrace.streams.FlowShape;
import io.millrace.streams.Graph;
import io.millrace.streams.GraphBuilder;
import io.millrace.streams.Junctions;
import io.millrace.streams.NotUsed;
import io.millrace.streams.RunnableGraph;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import java.util.List;
import java.util.concurrent.CompletionStage;
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
}
