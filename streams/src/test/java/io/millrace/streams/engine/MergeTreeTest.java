package io.millrace.streams.engine;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.NotUsed;
import io.millrace.testkit.Behaviour;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Merges of merges, which run as one. */
class MergeTreeTest {
    private static final int PER_SOURCE = 1000;
    private final StreamRuntime runtime =
            StreamRuntime.create(RuntimeSettings.defaults().withName("merge-tree-test"));

    @AfterEach
    void closeRuntime() {
        runtime.close();
    }

    private long merges() {
        return runtime.snapshot().streams().stream()
                .flatMap(stream -> stream.islands().stream())
                .flatMap(island -> island.stages().stream())
                .filter(stage -> stage.name().endsWith("merge"))
                .count();
    }

    @Test
    @Behaviour("INT-8")
    void aChainOfMergesInOneIslandIsOneStage() throws Exception {
        Source<Integer, ?> merged = Source.maybe();
        for (int i = 0; i < 20; i++) {
            merged = merged.merge(Source.maybe());
        }
        merged.runWith(Sink.ignore(), runtime);
        assertThat(merges()).isEqualTo(1);
    }

    @Test
    @Behaviour("INT-8")
    void mergesOfOtherIslandsOrAttributesStayApart() throws Exception {
        Source<Integer, ?> below = Source.<Integer>maybe().merge(Source.maybe());
        below.async().merge(Source.maybe()).runWith(Sink.ignore(), runtime);
        assertThat(merges()).isEqualTo(2);
        below.withAttributes(Attributes.name("below")).merge(Source.maybe()).runWith(Sink.ignore(), runtime);
        assertThat(merges()).isEqualTo(4);
    }

    @Test
    @Behaviour("INT-1")
    void treesOfAnyShapeDeliverEveryElementAndKeepTheOrderOfEachSource() throws Exception {
        long seed = Long.getLong("millrace.seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 50; round++) {
            int sources = 2 + random.nextInt(12);
            List<Source<Integer, NotUsed>> parts = new ArrayList<>();
            for (int i = 0; i < sources; i++) {
                parts.add(Source.range(i * PER_SOURCE, (i + 1) * PER_SOURCE));
            }
            while (parts.size() > 1) {
                Source<Integer, NotUsed> first = parts.remove(random.nextInt(parts.size()));
                Source<Integer, NotUsed> second = parts.remove(random.nextInt(parts.size()));
                Source<Integer, NotUsed> both = first.merge(second);
                parts.add(
                        switch (random.nextInt(4)) {
                            case 0 -> both.async();
                            case 1 -> both.map(element -> element);
                            default -> both;
                        });
            }
            List<Integer> received = await(parts.get(0).runWith(Sink.seq(), runtime));
            assertThat(received).as("seed %d", seed).hasSize(sources * PER_SOURCE);
            for (int i = 0; i < sources; i++) {
                int own = i;
                assertThat(received.stream().filter(element -> element / PER_SOURCE == own))
                        .as("source %d of seed %d", i, seed)
                        .isEqualTo(IntStream.range(own * PER_SOURCE, (own + 1) * PER_SOURCE)
                                .boxed()
                                .collect(Collectors.toList()));
            }
        }
    }

    @Test
    @Behaviour("INT-1")
    void aFailureAtAnyLeafFailsTheTree() {
        IllegalStateException failure = new IllegalStateException("boom");
        CompletionStage<List<Integer>> result = Source.range(0, 10)
                .merge(Source.<Integer>failed(failure).merge(Source.maybe()))
                .merge(Source.maybe())
                .runWith(Sink.seq(), runtime);
        assertThat(result.toCompletableFuture())
                .failsWithin(20, TimeUnit.SECONDS)
                .withThrowableOfType(java.util.concurrent.ExecutionException.class)
                .withCause(failure);
    }
}
