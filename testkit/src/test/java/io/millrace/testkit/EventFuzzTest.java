package io.millrace.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Flow;
import io.millrace.streams.GraphBuilder;
import io.millrace.streams.Junctions;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.FanInShape;
import io.millrace.streams.graph.FanOutShape;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.OverflowStrategy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class EventFuzzTest {
    private static final int ROUNDS = Boolean.getBoolean("millrace.deep") ? 5000 : 200;

    /** Two arms whose elements meet in an order that nobody promises. */
    private static final Graph<FlowShape<Integer, Integer>, NotUsed> DIAMOND = GraphBuilder.create(builder -> {
        FanOutShape<Integer, Integer> split = builder.add(Junctions.<Integer>broadcast(2));
        FanInShape<Integer, Integer> join = builder.add(Junctions.<Integer>merge(2));
        builder.connect(builder.connect(split.out(0), Flow.<Integer, Integer>of(x -> x)), join.in(0));
        builder.connect(
                builder.connect(
                        split.out(1), Flow.<Integer, Integer>of(x -> x + 100).buffer(2, OverflowStrategy.BACKPRESSURE)),
                join.in(1));
        return FlowShape.of(split.in(), join.out());
    });

    private static List<Integer> throughDiamonds(StreamRuntime runtime) throws Exception {
        return Source.range(0, 5)
                .concat(Source.range(5, 10))
                .via(DIAMOND)
                .runWith(Sink.seq(), runtime)
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS);
    }

    @Test
    void seedDecidesTheOrderOfEvents() {
        Set<List<Integer>> orders = new HashSet<>();
        for (long seed = 0; seed < 20; seed++) {
            List<Integer> first = new ArrayList<>();
            EventFuzz.runOnce(seed, runtime -> first.addAll(throughDiamonds(runtime)));
            EventFuzz.runOnce(
                    seed, runtime -> assertThat(throughDiamonds(runtime)).isEqualTo(first));
            orders.add(first);
        }
        assertThat(orders).hasSizeGreaterThan(3);
    }

    @Test
    void whatTheEngineAndItsOperatorsPromiseHoldsInEveryOrder() {
        List<Integer> plain = IntStream.range(0, 10).boxed().toList();
        List<Integer> shifted = IntStream.range(100, 110).boxed().toList();
        EventFuzz.run(ROUNDS, runtime -> {
            List<Integer> seen = throughDiamonds(runtime);
            assertThat(seen.stream().filter(x -> x < 100).toList()).isEqualTo(plain);
            assertThat(seen.stream().filter(x -> x >= 100).toList()).isEqualTo(shifted);
            assertThat(Source.range(0, 10)
                            .zipWith(Source.range(0, 20).balance(2, Flow.<Integer>create()), (a, b) -> a)
                            .async()
                            .take(5)
                            .runWith(Sink.seq(), runtime)
                            .toCompletableFuture()
                            .get(10, TimeUnit.SECONDS))
                    .containsExactly(0, 1, 2, 3, 4);
        });
    }

    @Test
    void failingRoundNamesItsSeed() {
        assertThatThrownBy(() -> EventFuzz.runOnce(42, runtime -> {
                    throw new IllegalStateException("mine");
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("seed 42L")
                .hasRootCauseMessage("mine");
    }
}
