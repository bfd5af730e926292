package io.millrace.streams.operator.substreams;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Flow;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Random splits over islands and threads: every element arrives exactly once, and in the order of its key. */
final class SubstreamStressTest {
    private static final boolean DEEP = Boolean.getBoolean("millrace.deep");
    private static final int ROUNDS = DEEP ? 400 : 25;

    @Test
    void everyElementOfEverySubstreamArrivesOnceAndInOrder() throws Exception {
        long seed = System.nanoTime();
        System.out.println("SubstreamStressTest: seed " + seed);
        Random random = new Random(seed);
        try (StreamRuntime runtime =
                StreamRuntime.create(RuntimeSettings.defaults().withThreads(4))) {
            for (int round = 0; round < ROUNDS; round++) {
                oneRound(random, runtime);
            }
        }
    }

    private static void oneRound(Random random, StreamRuntime runtime) throws Exception {
        int keys = 1 + random.nextInt(40);
        int count = 1 + random.nextInt(5000);
        List<Integer> input = new ArrayList<>();
        Map<Integer, List<Integer>> expected = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            int key = random.nextInt(keys);
            input.add(i * keys + key);
            expected.computeIfAbsent(key, k -> new ArrayList<>()).add(i * keys + key);
        }
        Flow<Integer, Integer, NotUsed> inner = Flow.of((Integer n) -> n);
        for (int i = random.nextInt(3); i > 0; i--) {
            inner = inner.async().map(n -> n).withAttributes(Attributes.inputBuffer(1 + random.nextInt(20)));
        }
        Flow<Integer, Integer, NotUsed> flow = inner;
        Source<Integer, NotUsed> source = Source.from(input);
        Source<Pair<Integer, Integer>, NotUsed> joined = (random.nextBoolean() ? source.async() : source)
                .groupBy(keys, n -> n % keys)
                .via(flow)
                .<Pair<Integer, Integer>>viaKeyed(key -> Flow.of((Integer n) -> new Pair<>(key, n)))
                .mergeSubstreams(keys)
                .withAttributes(Attributes.inputBuffer(1 + random.nextInt(20)));
        Map<Integer, List<Integer>> seen = new TreeMap<>();
        joined.runWith(
                        Sink.foreach(one -> seen.computeIfAbsent(one.first(), k -> new ArrayList<>())
                                .add(one.second())),
                        runtime)
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
        assertThat(seen).isEqualTo(expected);
    }

    @Test
    void partsArriveWholeAndInOrderAlsoWhenTheirConsumersGiveUpEarly() throws Exception {
        long seed = System.nanoTime();
        System.out.println("SubstreamStressTest: seed " + seed);
        Random random = new Random(seed);
        try (StreamRuntime runtime = StreamRuntime.create()) {
            for (int round = 0; round < ROUNDS; round++) {
                oneSplit(random, runtime);
            }
        }
    }

    private static void oneSplit(Random random, StreamRuntime runtime) throws Exception {
        int length = 1 + random.nextInt(60);
        int kept = 1 + random.nextInt(60);
        int count = random.nextInt(3000);
        List<Integer> expected =
                IntStream.range(0, count).filter(i -> i % length < kept).boxed().toList();
        Flow<Integer, Integer, NotUsed> early = Flow.<Integer>create().take(kept);
        List<Integer> seen = Source.range(0, count)
                .splitWhen(n -> n % length == 0)
                .via(random.nextBoolean() ? early.async() : early)
                .concatSubstreams()
                .withAttributes(Attributes.inputBuffer(1 + random.nextInt(20)))
                .runWith(Sink.seq(), runtime)
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
        assertThat(seen).isEqualTo(expected);
    }
}
